import type { Address } from '#core/base/encoding/address.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { reserve as layout, type Reserve } from '#core/protocol/klend/layout/reserve.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import {
  type Decimal50,
  multiply,
  power,
  type ReferenceReserve,
  toDecimal50,
} from '../reference/reference-lending.ts';
import type { AccountLedger, LedgerTime } from './account-ledger.ts';

/** The program's fractions: scaled by 2^60, products and quotients rounded down (MATH 1). */
const ONE = 2n ** 60n;
const WIDE_ONE = toDecimal50(1n);
const SLOTS_PER_YEAR = 63_072_000n;
/** The simulation has 150 slots per minute, but the program assumes 120. */
const SLOT_ADJUSTMENT = toDecimal50(500n, 400n);

const mul = (a: bigint, b: bigint): bigint => (a * b) / ONE;
const bps = (value: number): bigint => (BigInt(value) * ONE) / 10_000n;

export type LedgerReserve = ReferenceReserve & {
  readonly address: Address;
  readonly fields: Reserve;
  /** In lamports. */
  readonly available: Decimal50;
  readonly protocolFees: Decimal50;
  readonly used: Decimal50;
  readonly supplyApr: Decimal50;
  readonly mint: Address;
};

/** A reserve at a time, accrued to its slot (MATH 2 to 5). */
function reserveThen(ledger: AccountLedger, address: Address, at: LedgerTime): LedgerReserve {
  const fields = ledger.get(layout, address, at);
  const { liquidity, config, collateral } = fields;
  const { referralFeeBps } = ledger.get(lendingMarket, fields.lendingMarket, at);
  const accrued = accrue(fields, at.slot, referralFeeBps);
  const { debt, protocolFees, otherFees, cumulative } = accrued;
  const supply = liquidity.totalAvailableAmount * ONE + debt - protocolFees - otherFees;
  const used = supply === 0n ? 0n : (debt * ONE) / supply;
  const rate = curve(config, used);
  const host = bps(config.hostFixedInterestRateBps);
  const take = toDecimal50(BigInt(config.protocolTakeRatePct), 100n);
  const wide = (value: bigint): Decimal50 => toDecimal50(value, ONE);
  const supplyApr = multiply(
    multiply(multiply(wide(used), wide(rate)), SLOT_ADJUSTMENT),
    WIDE_ONE - take,
  );
  const { mintTotalSupply } = collateral;
  return {
    address,
    fields,
    config,
    mint: liquidity.mintPubkey,
    supply: wide(supply),
    debt: wide(debt),
    available: toDecimal50(liquidity.totalAvailableAmount),
    protocolFees: wide(protocolFees),
    used: wide(used),
    supplyApr,
    supplyApy: apyFromApr(supplyApr),
    borrowApy: apyFromApr(multiply(wide(rate + host), SLOT_ADJUSTMENT)),
    price: priceOf(ledger, fields, at),
    perCToken: mintTotalSupply === 0n || supply === 0n ? WIDE_ONE : wide(supply) / mintTotalSupply,
    cumulative: wide(cumulative),
    lamportsPerToken: 10n ** liquidity.mintDecimals,
  };
}

export const apyFromApr = (apr: Decimal50): Decimal50 =>
  power(WIDE_ONE + apr / SLOTS_PER_YEAR, SLOTS_PER_YEAR) - WIDE_ONE;

function accrue({ liquidity, config, lastUpdate }: Reserve, slot: bigint, referralFeeBps: number) {
  const elapsed = slot - lastUpdate.slot;
  const { borrowedAmountSf: before, cumulativeBorrowRateBsf: index } = liquidity;
  const oldFees =
    liquidity.accumulatedProtocolFeesSf +
    liquidity.accumulatedReferrerFeesSf +
    liquidity.pendingReferrerFeesSf;
  const oldSupply = liquidity.totalAvailableAmount * ONE + before - oldFees;
  const rate = curve(config, oldSupply === 0n ? 0n : (before * ONE) / oldSupply);
  const host = bps(config.hostFixedInterestRateBps);
  const growth = compounded(rate + host, elapsed);
  const debt = mul(before, growth);
  const fixedFee = mul(before, compounded(host, elapsed)) - before;
  const net = debt - before - fixedFee;
  const take = (BigInt(config.protocolTakeRatePct) * ONE) / 100n;
  const referred = mul(net, mul(take, bps(referralFeeBps)));
  return {
    debt,
    cumulative: mul(index.value, growth),
    protocolFees: liquidity.accumulatedProtocolFeesSf + fixedFee + mul(net, take) - referred,
    otherFees: liquidity.accumulatedReferrerFeesSf + liquidity.pendingReferrerFeesSf + referred,
  };
}

/** MATH 4: exact powers up to four slots, then three terms of the series, each rounded before multiplication. */
function compounded(rate: bigint, slots: bigint): bigint {
  const base = rate / SLOTS_PER_YEAR;
  const one = ONE + base;
  if (slots === 0n) return ONE;
  if (slots === 1n) return one;
  if (slots === 2n) return mul(one, one);
  if (slots === 3n) return mul(mul(one, one), one);
  if (slots === 4n) return mul(mul(one, one), mul(one, one));
  const squared = mul(base, base);
  const cubed = mul(squared, base);
  const second = (squared * slots * (slots - 1n)) / 2n;
  return ONE + base * slots + second + (cubed * slots * (slots - 1n) * (slots - 2n)) / 6n;
}

/** MATH 3: linear between two points, constant within half a basis point of each. */
function curve({ borrowRateCurve }: Reserve['config'], utilization: bigint): bigint {
  const used = utilization > ONE ? ONE : utilization;
  const rounded = (used * 10_000n + ONE / 2n) / ONE;
  const { points } = borrowRateCurve;
  for (const [i, to] of points.entries()) {
    const from = points[i - 1];
    if (from === undefined) continue;
    const [x0, x1] = [BigInt(from.utilizationRateBps), BigInt(to.utilizationRateBps)];
    if (rounded < x0 || rounded > x1) continue;
    if (rounded === x0) return bps(from.borrowRateBps);
    if (rounded === x1) return bps(to.borrowRateBps);
    const rise = BigInt(to.borrowRateBps - from.borrowRateBps);
    return ((used - bps(from.utilizationRateBps)) * rise) / (x1 - x0) + bps(from.borrowRateBps);
  }
  throw new Error('beyond the curve');
}

/** MATH 13: the product of the price chain. */
function priceOf(ledger: AccountLedger, { config }: Reserve, at: LedgerTime): Decimal50 {
  const { priceFeed, priceChain } = config.tokenInfo.scopeConfiguration;
  const { prices } = ledger.get(oraclePrices, priceFeed, at);
  let product = WIDE_ONE;
  for (const index of priceChain) {
    if (index >= prices.length) break;
    const entry = prices[index];
    if (entry !== undefined)
      product = multiply(product, toDecimal50(entry.price.value, 10n ** entry.price.exp));
  }
  return product;
}

/** All reserves at a time by address, cached. */
export class LedgerReserves {
  readonly #ledger: AccountLedger;
  readonly #cache = new Map<bigint, ReadonlyMap<Address, LedgerReserve>>();

  constructor(ledger: AccountLedger) {
    this.#ledger = ledger;
  }

  at(time: LedgerTime): ReadonlyMap<Address, LedgerReserve> {
    const known = this.#cache.get(time.slot);
    if (known !== undefined) return known;
    const reserves = new Map(
      this.#ledger
        .all(layout, time)
        .map(({ address }) => [address, reserveThen(this.#ledger, address, time)]),
    );
    this.#cache.set(time.slot, reserves);
    return reserves;
  }

  /** USD per whole token. */
  price(mint: string, time: LedgerTime): Decimal50 {
    for (const reserve of this.at(time).values()) {
      if (reserve.mint === mint && reserve.price > 0n) return reserve.price;
    }
    return 0n;
  }

  solPrice(time: LedgerTime): Decimal50 {
    return this.price('So11111111111111111111111111111111111111112', time);
  }
}
