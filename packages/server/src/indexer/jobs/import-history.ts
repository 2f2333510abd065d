import {
  type Address,
  ONE_SF,
  parseAddress,
  parseDecimal,
  type Ratio,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import type { SeriesPoint } from '../../history/schema/series-tables.ts';
import type { HistoryWriter } from '../../history/writing/history-writer.ts';

export type HistoryImportOptions = {
  /** Fetches JSON from another instance; `path` includes the query string. */
  readonly getJson: (path: string) => Promise<unknown>;
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

/** The range of a request. Every instance serves this much in one response. */
const RANGE_SECONDS = 30n * 86_400n;

/** Responses contain no slots. Any local sample replaces a point with slot 0. */
const UNKNOWN_SLOT = toSlot(0n);

type Fields = Readonly<Record<string, unknown>>;
type ReserveOfMint = {
  readonly market: Address;
  readonly reserve: Address;
  readonly mint: Address;
};

/**
 * Copies market points and token prices from another instance, to the precision of its responses. Skips reserve and
 * vault points, because responses do not contain all of their fields.
 */
export async function importHistory(options: HistoryImportOptions): Promise<HistoryImportReport> {
  const { getJson, env, onProgress } = options;
  const markets = parseList(await getJson('/v2/svc-market')).map((market) =>
    parseAddressField(market['lendingMarket']),
  );
  const reserves = new Map<Address, ReserveOfMint>();
  for (const market of markets) {
    const path = `/svc-market/${market}/reserves/metrics?env=${env}`;
    for (const metrics of parseList(await getJson(path))) {
      const mint = parseAddressField(metrics['liquidityTokenMint']);
      const reserve = parseAddressField(metrics['reserve']);
      if (!reserves.has(mint)) reserves.set(mint, { market, reserve, mint });
    }
  }
  const total = markets.length + reserves.size;
  const counts = { marketPoints: 0, pricePoints: 0 };
  for (const [index, market] of markets.entries()) {
    counts.marketPoints += await copy(options, (range) => readMarket(options, market, range));
    onProgress?.(index + 1, total);
  }
  for (const [index, reserve] of [...reserves.values()].entries()) {
    counts.pricePoints += await copy(options, (range) => readPrices(options, reserve, range));
    onProgress?.(markets.length + index + 1, total);
  }
  return { markets: markets.length, mints: reserves.size, ...counts };
}

/** Copies range by range. Returns the number of points. */
async function copy(
  { from, to, writer }: HistoryImportOptions,
  read: (range: string) => Promise<readonly SeriesPoint[]>,
): Promise<number> {
  let count = 0;
  for (let start: bigint = from; start < to; start += RANGE_SECONDS) {
    const end = start + RANGE_SECONDS < to ? start + RANGE_SECONDS : to;
    const points = await read(`start=${toIso(start)}&end=${toIso(end)}`);
    await writer.append({ points });
    count += points.length;
  }
  return count;
}

async function readMarket(
  { getJson, env }: HistoryImportOptions,
  market: Address,
  range: string,
): Promise<readonly SeriesPoint[]> {
  const path = `/svc-market/${market}/metrics/history?env=${env}&${range}`;
  return parseList(await getJson(path)).map((point): SeriesPoint => {
    const metrics = parseObject(point['metrics']);
    return {
      kind: 'market',
      resolution: 'hour',
      subject: market,
      slot: UNKNOWN_SLOT,
      at: parseTimeField(point['timestamp']),
      depositTvl: parseDecimalField(metrics['depositTVL']),
      borrowTvl: parseDecimalField(metrics['borrowTVL']),
      obligations: parseIntegerField(metrics['obligations']),
    };
  });
}

async function readPrices(
  { getJson, env }: HistoryImportOptions,
  { market, reserve, mint }: ReserveOfMint,
  range: string,
): Promise<readonly SeriesPoint[]> {
  const path = `/svc-market/${market}/reserves/${reserve}/metrics/history?env=${env}&frequency=hour&${range}`;
  const { history } = parseObject(await getJson(path));
  return parseList(history).map((point): SeriesPoint => {
    const price = parseDecimalField(parseObject(point['metrics'])['assetOraclePriceUSD']);
    return {
      kind: 'price',
      resolution: 'hour',
      subject: mint,
      slot: UNKNOWN_SLOT,
      at: parseTimeField(point['timestamp']),
      priceSf: (price.numerator * ONE_SF) / price.denominator,
    };
  });
}

const toIso = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString();

function parseObject(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw malformed('it lacks an object');
}

function parseList(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) throw malformed('it lacks an array');
  return value.map(parseObject);
}

function parseAddressField(value: unknown): Address {
  const address = typeof value === 'string' ? parseAddress(value) : undefined;
  if (address === undefined) throw malformed('it lacks an address');
  return address;
}

/** Accepts a string or a number, and keeps all digits of a number. Rejects negative values. */
function parseDecimalField(value: unknown): Ratio {
  const text = typeof value === 'number' ? value.toLocaleString('en', ALL_DIGITS) : value;
  if (typeof text !== 'string') throw malformed('it lacks a decimal');
  const decimal = parseDecimal(text);
  if (decimal.numerator < 0n) throw malformed('it contains a negative value');
  return decimal;
}

const ALL_DIGITS = { useGrouping: false, maximumSignificantDigits: 17 } as const;

function parseIntegerField(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw malformed('it lacks an integer');
}

function parseTimeField(value: unknown): UnixSeconds {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw malformed('it lacks a time');
  return toUnixSeconds(BigInt(Math.floor(ms / 1000)));
}

const malformed = (reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'response of the other instance', reason });
