import type { Address } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import { hasCode } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import type { UnixSeconds } from '../../base/time.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { chainPrice } from '../../protocol/scope/math/price-chain.ts';
import type { AddressedAccount } from './market-snapshot.ts';
import { type PriceFeeds, reservePrice } from './reserve-price.ts';

/** The reserves that provide prices and tickers, most trusted first. */
export type TokenPriceSource = {
  readonly reserves: () => Iterable<AddressedAccount<ReserveView>>;
  readonly prices: PriceFeeds;
};

/** The ticker and price of a token in the lending markets. */
type TokenInfo = {
  readonly symbol: string;
  /** USD per whole token; undefined if no reserve has a price. */
  readonly price: Ratio | undefined;
};

export type TokenLookup = (mint: Address) => TokenInfo | undefined;

/**
 * Looks up tokens by mint. Reads the reserves on the first call, and computes a price on demand.
 */
export function createTokenLookup({ reserves, prices }: TokenPriceSource): TokenLookup {
  let byMint: Map<Address, AddressedAccount<ReserveView>[]> | undefined;
  const cache = new Map<Address, TokenInfo | undefined>();
  return (mint) => {
    byMint ??= groupByMint(reserves());
    if (!cache.has(mint)) cache.set(mint, tokenOf(byMint.get(mint) ?? [], prices));
    return cache.get(mint);
  };
}

export type TokenOraclePrice = {
  readonly mint: Address;
  readonly symbol: string;
  readonly price: Ratio;
  readonly unix: UnixSeconds;
  /** The maximum age that the lending program accepts. */
  readonly maxAgeSeconds: bigint;
};

/** One price per reserve that has one, in order. */
export function viewTokenOraclePrices(
  reserves: readonly AddressedAccount<ReserveView>[],
  feeds: PriceFeeds,
): readonly TokenOraclePrice[] {
  return reserves.flatMap(({ fields }) => {
    const price = priceOf(fields, feeds);
    if (price === undefined) return [];
    const { tokenInfo } = fields.config;
    return {
      mint: fields.liquidity.mintPubkey,
      symbol: bytesToText(tokenInfo.name),
      price,
      unix: priceTime(fields, feeds),
      maxAgeSeconds: tokenInfo.maxAgePriceSeconds,
    };
  });
}

/** The first price of each mint. */
export function firstPricePerMint(
  prices: readonly TokenOraclePrice[],
): readonly TokenOraclePrice[] {
  const byMint = new Map<Address, TokenOraclePrice>();
  for (const price of prices) if (!byMint.has(price.mint)) byMint.set(price.mint, price);
  return [...byMint.values()];
}

/**
 * USD per whole token; undefined for a zero price, and for one that overflows in the lending
 * program.
 */
function priceOf(reserve: ReserveView, feeds: PriceFeeds): Ratio | undefined {
  try {
    const { exactPrice } = reservePrice(reserve, feeds);
    return exactPrice.numerator === 0n ? undefined : exactPrice;
  } catch (error) {
    if (hasCode(error, 'MATH_OVERFLOW')) return undefined;
    throw error;
  }
}

/** The newer of the oracle and the stored price. */
function priceTime({ config, liquidity }: ReserveView, feeds: PriceFeeds): UnixSeconds {
  const { priceFeed, priceChain } = config.tokenInfo.scopeConfiguration;
  const entries = feeds(priceFeed);
  const oracle = entries === undefined ? undefined : chainPrice(entries, priceChain);
  const stored = liquidity.marketPriceLastUpdatedTs;
  return oracle !== undefined && oracle.unix >= stored ? oracle.unix : stored;
}

function tokenOf(
  reserves: readonly AddressedAccount<ReserveView>[],
  feeds: PriceFeeds,
): TokenInfo | undefined {
  const [first] = reserves;
  if (first === undefined) return undefined;
  const symbol = bytesToText(first.fields.config.tokenInfo.name);
  for (const { fields } of reserves) {
    const price = priceOf(fields, feeds);
    if (price !== undefined) return { symbol, price };
  }
  return { symbol, price: undefined };
}

function groupByMint(
  reserves: Iterable<AddressedAccount<ReserveView>>,
): Map<Address, AddressedAccount<ReserveView>[]> {
  const byMint = new Map<Address, AddressedAccount<ReserveView>[]>();
  for (const reserve of reserves) {
    const mint = reserve.fields.liquidity.mintPubkey;
    const known = byMint.get(mint);
    if (known === undefined) byMint.set(mint, [reserve]);
    else known.push(reserve);
  }
  return byMint;
}
