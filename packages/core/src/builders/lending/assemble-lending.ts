import { quoteName } from '../../base/encoding/foreign-text.ts';
import { FARMS_PROGRAM } from '../../protocol/farms/program.ts';
import { needsPermission } from '../../protocol/klend/permissions.ts';
import { INSTRUCTIONS_SYSVAR } from '../../protocol/spl/programs.ts';
import { marketName } from '../../views/lending/market-snapshot.ts';
import { assembleBuild } from '../assemble-build.ts';
import type { Build, BuildContext, ComputeBudget } from '../build.ts';
import type { BuildDescription, BuildStep } from '../build-summary.ts';
import { selectTransactionLookupTables } from '../transaction-lookup-tables.ts';
import type { WalletSteps } from '../wallet/wallet-steps.ts';
import type { LendingActionContext } from './lending-action-context.ts';
import { lendingLookupTables } from './lending-lookup-tables.ts';
import type { LendingPosition } from './lending-position.ts';
import { refreshLoanStep, refreshOtherSteps, refreshReserveStep } from './refresh-steps.ts';
import { farmSetupSteps, loanSetupSteps, referrerSetupSteps } from './setup-steps.ts';

/** The parts in which lending operations differ. */
export type LendingSteps = {
  readonly action: BuildStep;
  readonly walletSteps: WalletSteps;
  readonly description: BuildDescription;
  readonly budget: ComputeBudget;
};

const NO_LOOKUP_TABLE_NOTE =
  'The transaction uses no lookup table, because none is known that shortens it.';

const PERMISSION_NOTE =
  'The market requires a signature of its permissioning authority for this operation; this transaction does not have it.';

/**
 * The common order of all operations. The program requires the loan and all its reserves to be
 * refreshed in the same transaction, right before the action.
 */
export function assembleLending(
  position: LendingPosition,
  { action, walletSteps, description, budget }: LendingSteps,
  context: BuildContext,
): Build {
  const { wallet } = position;
  const steps = [
    ...walletSteps.before,
    ...preparedAction(position, action, context),
    ...walletSteps.after,
  ];
  const instructions = steps.map(({ instruction }) => instruction);
  const known = lendingLookupTables(wallet, context);
  const lookupTables = selectTransactionLookupTables(known, instructions, wallet);
  const tableNotes = lookupTables.length > 0 ? [] : [NO_LOOKUP_TABLE_NOTE];
  const notes = [
    ...description.notes,
    ...permissionNotes(position),
    ...tableNotes,
    ...walletSteps.notes,
  ];
  return assembleBuild(
    { wallet, steps, description: { ...description, notes }, lookupTables, budget },
    context,
  );
}

/** An action after everything that the program requires before it. */
export const preparedAction = (
  position: LendingPosition,
  action: BuildStep,
  { state }: BuildContext,
): readonly BuildStep[] => [
  ...referrerSetupSteps(position),
  ...loanSetupSteps(position),
  ...refreshOtherSteps(position, state),
  ...farmSetupSteps(position),
  refreshReserveStep(position, position.reserve),
  refreshLoanStep(position),
  action,
];

/** Deposits and borrows can need the signature of the market's permissioning authority. */
export function permissionNotes({ market, reserve, action }: LendingPosition): string[] {
  const operation = action === 'deposit' || action === 'borrow' ? action : undefined;
  if (operation === undefined) return [];
  return needsPermission(market.fields, [reserve.fields], operation) ? [PERMISSION_NOTE] : [];
}

/** Accounts of every action. */
export const commonActionAccounts = ({
  wallet,
  obligation,
  market,
  authority,
  farm,
}: LendingActionContext) => ({
  owner: wallet,
  obligation,
  lendingMarket: market.address,
  lendingMarketAuthority: authority,
  instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  obligationFarmUserState: farm?.user,
  reserveFarmState: farm?.state,
  farmsProgram: FARMS_PROGRAM,
});

export const marketLabel = ({ market }: LendingActionContext): string =>
  quoteName(marketName(market.fields)) || `the market ${market.address}`;
