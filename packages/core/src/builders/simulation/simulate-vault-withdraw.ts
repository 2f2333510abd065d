import { CodedError } from '../../base/errors.ts';
import type { ChainTime } from '../../base/time.ts';
import { unstake } from '../../protocol/farms/operations/unstake.ts';
import { withdrawUnstakedDeposits } from '../../protocol/farms/operations/withdraw-unstaked-deposits.ts';
import { lendingMarket } from '../../protocol/klend/layout/lending-market.ts';
import { reserve as reserveLayout } from '../../protocol/klend/layout/reserve.ts';
import { CURRENT_RULES } from '../../protocol/klend/lending-rules.ts';
import { exchangeRate } from '../../protocol/klend/math/exchange-rate.ts';
import {
  type Reserves,
  requireOpen,
  reserveOf,
  withReserve,
} from '../../protocol/klend/operations/position.ts';
import { bringToSlot } from '../../protocol/klend/operations/refresh-reserve.ts';
import { redeemCollateral } from '../../protocol/klend/operations/withdraw.ts';
import { kvaultRefuses } from '../../protocol/kvault/errors.ts';
import type { VaultState } from '../../protocol/kvault/layout/vault-state.ts';
import { withdrawFromVault } from '../../protocol/kvault/operations/withdraw-from-vault.ts';
import type { ClusterReader, HeldBytes } from '../../state/cluster-reader.ts';
import type { Scene } from '../build.ts';
import { momentOf } from '../farms/stake-context.ts';
import { marketOf } from '../lending/lending-request.ts';
import { penalties } from '../vaults/share-redemption.ts';
import type { VaultPlace } from '../vaults/vault-action-context.ts';
import { vaultOf } from '../vaults/vault-at-slot.ts';
import type { ExitLeg } from '../vaults/vault-instructions.ts';
import type { VaultWithdrawRequest } from '../vaults/vault-request.ts';
import {
  planWithdrawal,
  vaultWithdraw,
  type Withdrawal,
} from '../vaults/vault-withdraw-builder.ts';
import { forecastRun } from './run-simulation.ts';
import type { Forecast } from './simulation-outcome.ts';
import type { Moved } from './wallet-changes.ts';

/** What the farm, the vault and the reserves would do with a withdrawal at the state's slot. */
export function forecastVaultWithdraw(request: VaultWithdrawRequest, scene: Scene): Forecast {
  const build = vaultWithdraw.build(request, scene);
  const withdrawal = planWithdrawal(request, scene);
  const overflow = kvaultRefuses('MathOverflow', 'a number does not fit');
  return forecastRun({ build, scene, wrapped: 0n, overflow }, () =>
    runWithdrawal(withdrawal, scene),
  );
}

/** As far as the legs have come. */
type Progress = {
  readonly vault: VaultState;
  readonly reserves: Reserves;
  /** In the wallet's account. */
  readonly shares: bigint;
  readonly paid: bigint;
};

/** What was planned, at the time of the scene, which may be later. Throws what the programs refuse. */
export function runWithdrawal(withdrawal: Withdrawal, scene: Scene): Moved[] {
  const { place, holding, exit } = withdrawal;
  const { token, shares } = place;
  const time = timeOf(place, scene.state);
  const start: Progress = {
    vault: vaultOf(place),
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

function sharesFromFarm({ holding, unstaking }: Withdrawal, { state }: Scene): bigint {
  if (holding.stake === undefined || unstaking === undefined) return 0n;
  const moment = momentOf(holding.stake, state);
  const { position } = holding.stake;
  const due = unstaking.takesDue
    ? withdrawUnstakedDeposits(position, moment)
    : { ...position, amount: 0n };
  if (unstaking.sharesScaled === 0n) return due.amount;
  const unstaked = unstake(due, unstaking.sharesScaled, moment);
  return due.amount + withdrawUnstakedDeposits(unstaked, moment).amount;
}

type Setting = {
  readonly place: VaultPlace;
  readonly time: ChainTime;
  readonly scene: Scene;
};

function afterLeg(
  progress: Progress,
  { reserve: address, shares }: ExitLeg,
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
      globalConfig: penalties(place, scene),
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
  requireOpen(terms, reserve);
  const redeemed = bringToSlot(redeemCollateral(reserve, terms, { collateral }).reserve, terms);
  return { ...after, reserves: withReserve(reserves, address, redeemed) };
}

/** The newest that anything of it is known for: time does not run back. */
function timeOf({ reserves }: VaultPlace, state: ClusterReader): ChainTime {
  const { slot, unix } = state.at();
  const updates = reserves.map(({ fields }) => fields.lastUpdate.slot);
  return { slot: updates.reduce((newest, at) => (at > newest ? at : newest), slot), unix };
}

const reservesAt = (time: ChainTime, { reserves }: VaultPlace, state: ClusterReader): Reserves =>
  new Map(
    reserves.map(({ address, program, data }) => {
      const reserve = reserveLayout.decode({ owner: program, data });
      return [address, bringToSlot(reserve, { market: marketAt(reserve, state), time })];
    }),
  );

function marketAt(
  { lendingMarket: address }: { readonly lendingMarket: HeldBytes<unknown>['address'] },
  state: ClusterReader,
) {
  const { program, data } = marketOf(state, address);
  return lendingMarket.decode({ owner: program, data });
}

/** The build closes the account for shares, which cannot be with some in it. */
function notEmpty(shares: bigint): CodedError {
  const reason = `${shares} of the smallest units of a share are left in the account that is closed`;
  const name = 'NonNativeHasBalance';
  return new CodedError('PROGRAM_REFUSES', { program: 'token', code: 11, name, reason });
}
