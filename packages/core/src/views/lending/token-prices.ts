import type { Address } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import { hasCode } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import type { UnixSeconds } from '../../base/time.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { chainPrice } from '../../protocol/scope/math/price-chain.ts';
import type { Placed } from './market-snapshot.ts';
import { type PriceFeeds, reservePrice } from './reserve-price.ts';

/** Where prices and tickers come from: reserves, those that are trusted most first. */
export type TokenPriceSource = {
  readonly reserves: () => Iterable<Placed<ReserveView>>;
  readonly prices: PriceFeeds;
};

/** What the lending markets say of a token. */
type TokenNow = {
  readonly symbol: string;
  /** USD for a whole token; undefined where no reserve has one. */
  readonly price: Ratio | undefined;
};

export type TokenLookup = (mint: Address) => TokenNow | undefined;

/** Tokens by mint. The reserves are walked once, when the first one is asked for; a price is made when asked for. */
export function createTokenLookup({ reserves, prices }: TokenPriceSource): TokenLookup {
  let byMint: Map<Address, Placed<ReserveView>[]> | undefined;
  const made = new Map<Address, TokenNow | undefined>();
  return (mint) => {
    byMint ??= groupByMint(reserves());
    if (!made.has(mint)) made.set(mint, tokenOf(byMint.get(mint) ?? [], prices));
    return made.get(mint);
  };
}

export type TokenOraclePrice = {
  readonly mint: Address;
  readonly symbol: string;
  readonly price: Ratio;
  readonly unix: UnixSeconds;
  /** How old the lending program lets it be. */
  readonly maxAgeSeconds: bigint;
};

/** One for each reserve that has a price, in their order. */
export function viewTokenOraclePrices(
  reserves: readonly Placed<ReserveView>[],
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

/** USD for a whole token; undefined for a price of nothing, and for one that the lending program stops at. */
function priceOf(reserve: ReserveView, feeds: PriceFeeds): Ratio | undefined {
  try {
    const { exactPrice } = reservePrice(reserve, feeds);
    return exactPrice.numerator === 0n ? undefined : exactPrice;
  } catch (error) {
    if (hasCode(error, 'MATH_OVERFLOW')) return undefined;
    throw error;
  }
}

/** Of the oracle's price and the stored one the newer counts. */
function priceTime({ config, liquidity }: ReserveView, feeds: PriceFeeds): UnixSeconds {
  const { priceFeed, priceChain } = config.tokenInfo.scopeConfiguration;
  const entries = feeds(priceFeed);
  const told = entries === undefined ? undefined : chainPrice(entries, priceChain);
  const stored = liquidity.marketPriceLastUpdatedTs;
  return told !== undefined && told.unix >= stored ? told.unix : stored;
}

function tokenOf(
  reserves: readonly Placed<ReserveView>[],
  feeds: PriceFeeds,
): TokenNow | undefined {
  const [first] = reserves;
  if (first === undefined) return undefined;
  const symbol = bytesToText(first.fields.config.tokenInfo.name);
  for (const { fields } of reserves) {
    const price = priceOf(fields, feeds);
    if (price !== undefined) return { symbol, price };
  }
  return { symbol, price: undefined };
}

function groupByMint(reserves: Iterable<Placed<ReserveView>>): Map<Address, Placed<ReserveView>[]> {
  const byMint = new Map<Address, Placed<ReserveView>[]>();
  for (const reserve of reserves) {
    const mint = reserve.fields.liquidity.mintPubkey;
    const known = byMint.get(mint);
    if (known === undefined) byMint.set(mint, [reserve]);
    else known.push(reserve);
  }
  return byMint;
}
