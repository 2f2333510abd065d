import { CodedError } from '../../base/errors.ts';
import type { ChainTime } from '../../base/time.ts';
import { unstake } from '../../protocol/farms/operations/unstake.ts';
import { withdrawUnstakedDeposits } from '../../protocol/farms/operations/withdraw-unstaked-deposits.ts';
import { lendingMarket } from '../../protocol/klend/layout/lending-market.ts';
import { reserve as reserveLayout } from '../../protocol/klend/layout/reserve.ts';
import { CURRENT_RULES } from '../../protocol/klend/lending-rules.ts';
import { exchangeRate } from '../../protocol/klend/math/exchange-rate.ts';
import {
  type ReserveMap,
  requireNoEmergencyMode,
  reserveOf,
  withReserve,
} from '../../protocol/klend/operations/position.ts';
import { redeemCollateral } from '../../protocol/klend/operations/redeem-collateral.ts';
import { accrueReserveToSlot } from '../../protocol/klend/operations/refresh-reserve.ts';
import { kvaultRejection } from '../../protocol/kvault/errors.ts';
import type { VaultState } from '../../protocol/kvault/layout/vault-state.ts';
import { withdrawFromVault } from '../../protocol/kvault/operations/withdraw-from-vault.ts';
import { CURRENT_VAULT_RULES, type VaultRules } from '../../protocol/kvault/vault-rules.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import type { BuildContext } from '../build.ts';
import { farmContextOf } from '../farms/stake-context.ts';
import { requireMarket } from '../lending/lending-request.ts';
import { withdrawalPenalties } from '../vaults/share-redemption.ts';
import type { VaultActionContext } from '../vaults/vault-action-context.ts';
import { decodeVault } from '../vaults/vault-at-slot.ts';
import type { RedemptionStep } from '../vaults/vault-instructions.ts';
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

/** The state between two withdrawal instructions. */
type Progress = {
  readonly vault: VaultState;
  readonly reserves: ReserveMap;
  /** In the wallet's token account. */
  readonly shares: bigint;
  readonly paid: bigint;
};

/** Runs a plan at the time of the context, which may be later. Throws program rejections. */
export function runVaultWithdrawal(
  withdrawal: VaultWithdrawalPlan,
  context: BuildContext,
  rules: VaultRules = CURRENT_VAULT_RULES,
): TokenDelta[] {
  const { target, holding, redemption } = withdrawal;
  const { token, shares } = target;
  const time = latestTime(target, context.state);
  const start: Progress = {
    vault: decodeVault(target),
    reserves: reservesAt(time, target, context.state),
    shares: holding.inWallet + sharesFromFarm(withdrawal, context),
    paid: 0n,
  };
  const end = redemption.steps.reduce(
    (progress, step) => runStep(progress, step, { target, time, context, rules }),
    start,
  );
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

type StepInput = {
  readonly target: VaultActionContext;
  readonly time: ChainTime;
  readonly context: BuildContext;
  readonly rules: VaultRules;
};

function runStep(
  progress: Progress,
  { reserve: address, shares }: RedemptionStep,
  { target, time, context, rules }: StepInput,
): Progress {
  const { vault, reserves } = progress;
  const exchanges = new Map([...reserves].map(([key, each]) => [key, exchangeRate(each)]));
  const effects = withdrawFromVault(
    vault,
    { exchanges, time, rules },
    {
      shares,
      sharesBalance: progress.shares,
      reserve: address,
      globalConfig: withdrawalPenalties(target, context),
    },
  );
  const after = {
    vault: effects.vault,
    shares: progress.shares - effects.sharesToBurn,
    paid: progress.paid + effects.availableToSendToUser + effects.investedLiquidityToSendToUser,
  };
  const collateral = effects.investedToDisinvestCtokens;
  if (address === undefined || collateral === 0n) return { ...after, reserves };
  const reserve = reserveOf(reserves, address);
  const lendingContext = { market: marketAt(reserve, context.state), time, rules: CURRENT_RULES };
  requireNoEmergencyMode(lendingContext, reserve);
  const redeemed = accrueReserveToSlot(
    redeemCollateral(reserve, lendingContext, { collateral }).reserve,
    lendingContext,
  );
  return { ...after, reserves: withReserve(reserves, address, redeemed) };
}

/** The newest slot of any involved account: time never runs backwards. */
function latestTime({ reserves }: VaultActionContext, state: ClusterReader): ChainTime {
  const { slot, unix } = state.at();
  const updates = reserves.map(({ fields }) => fields.lastUpdate.slot);
  return { slot: updates.reduce((newest, each) => (each > newest ? each : newest), slot), unix };
}

const reservesAt = (
  time: ChainTime,
  { reserves }: VaultActionContext,
  state: ClusterReader,
): ReserveMap =>
  new Map(
    reserves.map(({ address, program, data }) => {
      const reserve = reserveLayout.decode({ owner: program, data });
      return [address, accrueReserveToSlot(reserve, { market: marketAt(reserve, state), time })];
    }),
  );

function marketAt(
  { lendingMarket: address }: { readonly lendingMarket: StoredAccountWithData<unknown>['address'] },
  state: ClusterReader,
) {
  const { program, data } = requireMarket(state, address);
  return lendingMarket.decode({ owner: program, data });
}

/** The build closes the share account, which fails unless it is empty. */
function notEmptyError(shares: bigint): CodedError {
  const reason = `${shares} smallest units of the share remain in the account to close`;
  const name = 'NonNativeHasBalance';
  const figures = { unit: 'share', needed: 0n, available: shares } as const;
  return new CodedError('PROGRAM_REFUSES', { program: 'token', code: 11, name, reason, figures });
}
