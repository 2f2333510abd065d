import type { Address } from '@tidegate/core/base';
import { configurationAddress } from '@tidegate/core/protocol/scope';
import {
  configuration,
  type DatedPrice,
  oracleMappings,
  oraclePrices,
  oracleTwaps,
  tokenMetadatas,
} from '@tidegate/core/protocol/scope/layout';
import { CodedError } from '../../errors/index.ts';
import type { Bootstrap } from '../seed/bootstrap.ts';
import { historicalPrice, isStablecoin, marketRate } from '../seed/price-history.ts';
import type { SeededKeys } from '../seed/seeded-keys.ts';
import type { SeededRandom } from '../seed/seeded-random.ts';
import { TOKEN_SYMBOLS, type TokenSymbol } from '../specs/token-specs.ts';
import { emptyAccount, paddedText } from './empty-account.ts';
import {
  isMarketPriced,
  isStakePoolToken,
  SPL_STAKE_PRICE_TYPE,
  STAKE_RATE_EXPONENT,
  type StakedSymbol,
  stakePoolAddress,
  stakeRateValue,
} from './stake-pools.ts';

const FEED = 'localnet';
const NONE = 65535;
const ENTRIES = 512;
/** Decimals of a USD price. */
const USD_EXP = 8n;
const MAX_AGE_SLOTS = 300n;
/** Oracle type of the other prices. */
const PYTH_PULL = 21;

/** USD per whole token, times 10^8. A staked token has a price or a rate in SOL instead. */
const PRICES = {
  SOL: 16_842_000_000n,
  USDC: 99_985_000n,
  USDT: 100_018_000n,
  PYUSD: 99_964_000n,
  cbBTC: 10_451_200_000_000n,
  JLP: 491_300_000n,
  wETH: 342_870_000_000n,
  KMNO: 5_520_000n,
} as const;

/** Price at the end of the simulation, in USD times 10^8. */
type EndPrice = { readonly symbol: TokenSymbol; readonly value: bigint };

/** The cluster's price feed: one entry per token, in token order, shared by all reserves. */
export type Oracle = {
  readonly prices: Address;
  /** Tokens with a USD price by their index in the feed: all except stake pool tokens. */
  readonly usdPrices: ReadonlyMap<number, EndPrice>;
  /** Stake pool tokens with a market price in SOL, by their index in the feed. */
  readonly marketRates: ReadonlyMap<
    number,
    { readonly symbol: StakedSymbol; readonly pool: Address }
  >;
  priceChain(symbol: TokenSymbol): readonly number[];
  /** Prices at genesis. */
  initialPrices(bootstrap: Bootstrap): readonly DatedPrice[];
};

export const oraclePricesAddress = (keys: SeededKeys): Address => keys('oracle prices');

/** The listed prices, shifted by up to two percent by the seed; stablecoins stay. */
export function createOracle(keys: SeededKeys, random: SeededRandom): Oracle {
  const usdPrices = new Map(
    TOKEN_SYMBOLS.flatMap((symbol, index) =>
      isStakePoolToken(symbol)
        ? []
        : [[index, { symbol, value: endValue(symbol, random) }] as const],
    ),
  );
  return {
    prices: oraclePricesAddress(keys),
    usdPrices,
    marketRates: new Map(
      TOKEN_SYMBOLS.flatMap((symbol, index) =>
        isStakePoolToken(symbol) && isMarketPriced(symbol)
          ? [[index, { symbol, pool: stakePoolAddress(keys, symbol) }] as const]
          : [],
      ),
    ),
    priceChain: (symbol) => {
      const chain = isStakePoolToken(symbol)
        ? [indexOf(symbol), indexOf('SOL')]
        : [indexOf(symbol)];
      return [...chain, NONE, NONE, NONE].slice(0, 4);
    },
    initialPrices: (bootstrap) =>
      emptyAccount(oraclePrices.body).prices.map((unused, index) => {
        const price = initialPrice(usdPrices, index, bootstrap);
        const { slot: lastUpdatedSlot, unix: unixTimestamp } = bootstrap.startTime;
        return price === undefined ? unused : { ...unused, price, lastUpdatedSlot, unixTimestamp };
      }),
  };
}

function initialPrice(
  priced: Oracle['usdPrices'],
  index: number,
  { seed, days }: Bootstrap,
): DatedPrice['price'] | undefined {
  const symbol = TOKEN_SYMBOLS[index];
  if (symbol === undefined) return undefined;
  const minutes = BigInt(days) * 1_440n;
  if (isStakePoolToken(symbol)) {
    const value = marketRate({ symbol, poolRate: stakeRateValue({ symbol, days }), days }, minutes);
    return { value, exp: STAKE_RATE_EXPONENT };
  }
  const value = priced.get(index)?.value ?? 0n;
  return { value: historicalPrice({ symbol, value, seed, days }, minutes), exp: USD_EXP };
}

/** Index of a token's entry in the feed. */
function indexOf(symbol: TokenSymbol): number {
  const index = TOKEN_SYMBOLS.indexOf(symbol);
  if (index >= 0) return index;
  throw new CodedError('MALFORMED_DATA', { what: 'token list', reason: `${symbol} is missing` });
}

/** Accounts of the feed by address. */
export function oracleAccounts(
  keys: SeededKeys,
  prices: readonly DatedPrice[],
): ReadonlyMap<Address, Uint8Array> {
  const addresses = {
    oraclePrices: oraclePricesAddress(keys),
    oracleMappings: keys('oracle mappings'),
    tokensMetadata: keys('oracle metadata'),
    oracleTwaps: keys('oracle twaps'),
  };
  const { oracleMappings: mappings } = addresses;
  const config = { ...emptyAccount(configuration.body), ...addresses, admin: keys('admin') };
  const twaps = { ...emptyAccount(oracleTwaps.body), ...addresses };
  return new Map([
    [configurationAddress(FEED), configuration.encode(config)],
    [addresses.oraclePrices, oraclePrices.encode({ oracleMappings: mappings, prices })],
    [mappings, encodeMappings(keys)],
    [addresses.tokensMetadata, encodeMetadatas()],
    [addresses.oracleTwaps, oracleTwaps.encode(twaps)],
  ]);
}

function endValue(symbol: keyof typeof PRICES, random: SeededRandom): bigint {
  const value = PRICES[symbol];
  return isStablecoin(symbol) ? value : (value * random.between(9_800n, 10_200n)) / 10_000n;
}

function encodeMappings(keys: SeededKeys): Uint8Array {
  const none = Array.from({ length: ENTRIES }, () => NONE);
  const empty = emptyAccount(oracleMappings.body);
  const priceTypes = empty.priceTypes.slice();
  const priceInfoAccounts = empty.priceInfoAccounts.map((unused, i) => {
    const symbol = TOKEN_SYMBOLS[i];
    if (symbol === undefined) return unused;
    const isPoolRate = isStakePoolToken(symbol) && !isMarketPriced(symbol);
    priceTypes[i] = isPoolRate ? SPL_STAKE_PRICE_TYPE : PYTH_PULL;
    return isPoolRate ? stakePoolAddress(keys, symbol) : keys(`price of ${symbol}`);
  });
  const filled = { priceInfoAccounts, priceTypes, twapSource: none, refPrice: none };
  return oracleMappings.encode({ ...empty, ...filled });
}

function encodeMetadatas(): Uint8Array {
  const { metadatasArray } = emptyAccount(tokenMetadatas.body);
  return tokenMetadatas.encode({
    metadatasArray: metadatasArray.map((unused, i) => {
      const symbol = TOKEN_SYMBOLS[i];
      if (symbol === undefined) return unused;
      const name = paddedText(
        `${symbol}/${isStakePoolToken(symbol) ? 'SOL' : 'USD'}`,
        unused.name.length,
      );
      return { ...unused, name, maxAgePriceSlots: MAX_AGE_SLOTS };
    }),
  });
}
