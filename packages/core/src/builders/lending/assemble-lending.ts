import { FARMS_PROGRAM } from '../../protocol/farms/program.ts';
import { INSTRUCTIONS_SYSVAR } from '../../protocol/spl/programs.ts';
import { marketName } from '../../views/lending/market-snapshot.ts';
import { assembleBuild } from '../assemble-build.ts';
import type { Build, BuildContext, ComputeBudget } from '../build.ts';
import type { BuildStep, PlanDescription } from '../plan.ts';
import type { WalletSteps } from '../wallet/wallet-steps.ts';
import type { LendingActionContext } from './lending-action-context.ts';
import { lendingLookupTables } from './lending-lookup-tables.ts';
import type { LendingPosition } from './lending-position.ts';
import { refreshLoanStep, refreshOtherSteps, refreshReserveStep } from './refresh-steps.ts';
import { farmSetupSteps, loanSetupSteps, referrerSetupSteps } from './setup-steps.ts';

/** What makes one operation of lending differ from the others. */
export type LendingSteps = {
  readonly action: BuildStep;
  readonly side: WalletSteps;
  readonly told: PlanDescription;
  readonly budget: ComputeBudget;
};

/**
 * The order that all operations share. The program wants the loan and every reserve of it refreshed in the same
 * transaction, right before the action.
 */
export function assembleLending(
  position: LendingPosition,
  { action, side, told, budget }: LendingSteps,
  scene: BuildContext,
): Build {
  const { wallet, reserve } = position;
  const steps = [
    ...side.before,
    ...referrerSetupSteps(position),
    ...loanSetupSteps(position),
    ...refreshOtherSteps(position, scene.state),
    ...farmSetupSteps(position),
    refreshReserveStep(position, reserve),
    refreshLoanStep(position),
    action,
    ...side.after,
  ];
  const notes = [...told.notes, ...side.notes];
  const tables = lendingLookupTables(wallet, scene);
  return assembleBuild({ wallet, steps, told: { ...told, notes }, tables, budget }, scene);
}

/** Accounts that every action names. */
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

/** In words. */
export const marketLabel = ({ market }: LendingActionContext): string =>
  marketName(market.fields) || `the market ${market.address}`;
