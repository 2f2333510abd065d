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
import { accrueReserveToSlot } from '../../protocol/klend/operations/refresh-reserve.ts';
import { redeemCollateral } from '../../protocol/klend/operations/withdraw.ts';
import { kvaultRejection } from '../../protocol/kvault/errors.ts';
import type { VaultState } from '../../protocol/kvault/layout/vault-state.ts';
import { withdrawFromVault } from '../../protocol/kvault/operations/withdraw-from-vault.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import type { BuildContext } from '../build.ts';
import { farmTimeOf } from '../farms/stake-context.ts';
import { requireMarket } from '../lending/lending-request.ts';
import { withdrawalPenalties } from '../vaults/share-redemption.ts';
import type { VaultActionContext } from '../vaults/vault-action-context.ts';
import { decodeVault } from '../vaults/vault-at-slot.ts';
import type { RedemptionLeg } from '../vaults/vault-instructions.ts';
import type { VaultWithdrawRequest } from '../vaults/vault-request.ts';
import {
  planVaultWithdrawal,
  type VaultWithdrawalPlan,
  vaultWithdrawBuilder,
} from '../vaults/vault-withdraw-builder.ts';
import { runSimulation } from './run-simulation.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';
import type { TokenDelta } from './wallet-changes.ts';

/** What the farm, the vault and the reserves would do with a withdrawal at the state's slot. */
export function simulateVaultWithdraw(
  request: VaultWithdrawRequest,
  scene: BuildContext,
): SimulationOutcome {
  const build = vaultWithdrawBuilder.build(request, scene);
  const withdrawal = planVaultWithdrawal(request, scene);
  const overflow = kvaultRejection('MathOverflow', 'a number does not fit');
  return runSimulation({ build, scene, wrapped: 0n, overflow }, () =>
    runVaultWithdrawal(withdrawal, scene),
  );
}

/** As far as the legs have come. */
type Progress = {
  readonly vault: VaultState;
  readonly reserves: ReserveMap;
  /** In the wallet's account. */
  readonly shares: bigint;
  readonly paid: bigint;
};

/** What was planned, at the time of the scene, which may be later. Throws what the programs refuse. */
export function runVaultWithdrawal(
  withdrawal: VaultWithdrawalPlan,
  scene: BuildContext,
): TokenDelta[] {
  const { place, holding, exit } = withdrawal;
  const { token, shares } = place;
  const time = timeOf(place, scene.state);
  const start: Progress = {
    vault: decodeVault(place),
    reserves: reservesAt(time, place, scene.state),
    shares: holding.loose + sharesFromFarm(withdrawal, scene),
    paid: 0n,
  };
  const end = exit.legs.reduce(
    (progress, leg) => afterLeg(progress, leg, { place, time, scene }),
    start,
  );
  if (exit.isComplete && end.shares > 0n) throw notEmpty(end.shares);
  return [
    { token, added: end.paid },
    { token: shares, added: end.shares - holding.loose },
  ];
}

function sharesFromFarm(
  { holding, unstaking }: VaultWithdrawalPlan,
  { state }: BuildContext,
): bigint {
  if (holding.stake === undefined || unstaking === undefined) return 0n;
  const moment = farmTimeOf(holding.stake, state);
  const { position } = holding.stake;
  const due = unstaking.takesDue
    ? withdrawUnstakedDeposits(position, moment)
    : { ...position, amount: 0n };
  if (unstaking.sharesScaled === 0n) return due.amount;
  const unstaked = unstake(due, unstaking.sharesScaled, moment);
  return due.amount + withdrawUnstakedDeposits(unstaked, moment).amount;
}

type Setting = {
  readonly place: VaultActionContext;
  readonly time: ChainTime;
  readonly scene: BuildContext;
};

function afterLeg(
  progress: Progress,
  { reserve: address, shares }: RedemptionLeg,
  { place, time, scene }: Setting,
): Progress {
  const { vault, reserves } = progress;
  const exchanges = new Map([...reserves].map(([key, each]) => [key, exchangeRate(each)]));
  const effects = withdrawFromVault(
    vault,
    { exchanges, time },
    {
      shares,
      sharesBalance: progress.shares,
      reserve: address,
      globalConfig: withdrawalPenalties(place, scene),
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
  const terms = { market: marketAt(reserve, scene.state), time, rules: CURRENT_RULES };
  requireNoEmergencyMode(terms, reserve);
  const redeemed = accrueReserveToSlot(
    redeemCollateral(reserve, terms, { collateral }).reserve,
    terms,
  );
  return { ...after, reserves: withReserve(reserves, address, redeemed) };
}

/** The newest that anything of it is known for: time does not run back. */
function timeOf({ reserves }: VaultActionContext, state: ClusterReader): ChainTime {
  const { slot, unix } = state.at();
  const updates = reserves.map(({ fields }) => fields.lastUpdate.slot);
  return { slot: updates.reduce((newest, at) => (at > newest ? at : newest), slot), unix };
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

/** The build closes the account for shares, which cannot be with some in it. */
function notEmpty(shares: bigint): CodedError {
  const reason = `${shares} of the smallest units of a share are left in the account that is closed`;
  const name = 'NonNativeHasBalance';
  return new CodedError('PROGRAM_REFUSES', { program: 'token', code: 11, name, reason });
}
