import {
  type Address,
  bucketStart,
  isEmptyRange,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import {
  iterateUserVaultPoints,
  type UserVaultPoint as Point,
  type UserSharesChange,
  viewUserEarnPoint,
} from '@tidegate/core/views/series';
import { totalShares } from '@tidegate/core/views/vaults';
import type { Static } from 'typebox';
import { readEventPages } from '../../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { readVaultHoldings } from '../../../history/queries/vault-holdings.ts';
import { readHourlyVaultEarnings } from '../../../history/queries/vault-series.ts';
import type { StateRow } from '../../../history/schema/event-tables.ts';
import { bucketSeconds } from '../../../history/schema/series-tables.ts';
import { userEarnPointJson, userVaultPointJson } from './json.ts';
import type { UserEarnTotalsPoint, UserVaultPoint } from './schema.ts';

export type UserVaultHistoryQuery = {
  readonly wallet: Address;
  readonly frequency: 'hour' | 'day';
  /** Limits the timestamps of the points. */
  readonly range: TimeRange;
};

/** Points by timestamp, ascending. */
type PointsByTime = ReadonlyMap<UnixSeconds, Point>;

export async function readUserVaultHistory(
  history: HistoryReader,
  vault: Address,
  query: UserVaultHistoryQuery,
): Promise<Static<typeof UserVaultPoint>[]> {
  const { wallet, range } = query;
  if (isEmptyRange(range)) return [];
  const holdings = await readVaultHoldings(history, { wallet, vault }, range.end);
  const rates = await readTradeRates(history, query);
  const points = await readPoints(history, toChanges(holdings, rates), { ...query, vault });
  return [...points].map(([at, point]) => userVaultPointJson(at, point));
}

/** Totals of all vaults of a wallet. */
export async function readUserEarnHistory(
  history: HistoryReader,
  query: UserVaultHistoryQuery,
): Promise<Static<typeof UserEarnTotalsPoint>[]> {
  const { wallet, range } = query;
  if (isEmptyRange(range)) return [];
  const holdings = await readVaultHoldings(history, { wallet }, range.end);
  const rates = await readTradeRates(history, query);
  const pointsByTime = new Map<UnixSeconds, Point[]>();
  for (const vault of new Set(holdings.map((holding) => holding.vault))) {
    const vaultHoldings = holdings.filter((holding) => holding.vault === vault);
    const changes = toChanges(vaultHoldings, rates);
    for (const [at, point] of await readPoints(history, changes, { ...query, vault })) {
      const points = pointsByTime.get(at);
      if (points === undefined) pointsByTime.set(at, [point]);
      else points.push(point);
    }
  }
  return [...pointsByTime]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([at, points]) => userEarnPointJson(at, viewUserEarnPoint(points)));
}

type TradeRates = ReadonlyMap<string, UserSharesChange['tokensPerShare']>;

const rateKey = (vault: Address, slot: bigint): string => `${vault} ${slot}`;

/** Tokens per share at each trade of the wallet. */
async function readTradeRates(
  history: HistoryReader,
  { wallet, range }: UserVaultHistoryQuery,
): Promise<TradeRates> {
  const rates = new Map<string, UserSharesChange['tokensPerShare']>();
  const query = { table: 'vaultEvent', subject: 'wallet', address: wallet } as const;
  const pages = readEventPages(history, { ...query, order: 'oldest first', to: range.end });
  for await (const page of pages) {
    for (const { vault, slot, sharesAmount, tokensPerShare } of page) {
      if (sharesAmount === null || tokensPerShare === null) continue;
      rates.set(rateKey(vault, slot), tokensPerShare);
    }
  }
  return rates;
}

const toChanges = (
  holdings: readonly StateRow<'vaultHolding'>[],
  rates: TradeRates,
): readonly UserSharesChange[] =>
  holdings.map(({ vault, slot, at, ...shares }) => ({
    slot,
    at,
    shares: totalShares(shares),
    tokensPerShare: rates.get(rateKey(vault, slot)),
  }));

/**
 * Interest accrues hourly for both frequencies, so that they agree at each timestamp. The point of a day is that of
 * its last hour.
 */
async function readPoints(
  history: HistoryReader,
  changes: readonly UserSharesChange[],
  { vault, frequency, range }: UserVaultHistoryQuery & { readonly vault: Address },
): Promise<PointsByTime> {
  const [first] = changes;
  if (first === undefined) return new Map();
  const from = bucketStart(first.at, 'hour');
  const to = toUnixSeconds(range.end - bucketSeconds.hour);
  const hours = await readHourlyVaultEarnings(history, vault, { from, to });
  const lastPoints = new Map<UnixSeconds, () => Point>();
  for (const { sample, point } of iterateUserVaultPoints(changes, hours)) {
    const start = bucketStart(sample.bucket, frequency);
    const at = toUnixSeconds(start + bucketSeconds[frequency]);
    if (at >= range.start && at < range.end) lastPoints.set(at, point);
  }
  return new Map([...lastPoints].map(([at, point]) => [at, point()]));
}
