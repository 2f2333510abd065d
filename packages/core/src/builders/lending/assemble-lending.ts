import { FARMS_PROGRAM } from '../../protocol/farms/program.ts';
import { INSTRUCTIONS_SYSVAR } from '../../protocol/spl/programs.ts';
import { marketName } from '../../views/lending/market-snapshot.ts';
import { assemble } from '../assemble-build.ts';
import type { Build, ComputeBudget, Scene } from '../build.ts';
import type { Step, Told } from '../plan.ts';
import type { WalletSide } from '../wallet/wallet-steps.ts';
import type { LendingPlace } from './lending-action-context.ts';
import { lendingTables } from './lending-lookup-tables.ts';
import type { LendingPosition } from './lending-position.ts';
import { refreshLoanStep, refreshOtherSteps, refreshReserveStep } from './refresh-steps.ts';
import { farmSetupSteps, loanSetupSteps, referrerSetupSteps } from './setup-steps.ts';

/** What makes one operation of lending differ from the others. */
export type LendingAction = {
  readonly action: Step;
  readonly side: WalletSide;
  readonly told: Told;
  readonly budget: ComputeBudget;
};

/**
 * The order that all operations share. The program wants the loan and every reserve of it refreshed in the same
 * transaction, right before the action.
 */
export function frame(
  position: LendingPosition,
  { action, side, told, budget }: LendingAction,
  scene: Scene,
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
  const tables = lendingTables(wallet, scene);
  return assemble({ wallet, steps, told: { ...told, notes }, tables, budget }, scene);
}

/** Accounts that every action names. */
export const actionAccounts = ({ wallet, obligation, market, authority, farm }: LendingPlace) => ({
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
export const marketText = ({ market }: LendingPlace): string =>
  marketName(market.fields) || `the market ${market.address}`;
