import type { Address } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import type { ChainTime, Slot, UnixSeconds } from '../../base/time.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { LendingRules } from '../../protocol/klend/lending-rules.ts';
import type { ProgramRules } from '../../protocol/releases/program-rules.ts';
import type { ListedReserve, MarketTier } from './listed-markets.ts';
import type { AddressedAccount } from './market-snapshot.ts';
import {
  isStalePrice,
  type PriceAge,
  type PriceFeeds,
  type PriceSource,
  reservePrice,
  secondsSince,
} from './reserve-price.ts';

/** The price of a token in USD per whole token, and where it comes from. */
export type TokenPrice = PriceAge & {
  /** The ticker in the reserve. */
  readonly symbol: string;
  readonly price: Ratio;
  readonly market: Address;
  readonly reserve: Address;
  readonly source: PriceSource;
  readonly unix: UnixSeconds;
};

/** The price of a reserve; undefined if it is zero or cannot be computed. */
export function viewReserveTokenPrice(
  { address, fields }: AddressedAccount<ReserveView>,
  { prices, at: { unix: now }, rules }: CurrentPrices,
): TokenPrice | undefined {
  const { liquidity, config, lendingMarket } = fields;
  const found = reservePriceOrUndefined(fields, prices, rules);
  if (found === undefined || found.price === 0n) return undefined;
  return {
    mint: liquidity.mintPubkey,
    symbol: bytesToText(config.tokenInfo.name),
    price: found.exactPrice,
    market: lendingMarket,
    reserve: address,
    source: found.priceSource,
    unix: found.priceUnix,
    ageSeconds: secondsSince(found.priceUnix, now),
    maxAgeSeconds: config.tokenInfo.maxAgePriceSeconds,
  };
}

function reservePriceOrUndefined(...input: Parameters<typeof reservePrice>) {
  try {
    return reservePrice(...input);
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}

/** A price that can become the price of its token. */
type PriceCandidate = { readonly quote: TokenPrice; readonly tier: MarketTier };

/**
 * The price of a token: of the prices that are not older than their own limit the newest, or the
 * newest of all if each is too old. Among equally old ones the market decides: primary before
 * curated before other listed markets, then the lower address.
 */
function choosePrice(candidates: Iterable<PriceCandidate>): TokenPrice | undefined {
  let best: PriceCandidate | undefined;
  for (const candidate of candidates) {
    if (best === undefined || compareCandidates(candidate, best) < 0) best = candidate;
  }
  return best?.quote;
}

function compareCandidates(
  { quote: a, tier: tierA }: PriceCandidate,
  { quote: b, tier: tierB }: PriceCandidate,
): number {
  return (
    Number(isStalePrice(a)) - Number(isStalePrice(b)) ||
    Number(a.ageSeconds - b.ageSeconds) ||
    tierA - tierB ||
    compareAddresses(a.market, b.market) ||
    compareAddresses(a.reserve, b.reserve)
  );
}

function compareAddresses(a: Address, b: Address): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

type CurrentPrices = {
  readonly prices: PriceFeeds;
  readonly at: ChainTime;
  /** The rules of the slot. */
  readonly rules: Pick<LendingRules, 'zeroPrice'>;
};

export type TokenPriceSource = CurrentPrices & {
  /** The reserves that provide prices and tickers, most trusted first. */
  readonly listedReserves: () => Iterable<ListedReserve>;
};

type PricedCluster = {
  at(): ChainTime;
  prices(feed: Address): ReturnType<PriceFeeds>;
  rulesAt(slot: Slot): Pick<ProgramRules, 'lending'>;
};

/** The present prices of a cluster, under the rules of its slot. */
export function currentPrices(cluster: PricedCluster): CurrentPrices {
  const at = cluster.at();
  const rules = cluster.rulesAt(at.slot).lending;
  return { prices: (feed) => cluster.prices(feed), at, rules };
}

/** The ticker and price of a token in the listed markets. */
type TokenInfo = {
  readonly symbol: string;
  /** USD per whole token; undefined if no listed reserve has a price. */
  readonly price: Ratio | undefined;
  /** The price with its origin and age. */
  readonly quote: TokenPrice | undefined;
};

export type TokenLookup = (mint: Address) => TokenInfo | undefined;

/**
 * Looks up tokens by mint. Reads the reserves on the first call, and computes a price on demand.
 */
export function createTokenLookup({ listedReserves, ...source }: TokenPriceSource): TokenLookup {
  let byMint: ReadonlyMap<Address, readonly ListedReserve[]> | undefined;
  const cache = new Map<Address, TokenInfo | undefined>();
  return (mint) => {
    byMint ??= groupByMint(listedReserves());
    if (!cache.has(mint)) {
      const reserves = byMint.get(mint) ?? [];
      const symbol = reserves[0] && bytesToText(reserves[0].fields.config.tokenInfo.name);
      const quote = choosePrice(candidatesOf(reserves, source));
      cache.set(mint, symbol === undefined ? undefined : { symbol, price: quote?.price, quote });
    }
    return cache.get(mint);
  };
}

/** The chosen price of each token that has one, in the order of the reserves. */
export function choosePricePerMint({
  listedReserves,
  ...source
}: TokenPriceSource): readonly TokenPrice[] {
  return [...groupByMint(listedReserves()).values()].flatMap(
    (reserves) => choosePrice(candidatesOf(reserves, source)) ?? [],
  );
}

function candidatesOf(reserves: readonly ListedReserve[], source: CurrentPrices): PriceCandidate[] {
  return reserves.flatMap((reserve) => {
    const quote = viewReserveTokenPrice(reserve, source);
    return quote === undefined ? [] : { quote, tier: reserve.tier };
  });
}

function groupByMint(
  reserves: Iterable<ListedReserve>,
): ReadonlyMap<Address, readonly ListedReserve[]> {
  const byMint = new Map<Address, ListedReserve[]>();
  for (const reserve of reserves) {
    const mint = reserve.fields.liquidity.mintPubkey;
    const known = byMint.get(mint);
    if (known === undefined) byMint.set(mint, [reserve]);
    else known.push(reserve);
  }
  return byMint;
}
