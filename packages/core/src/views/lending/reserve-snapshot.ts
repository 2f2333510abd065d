import type { Address } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { compareRatios } from '../../base/numbers/ratio.ts';
import { ONE_SF, type Sf } from '../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../base/time.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { LendingRules } from '../../protocol/klend/lending-rules.ts';
import type { AccrualInput } from '../../protocol/klend/math/accrual/accrual.ts';
import { latestTime } from '../../protocol/klend/math/accrual/accrual-duration.ts';
import { reserveRates } from '../../protocol/klend/math/accrual/rates.ts';
import { type ReserveAtSlot, reserveAtSlot } from '../../protocol/klend/math/reserve-at-slot.ts';
import {
  type PriceAge,
  type PriceFeeds,
  type ReservePrice,
  reservePrice,
  secondsSince,
} from './reserve-price.ts';
import {
  collectAvailable,
  computeFigure,
  type Omission,
  withoutPeriod,
} from './unavailable-figures.ts';

/** A reserve of a market, accrued to a slot, with its oracle price. */
export type ReserveSnapshot = ReserveAtSlot &
  ReservePrice & {
    readonly address: Address;
    readonly mint: Address;
    readonly symbol: string;
    readonly decimals: bigint;
    readonly config: ReserveView['config'];
    /** The market's maximum for the reserve's own rewards. */
    readonly rewardsMaxAprBps: number;
  };

export type ReserveSnapshotInput = AccrualInput & { readonly prices: PriceFeeds };

/**
 * A reserve newer than the time is not changed. Throws PRICE_UNAVAILABLE if its price cannot be
 * computed, and ACCOUNT_UNREADABLE if its interest cannot.
 */
export function snapshotReserve(
  { address, fields }: { readonly address: Address; readonly fields: ReserveView },
  { time: requested, prices, rules, referralFeeBps, reserveRewardsMaxAprBps }: ReserveSnapshotInput,
): ReserveSnapshot {
  const { price, exactPrice, priceSource, priceUnix } = requireReservePrice(
    { address, fields },
    prices,
    rules,
  );
  const { liquidity, config, lastUpdate } = fields;
  const time = latestTime(requested, [lastUpdate]);
  const terms = { time, referralFeeBps, reserveRewardsMaxAprBps, rules, price };
  const accrued = computeFigure(address, () => reserveAtSlot(fields, terms));
  return {
    liquidity: accrued.liquidity,
    totalSupply: accrued.totalSupply,
    rate: accrued.rate,
    cumulativeBorrowRate: accrued.cumulativeBorrowRate,
    basis: accrued.basis,
    price: accrued.price,
    priceDivisor: accrued.priceDivisor,
    maxLtv: accrued.maxLtv,
    liquidationThreshold: accrued.liquidationThreshold,
    borrowFactor: accrued.borrowFactor,
    elevationGroups: accrued.elevationGroups,
    exactPrice,
    priceSource,
    priceUnix,
    address,
    mint: liquidity.mintPubkey,
    symbol: bytesToText(config.tokenInfo.name),
    decimals: liquidity.mintDecimals,
    config,
    rewardsMaxAprBps: reserveRewardsMaxAprBps,
  };
}

/** Throws PRICE_UNAVAILABLE if the price cannot be computed; the lending program fails then too. */
export function requireReservePrice(
  { address, fields }: { readonly address: Address; readonly fields: ReserveView },
  prices: PriceFeeds,
  rules: Pick<LendingRules, 'zeroPrice'>,
): ReservePrice {
  try {
    return reservePrice(fields, prices, rules);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const reason = `the price of the reserve ${address} fails: ${withoutPeriod(error.message)}`;
    const mint = fields.liquidity.mintPubkey;
    throw new CodedError('PRICE_UNAVAILABLE', { mint, reason }, error);
  }
}

/** The age of the price with which a reserve is valued. */
export const reservePriceAge = (
  { mint, priceUnix, config }: Pick<ReserveSnapshot, 'mint' | 'priceUnix' | 'config'>,
  now: UnixSeconds,
): PriceAge => ({
  mint,
  ageSeconds: secondsSince(priceUnix, now),
  maxAgeSeconds: config.tokenInfo.maxAgePriceSeconds,
});

type Priced = Pick<ReserveSnapshot, 'price' | 'priceDivisor'>;

/** Converts lamports to whole tokens. */
export const toWholeTokens = ({ priceDivisor }: Priced, amount: Sf): Ratio => ({
  numerator: amount,
  denominator: priceDivisor,
});

/** Converts lamports to USD, without rounding. */
export const toUsd = ({ price, priceDivisor }: Priced, amount: Sf): Ratio => ({
  numerator: amount * price,
  denominator: priceDivisor * ONE_SF,
});

/** The size and rates of a reserve. Amounts are whole tokens, rates yearly fractions. */
export type ReserveMetrics = {
  readonly address: Address;
  readonly symbol: string;
  readonly mint: Address;
  /** Outside of elevation groups. */
  readonly maxLtv: Ratio;
  readonly borrowApy: Ratio;
  readonly supplyApy: Ratio;
  readonly totalSupply: Ratio;
  readonly totalBorrow: Ratio;
  readonly totalSupplyUsd: Ratio;
  readonly totalBorrowUsd: Ratio;
};

export function viewReserve(reserve: ReserveSnapshot, slotMs: Ratio): ReserveMetrics {
  const { address, symbol, mint, config, liquidity, basis, totalSupply } = reserve;
  const { borrowApy, supplyApy } = reserveRates({ config, liquidity, basis }, slotMs);
  return {
    address,
    symbol,
    mint,
    maxLtv: { numerator: BigInt(config.loanToValuePct), denominator: 100n },
    borrowApy,
    supplyApy,
    totalSupply: toWholeTokens(reserve, totalSupply),
    totalBorrow: toWholeTokens(reserve, liquidity.borrowedAmountSf),
    totalSupplyUsd: toUsd(reserve, totalSupply),
    totalBorrowUsd: toUsd(reserve, liquidity.borrowedAmountSf),
  };
}

/** Largest supply in USD first, then by address. A reserve whose rates fail is omitted. */
export function viewReserves(
  reserves: Iterable<ReserveSnapshot>,
  slotMs: Ratio,
): { readonly items: readonly ReserveMetrics[]; readonly omitted: readonly Omission[] } {
  const { items, omitted } = collectAvailable(reserves, (reserve) =>
    computeFigure(reserve.address, () => viewReserve(reserve, slotMs)),
  );
  const sorted = items.toSorted(
    (a, b) => compareRatios(b.totalSupplyUsd, a.totalSupplyUsd) || (a.address < b.address ? -1 : 1),
  );
  return { items: sorted, omitted };
}
