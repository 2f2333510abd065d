import { CodedError } from '../../base/errors.ts';
import { unstake, withdrawUnstakedDeposits } from '../../protocol/farms/operations/stake.ts';
import { kvaultRejection } from '../../protocol/kvault/errors.ts';
import type { BuildContext } from '../build.ts';
import { farmContextOf } from '../farms/stake-context.ts';
import { runRedemption } from '../vaults/run-redemption.ts';
import type { VaultWithdrawRequest } from '../vaults/vault-request.ts';
import {
  planVaultWithdrawal,
  type VaultWithdrawalPlan,
  vaultWithdrawBuilder,
} from '../vaults/vault-withdraw-builder.ts';
import { runSimulation } from './run-simulation.ts';
import { vaultSubject } from './simulate-vault-deposit.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';
import type { TokenDelta } from './wallet-changes.ts';

/** Simulates a vault withdrawal with its farm and reserves at the state's slot. */
export function simulateVaultWithdraw(
  request: VaultWithdrawRequest,
  context: BuildContext,
): SimulationOutcome {
  const build = vaultWithdrawBuilder.build(request, context);
  const withdrawal = planVaultWithdrawal(request, context);
  const overflow = kvaultRejection('MathOverflow', 'a number overflows');
  const subject = vaultSubject(withdrawal.target);
  return runSimulation({ build, context, wrapped: 0n, overflow, subject }, () =>
    runVaultWithdrawal(withdrawal, context),
  );
}

/** Runs a plan at the time of the context, which may be later. Throws program rejections. */
export function runVaultWithdrawal(
  withdrawal: VaultWithdrawalPlan,
  context: BuildContext,
): TokenDelta[] {
  const { target, holding, redemption } = withdrawal;
  const { token, shares } = target;
  const held = holding.inWallet + sharesFromFarm(withdrawal, context);
  const run = { target, steps: redemption.steps, shares: held };
  const end = runRedemption(run, context);
  if (redemption.isComplete && end.shares > 0n) throw notEmptyError(end.shares);
  return [
    { token, added: end.paid },
    { token: shares, added: end.shares - holding.inWallet },
  ];
}

function sharesFromFarm(
  { holding, unstakePlan }: VaultWithdrawalPlan,
  { state }: BuildContext,
): bigint {
  if (holding.stake === undefined || unstakePlan === undefined) return 0n;
  const farmContext = farmContextOf(holding.stake, state);
  const { position } = holding.stake;
  const due = unstakePlan.withdrawsUnstaked
    ? withdrawUnstakedDeposits(position, farmContext)
    : { ...position, amount: 0n };
  if (unstakePlan.sharesScaled === 0n) return due.amount;
  const unstaked = unstake(due, unstakePlan.sharesScaled, farmContext);
  return due.amount + withdrawUnstakedDeposits(unstaked, farmContext).amount;
}

/** The build closes the share account, which fails unless it is empty. */
function notEmptyError(shares: bigint): CodedError {
  const reason = `${shares} smallest units of the share remain in the account to close`;
  const name = 'NonNativeHasBalance';
  const figures = { unit: 'share', needed: 0n, available: shares } as const;
  return new CodedError('PROGRAM_REFUSES', { program: 'token', code: 11, name, reason, figures });
}
