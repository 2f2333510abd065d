import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { parseDecimal, type Ratio } from '#core/base/numbers/decimal.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import type { LendingRules } from '#core/protocol/klend/lending-rules.ts';
import type { LendingContext } from '#core/protocol/klend/operations/position.ts';
import { refreshReserve } from '#core/protocol/klend/operations/refresh/refresh-reserve.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { chainPrice } from '#core/protocol/scope/math/price-chain.ts';
import { goldenCluster } from './golden.ts';

/** The lending accounts of the golden cluster, stored and with all reserves refreshed at its slot. */
export function goldenLending(rules: LendingRules) {
  const { at, accounts } = goldenCluster();
  const markets = new Map(
    [...accounts]
      .filter(([, a]) => lendingMarket.matches(a))
      .map(([key, a]) => [key, lendingMarket.decode(a)]),
  );
  const feeds = new Map(
    [...accounts]
      .filter(([, a]) => oraclePrices.matches(a))
      .map(([key, a]) => [key, oraclePrices.view(a)]),
  );
  const stored = new Map<Address, Reserve>();
  const refreshed = new Map<Address, Reserve>();
  const obligations = new Map<Address, Obligation>();
  const termsOf = (market: Address): LendingContext => {
    const found = markets.get(market);
    if (found === undefined) throw new Error(`no market ${market}`);
    return { market: found, time: at, rules };
  };
  for (const [key, account] of accounts) {
    if (obligation.matches(account)) obligations.set(key, obligation.decode(account));
    if (!reserve.matches(account)) continue;
    const decoded = reserve.decode(account);
    const { priceFeed, priceChain, twapChain } = decoded.config.tokenInfo.scopeConfiguration;
    const prices = feeds.get(priceFeed)?.prices;
    if (prices === undefined) throw new Error(`no feed ${priceFeed}`);
    stored.set(key, decoded);
    const oracle = { price: chainPrice(prices, priceChain), twap: chainPrice(prices, twapChain) };
    refreshed.set(key, refreshReserve(decoded, termsOf(decoded.lendingMarket), oracle));
  }
  return { at, stored, refreshed, obligations, termsOf };
}

/** Parses a string or number of the SDK to an exact ratio. */
export function parseRatio(value: string | number): Ratio {
  const text = typeof value === 'number' ? plain(value) : value;
  return parseDecimal(text);
}

/** The error of `a` relative to `b`, or the absolute error if `b` is zero. */
export function relativeError(a: Ratio, b: Ratio): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  const scale = b.numerator === 0n ? a.denominator * b.denominator : b.numerator * a.denominator;
  return Math.abs(Number((difference * 10n ** 30n) / scale) / 1e30);
}

/** Formats doubles without an exponent, which they have below 1e-6. */
const plain = (value: number): string =>
  value.toString().includes('e') ? value.toFixed(30).replace(/0+$/, '') : value.toString();

export const addressOf = (text: string): Address => toAddress(text);
