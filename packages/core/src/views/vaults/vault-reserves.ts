import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { divRatioOrZero, mulRatio } from '../../base/numbers/ratio.ts';
import type { ChainTime, Slot } from '../../base/time.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import type { LendingMarketView } from '../../protocol/klend/layout/lending-market.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { type ReserveRates, reserveRates } from '../../protocol/klend/math/accrual/rates.ts';
import { collateralWorth } from '../../protocol/klend/math/exchange-rate.ts';
import type { ProgramRules } from '../../protocol/releases/program-rules.ts';
import type { AddressedAccount } from '../lending/market-snapshot.ts';
import type { PriceAge, PriceFeeds } from '../lending/reserve-price.ts';
import {
  type ReserveSnapshot,
  reservePriceAge,
  snapshotReserve,
} from '../lending/reserve-snapshot.ts';
import {
  computeFigure,
  requireUnavailable,
  unreadableError,
} from '../lending/unavailable-figures.ts';
import {
  type FarmReward,
  type RewardViewContext,
  totalApr,
  viewFarmRewards,
} from '../rewards/farm-rewards.ts';

/** The cluster state and prices from which vault views are computed. */
export type VaultSource = {
  at(): ChainTime;
  slotMs(): Ratio;
  rulesAt(slot: Slot): ProgramRules;
  market(address: Address): AddressedAccount<LendingMarketView> | undefined;
  reserve(address: Address): AddressedAccount<ReserveView> | undefined;
  farm(address: Address): AddressedAccount<FarmStateView> | undefined;
  prices(feed: Address): ReturnType<PriceFeeds>;
  /** Accounts that cannot be decoded. */
  readonly unreadable: {
    get(address: Address): { readonly reason: string } | undefined;
  };
};

/** A reserve that a vault lends to. */
export type VaultReserve = {
  readonly market: AddressedAccount<LendingMarketView>;
  readonly snapshot: ReserveSnapshot;
  readonly rates: ReserveRates;
  /** Rewards of the farm for deposits. */
  readonly rewards: readonly FarmReward[];
  /** Simple yearly rate of the staked deposits. */
  readonly rewardsApr: Ratio;
  /** The ages of the prices behind `rewardsApr`. */
  readonly rewardPriceAges: readonly PriceAge[];
};

/** Undefined for an unknown reserve, or one that the lending program cannot refresh. */
export type VaultReserveLookup = (address: Address) => VaultReserve | undefined;

/** Throws the reason instead. */
export type VaultReserveReader = (address: Address) => VaultReserve;

/** Refreshes each reserve once, even if several vaults lend to it. */
export function createVaultReserveReader(
  source: VaultSource,
  context: RewardViewContext,
): VaultReserveReader {
  const cache = new Map<Address, VaultReserve | CodedError>();
  return (address) => {
    const found = cache.get(address) ?? reserveOrError(address, source, context);
    cache.set(address, found);
    if (found instanceof CodedError) throw found;
    return found;
  };
}

function reserveOrError(
  address: Address,
  source: VaultSource,
  context: RewardViewContext,
): VaultReserve | CodedError {
  try {
    return computeFigure(address, () => vaultReserve(address, source, context));
  } catch (error) {
    return requireUnavailable(error);
  }
}

function vaultReserve(
  address: Address,
  source: VaultSource,
  context: RewardViewContext,
): VaultReserve {
  const reserve = source.reserve(address);
  if (reserve === undefined) throw unknownAccount(address, 'reserve', source);
  const market = source.market(reserve.fields.lendingMarket);
  if (market === undefined) throw unknownAccount(reserve.fields.lendingMarket, 'market', source);
  const { referralFeeBps, reserveRewardsMaxAprBps } = market.fields;
  const snapshot = snapshotReserve(reserve, {
    time: context.at,
    referralFeeBps,
    reserveRewardsMaxAprBps,
    prices: context.prices,
    rules: source.rulesAt(context.at.slot).lending,
  });
  const rates = reserveRates(snapshot, context.slotMs);
  const farm = readFarm(source, reserve.fields.farmCollateral);
  const unitPrice = collateralPrice(snapshot);
  const rewards = farm === undefined ? [] : viewFarmRewards(farm.fields, unitPrice, context);
  const rewardPriceAges =
    rewards.length === 0
      ? []
      : [
          reservePriceAge(snapshot, context.at.unix),
          ...rewards.flatMap(({ mint }) => context.tokens(mint)?.quote ?? []),
        ];
  return { market, snapshot, rates, rewards, rewardsApr: totalApr(rewards), rewardPriceAges };
}

/** Undefined for an unknown farm. Throws ACCOUNT_UNREADABLE for one that cannot be decoded. */
export function readFarm(
  source: Pick<VaultSource, 'farm' | 'unreadable'>,
  address: Address,
): ReturnType<VaultSource['farm']> {
  const found = source.unreadable.get(address);
  if (found !== undefined) throw unreadableError(address, found.reason);
  return source.farm(address);
}

function unknownAccount(address: Address, what: string, { unreadable }: VaultSource): CodedError {
  return unreadableError(address, unreadable.get(address)?.reason ?? `no such ${what} is known`);
}

/** USD per smallest unit of the reserve's cToken, computed from the total supply for precision. */
function collateralPrice({ rate, exactPrice, priceDivisor }: ReserveSnapshot): Ratio {
  const supply = rate.mintTotalSupply === 0n ? 1n : rate.mintTotalSupply;
  const worth = { numerator: collateralWorth(rate, supply), denominator: priceDivisor };
  return divRatioOrZero(mulRatio(worth, exactPrice), { numerator: supply, denominator: 1n });
}
