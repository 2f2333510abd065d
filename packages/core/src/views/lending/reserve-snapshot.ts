import type { Address } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { compareRatios } from '../../base/numbers/ratio.ts';
import { ONE_SF, type Sf } from '../../base/numbers/scaled-fraction.ts';
import type { Slot } from '../../base/time.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { LendingRules } from '../../protocol/klend/lending-rules.ts';
import { reserveRates } from '../../protocol/klend/math/rates.ts';
import { type ReserveAtSlot, reserveAtSlot } from '../../protocol/klend/math/reserve-at-slot.ts';
import { type PriceFeeds, type ReservePrice, reservePrice } from './reserve-price.ts';

/** A reserve of a market, accrued to a slot, with its oracle price. */
export type ReserveSnapshot = ReserveAtSlot &
  ReservePrice & {
    readonly address: Address;
    readonly mint: Address;
    readonly symbol: string;
    readonly decimals: bigint;
    readonly config: ReserveView['config'];
  };

export type ReserveSnapshotInput = {
  readonly slot: Slot;
  readonly referralFeeBps: number;
  readonly prices: PriceFeeds;
  readonly rules: LendingRules;
};

/** A reserve newer than the slot is not changed. */
export function snapshotReserve(
  { address, fields }: { readonly address: Address; readonly fields: ReserveView },
  { slot, referralFeeBps, prices, rules }: ReserveSnapshotInput,
): ReserveSnapshot {
  const { price, exactPrice } = reservePrice(fields, prices);
  const updated = fields.lastUpdate.slot;
  const accrualSlot = updated > slot ? updated : slot;
  const { liquidity, config } = fields;
  return Object.assign(reserveAtSlot(fields, { slot: accrualSlot, referralFeeBps, rules, price }), {
    exactPrice,
    address,
    mint: liquidity.mintPubkey,
    symbol: bytesToText(config.tokenInfo.name),
    decimals: liquidity.mintDecimals,
    config,
  });
}

type Priced = Pick<ReserveSnapshot, 'price' | 'priceDivisor'>;

/** Converts lamports to whole tokens. */
export const toWholeTokens = ({ priceDivisor }: Priced, amount: Sf): Ratio => ({
  numerator: amount,
  denominator: priceDivisor,
});

/** Converts lamports to USD, without rounding. */
const usdOf = ({ price, priceDivisor }: Priced, amount: Sf): Ratio => ({
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
  const { address, symbol, mint, config, liquidity, totalSupply } = reserve;
  const { borrowApy, supplyApy } = reserveRates({ config, liquidity }, slotMs);
  return {
    address,
    symbol,
    mint,
    maxLtv: { numerator: BigInt(config.loanToValuePct), denominator: 100n },
    borrowApy,
    supplyApy,
    totalSupply: toWholeTokens(reserve, totalSupply),
    totalBorrow: toWholeTokens(reserve, liquidity.borrowedAmountSf),
    totalSupplyUsd: usdOf(reserve, totalSupply),
    totalBorrowUsd: usdOf(reserve, liquidity.borrowedAmountSf),
  };
}

/** Largest supply in USD first, then by address. */
export function viewReserves(
  reserves: Iterable<ReserveSnapshot>,
  slotMs: Ratio,
): readonly ReserveMetrics[] {
  return [...reserves]
    .map((reserve) => viewReserve(reserve, slotMs))
    .sort(
      (a, b) =>
        compareRatios(b.totalSupplyUsd, a.totalSupplyUsd) || (a.address < b.address ? -1 : 1),
    );
}
