import {
  type Address,
  CodedError,
  ONE_SF,
  parseAddress,
  parseDecimal,
  type Ratio,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { SeriesPoint } from '../../history/schema/series-tables.ts';
import type { HistoryWriter } from '../../history/writing/history-writer.ts';

export type HistoryImportOptions = {
  /** The JSON of a path, with its query, of an instance that speaks the contract. */
  readonly get: (path: string) => Promise<unknown>;
  readonly writer: Pick<HistoryWriter, 'append'>;
  readonly env: string;
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
  readonly onProgress?: (done: number, total: number) => void;
};

export type HistoryImportReport = {
  readonly markets: number;
  readonly mints: number;
  readonly marketPoints: number;
  readonly pricePoints: number;
};

/** Asked for at once: what every instance serves in one answer. */
const PIECE_SECONDS = 30n * 86_400n;

/** Nobody tells the slot of a point; with this one it gives way to any that was sampled here. */
const UNKNOWN_SLOT = toSlot(0n);

type Fields = Readonly<Record<string, unknown>>;
type Priced = { readonly market: Address; readonly reserve: Address; readonly mint: Address };

/**
 * Copies what the answers of another instance tell in full: points of markets, and prices of tokens to the digits
 * that are told. Points of reserves and vaults are made of more than answers have, and are left out.
 */
export async function importHistory(options: HistoryImportOptions): Promise<HistoryImportReport> {
  const { get, env, onProgress } = options;
  const markets = listOf(await get('/v2/svc-market')).map((market) =>
    addressOf(market['lendingMarket']),
  );
  const priced = new Map<Address, Priced>();
  for (const market of markets) {
    for (const reserve of listOf(await get(`/svc-market/${market}/reserves/metrics?env=${env}`))) {
      const mint = addressOf(reserve['liquidityTokenMint']);
      const place = { market, reserve: addressOf(reserve['reserve']), mint };
      if (!priced.has(mint)) priced.set(mint, place);
    }
  }
  const total = markets.length + priced.size;
  const counts = { marketPoints: 0, pricePoints: 0 };
  for (const [index, market] of markets.entries()) {
    counts.marketPoints += await copy(options, (range) => readMarket(options, market, range));
    onProgress?.(index + 1, total);
  }
  for (const [index, place] of [...priced.values()].entries()) {
    counts.pricePoints += await copy(options, (range) => readPrices(options, place, range));
    onProgress?.(markets.length + index + 1, total);
  }
  return { markets: markets.length, mints: priced.size, ...counts };
}

/** Piece by piece; how many points that were. */
async function copy(
  { from, to, writer }: HistoryImportOptions,
  read: (range: string) => Promise<readonly SeriesPoint[]>,
): Promise<number> {
  let count = 0;
  for (let start: bigint = from; start < to; start += PIECE_SECONDS) {
    const end = start + PIECE_SECONDS < to ? start + PIECE_SECONDS : to;
    const points = await read(`start=${isoOf(start)}&end=${isoOf(end)}`);
    await writer.append({ points });
    count += points.length;
  }
  return count;
}

async function readMarket(
  { get, env }: HistoryImportOptions,
  market: Address,
  range: string,
): Promise<readonly SeriesPoint[]> {
  const path = `/svc-market/${market}/metrics/history?env=${env}&${range}`;
  return listOf(await get(path)).map((point): SeriesPoint => {
    const metrics = fieldsOf(point['metrics']);
    return {
      ...{ kind: 'market', resolution: 'hour', subject: market, slot: UNKNOWN_SLOT },
      at: timeOf(point['timestamp']),
      depositTvl: decimalOf(metrics['depositTVL']),
      borrowTvl: decimalOf(metrics['borrowTVL']),
      obligations: wholeOf(metrics['obligations']),
    };
  });
}

async function readPrices(
  { get, env }: HistoryImportOptions,
  { market, reserve, mint }: Priced,
  range: string,
): Promise<readonly SeriesPoint[]> {
  const path = `/svc-market/${market}/reserves/${reserve}/metrics/history?env=${env}&frequency=hour&${range}`;
  const { history } = fieldsOf(await get(path));
  return listOf(history).map((point): SeriesPoint => {
    const price = decimalOf(fieldsOf(point['metrics'])['assetOraclePriceUSD']);
    return {
      ...{ kind: 'price', resolution: 'hour', subject: mint, slot: UNKNOWN_SLOT },
      at: timeOf(point['timestamp']),
      priceSf: (price.numerator * ONE_SF) / price.denominator,
    };
  });
}

const isoOf = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString();

function fieldsOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw malformed('an object is missing');
}

function listOf(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) throw malformed('a list is missing');
  return value.map(fieldsOf);
}

function addressOf(value: unknown): Address {
  const address = typeof value === 'string' ? parseAddress(value) : undefined;
  if (address === undefined) throw malformed('an address is missing');
  return address;
}

/** Of a text, or of a number to all of its digits; never below zero. */
function decimalOf(value: unknown): Ratio {
  const text = typeof value === 'number' ? value.toLocaleString('en', ALL_DIGITS) : value;
  if (typeof text !== 'string') throw malformed('a decimal is missing');
  const decimal = parseDecimal(text);
  if (decimal.numerator < 0n) throw malformed('a value is below zero');
  return decimal;
}

const ALL_DIGITS = { useGrouping: false, maximumSignificantDigits: 17 } as const;

function wholeOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw malformed('a whole number is missing');
}

function timeOf(value: unknown): UnixSeconds {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw malformed('a time is missing');
  return toUnixSeconds(BigInt(Math.floor(ms / 1000)));
}

const malformed = (reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'answer of the other instance', reason });
