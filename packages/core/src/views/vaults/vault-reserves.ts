import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { divRatioOrZero, mulRatio } from '../../base/numbers/ratio.ts';
import type { ChainTime } from '../../base/time.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import type { LendingMarketView } from '../../protocol/klend/layout/lending-market.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { CURRENT_RULES } from '../../protocol/klend/lending-rules.ts';
import { collateralWorth } from '../../protocol/klend/math/exchange-rate.ts';
import { type ReserveRates, reserveRates } from '../../protocol/klend/math/rates.ts';
import type { Placed } from '../lending/market-snapshot.ts';
import type { PriceFeeds } from '../lending/reserve-price.ts';
import { type ReserveSnapshot, snapshotReserve } from '../lending/reserve-snapshot.ts';
import {
  type FarmReward,
  type RewardViewContext,
  totalApr,
  undefinedOnCodedError,
  viewFarmRewards,
} from '../rewards/farm-rewards.ts';

/** What figures of vaults are made from: the present of a cluster, and what its tokens are worth. */
export type VaultSource = {
  at(): ChainTime;
  slotMs(): Ratio;
  market(address: Address): Placed<LendingMarketView> | undefined;
  reserve(address: Address): Placed<ReserveView> | undefined;
  farm(address: Address): Placed<FarmStateView> | undefined;
  prices(feed: Address): ReturnType<PriceFeeds>;
};

/** A reserve that a vault lends to. */
export type VaultReserve = {
  readonly market: Placed<LendingMarketView>;
  readonly now: ReserveSnapshot;
  readonly rates: ReserveRates;
  /** What the farm of its depositors gives. */
  readonly rewards: readonly FarmReward[];
  /** Yearly and simple, for what is staked there. */
  readonly rewardsApr: Ratio;
};

/** Undefined for a reserve that is not known, and for one that the lending program itself could not refresh. */
export type VaultReserveLookup = (address: Address) => VaultReserve | undefined;

/** Each reserve is brought to the slot once, however many vaults lend to it. */
export function createVaultReserveLookup(
  source: VaultSource,
  terms: RewardViewContext,
): VaultReserveLookup {
  const made = new Map<Address, VaultReserve | undefined>();
  return (address) => {
    if (!made.has(address)) {
      made.set(
        address,
        undefinedOnCodedError(() => vaultReserve(address, source, terms)),
      );
    }
    return made.get(address);
  };
}

function vaultReserve(
  address: Address,
  source: VaultSource,
  terms: RewardViewContext,
): VaultReserve | undefined {
  const reserve = source.reserve(address);
  const market = reserve && source.market(reserve.fields.lendingMarket);
  if (reserve === undefined || market === undefined) return undefined;
  const now = snapshotReserve(reserve, {
    slot: terms.at.slot,
    referralFeeBps: market.fields.referralFeeBps,
    prices: terms.prices,
    rules: CURRENT_RULES,
  });
  const { config, liquidity } = now;
  const rates = reserveRates({ config, liquidity }, terms.slotMs);
  const farm = source.farm(reserve.fields.farmCollateral);
  const unitPrice = collateralPrice(now);
  const rewards = farm === undefined ? [] : viewFarmRewards(farm.fields, { ...terms, unitPrice });
  return { market, now, rates, rewards, rewardsApr: totalApr(rewards) };
}

/** USD for a smallest unit of the reserve's cToken, by what a great number of them is worth. */
function collateralPrice({ rate, exactPrice, priceDivisor }: ReserveSnapshot): Ratio {
  const many = rate.mintTotalSupply === 0n ? 1n : rate.mintTotalSupply;
  const worth = { numerator: collateralWorth(rate, many), denominator: priceDivisor };
  return divRatioOrZero(mulRatio(worth, exactPrice), { numerator: many, denominator: 1n });
}
