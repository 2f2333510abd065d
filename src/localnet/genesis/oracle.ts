import type { Address } from '../../base/address.ts';
import { CodedError } from '../../base/errors.ts';
import type { ChainTime } from '../../base/time.ts';
import type { OracleReading } from '../../protocol/klend/operations/refresh-reserve.ts';
import { configuration } from '../../protocol/scope/layout/configuration.ts';
import { oracleMappings } from '../../protocol/scope/layout/oracle-mappings.ts';
import { type DatedPrice, oraclePrices } from '../../protocol/scope/layout/oracle-prices.ts';
import { oracleTwaps } from '../../protocol/scope/layout/oracle-twaps.ts';
import { tokenMetadatas } from '../../protocol/scope/layout/token-metadatas.ts';
import { chainPrice } from '../../protocol/scope/math/price-chain.ts';
import { configurationAddress } from '../../protocol/scope/pda.ts';
import { blank, fixedText } from './blank.ts';
import type { Dice } from './dice.ts';
import type { Keys } from './keys.ts';
import { isStaked, RATE_EXP, stakePoolAddress, stakeRateValue } from './stake-pools.ts';
import { TOKEN_SYMBOLS, type TokenSymbol } from './tokens.ts';

const FEED = 'localnet';
const NONE = 65535;
const ENTRIES = 512;
const USD_EXP = 8n;
const MAX_AGE_SLOTS = 300n;
/** Kinds of oracle: where an entry's price would come from. */
const SPL_STAKE = 5;
const PYTH_PULL = 21;

/** USD times 10^8 for a whole token. A staked token has a rate to SOL instead. */
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

/** How the prices that move stood some days before, in basis points of what they are. */
const PAST_BPS: Partial<Record<TokenSymbol, ReadonlyMap<number, bigint>>> = {
  SOL: new Map([
    [120, 9_310n],
    [90, 9_840n],
    [60, 10_390n],
    [30, 10_470n],
    [7, 10_060n],
  ]),
  cbBTC: new Map([
    [120, 9_050n],
    [90, 9_420n],
    [60, 9_700n],
    [30, 10_220n],
  ]),
  wETH: new Map([
    [120, 8_900n],
    [60, 9_600n],
    [30, 10_300n],
  ]),
};

/** Pools earn about seven percent a year: two basis points a day. */
const STAKE_BPS_PER_DAY = 2n;

type Entry = { readonly symbol: TokenSymbol; readonly value: bigint; readonly exp: bigint };

/** The cluster's prices: one entry per token in the order of the tokens, the same feed for all reserves. */
export type Oracle = {
  readonly prices: Address;
  chainOf(symbol: TokenSymbol): readonly number[];
  /** What the prices were `days` before now. */
  pricesAt(time: ChainTime, days: number): readonly DatedPrice[];
};

/** Prices as the table has them, moved by up to two percent by the seed; stablecoins stay. */
export function createOracle(keys: Keys, dice: Dice): Oracle {
  const entries = TOKEN_SYMBOLS.map((symbol) => entryOf(symbol, dice));
  return {
    prices: keys('oracle prices'),
    chainOf: (symbol) => {
      const chain = isStaked(symbol) ? [placeOf(symbol), placeOf('SOL')] : [placeOf(symbol)];
      return [...chain, NONE, NONE, NONE].slice(0, 4);
    },
    pricesAt: (time, days) =>
      blank(oraclePrices.body).prices.map((unused, i) => {
        const entry = entries[i];
        if (entry === undefined) return unused;
        const price = { value: pastValue(entry, days), exp: entry.exp };
        return { ...unused, price, lastUpdatedSlot: time.slot, unixTimestamp: time.unix };
      }),
  };
}

/** What a reserve of that token is refreshed with. No averages are kept. */
export function readingOf(prices: readonly DatedPrice[], chain: readonly number[]): OracleReading {
  return { price: chainPrice(prices, chain), twap: undefined };
}

/** The place of a token's own entry in the feed. */
function placeOf(symbol: TokenSymbol): number {
  const place = TOKEN_SYMBOLS.indexOf(symbol);
  if (place >= 0) return place;
  throw new CodedError('MALFORMED_DATA', { what: 'token list', reason: `it has no ${symbol}` });
}

/** The accounts of the feed by their addresses. */
export function oracleAccounts(
  keys: Keys,
  prices: readonly DatedPrice[],
): ReadonlyMap<Address, Uint8Array> {
  const addresses = {
    oraclePrices: keys('oracle prices'),
    oracleMappings: keys('oracle mappings'),
    tokensMetadata: keys('oracle metadata'),
    oracleTwaps: keys('oracle twaps'),
  };
  const { oracleMappings: mappings } = addresses;
  const config = { ...blank(configuration.body), ...addresses, admin: keys('admin') };
  const twaps = { ...blank(oracleTwaps.body), ...addresses };
  return new Map([
    [configurationAddress(FEED), configuration.encode(config)],
    [addresses.oraclePrices, oraclePrices.encode({ oracleMappings: mappings, prices })],
    [mappings, encodeMappings(keys)],
    [addresses.tokensMetadata, encodeMetadatas()],
    [addresses.oracleTwaps, oracleTwaps.encode(twaps)],
  ]);
}

function entryOf(symbol: TokenSymbol, dice: Dice): Entry {
  if (isStaked(symbol)) return { symbol, value: stakeRateValue(symbol), exp: RATE_EXP };
  const value = PRICES[symbol];
  const isStable = value > 90_000_000n && value < 110_000_000n;
  const moved = isStable ? value : (value * dice.between(9_800n, 10_200n)) / 10_000n;
  return { symbol, value: moved, exp: USD_EXP };
}

function pastValue({ symbol, value }: Entry, days: number): bigint {
  const bps = isStaked(symbol)
    ? 10_000n - STAKE_BPS_PER_DAY * BigInt(days)
    : (PAST_BPS[symbol]?.get(days) ?? 10_000n);
  return (value * bps) / 10_000n;
}

function encodeMappings(keys: Keys): Uint8Array {
  const none = Array.from({ length: ENTRIES }, () => NONE);
  const empty = blank(oracleMappings.body);
  const priceTypes = empty.priceTypes.slice();
  const priceInfoAccounts = empty.priceInfoAccounts.map((unused, i) => {
    const symbol = TOKEN_SYMBOLS[i];
    if (symbol === undefined) return unused;
    priceTypes[i] = isStaked(symbol) ? SPL_STAKE : PYTH_PULL;
    return isStaked(symbol) ? stakePoolAddress(keys, symbol) : keys(`price of ${symbol}`);
  });
  const filled = { priceInfoAccounts, priceTypes, twapSource: none, refPrice: none };
  return oracleMappings.encode({ ...empty, ...filled });
}

function encodeMetadatas(): Uint8Array {
  const { metadatasArray } = blank(tokenMetadatas.body);
  return tokenMetadatas.encode({
    metadatasArray: metadatasArray.map((unused, i) => {
      const symbol = TOKEN_SYMBOLS[i];
      if (symbol === undefined) return unused;
      const name = fixedText(`${symbol}/${isStaked(symbol) ? 'SOL' : 'USD'}`, unused.name.length);
      return { ...unused, name, maxAgePriceSlots: MAX_AGE_SLOTS };
    }),
  });
}
