import {
  type Address,
  bucketStart,
  formatInstant,
  isEmptyRange,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import {
  iterateUserVaultPoints,
  type UserVaultPoint as Point,
  type UserEarnPoint,
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
import { formatSeriesRatio } from '../../decimal-format/series-decimals.ts';
import type { UserEarnTotalsPoint, UserVaultPoint } from './schema.ts';

export type UserVaultHistoryQuery = {
  readonly wallet: Address;
  readonly frequency: 'hour' | 'day';
  /** Of the instants that points are told for. */
  readonly range: TimeRange;
};

/** Points by the instant they are told for, ascending. */
type Told = ReadonlyMap<UnixSeconds, Point>;

export async function readUserVaultHistory(
  history: HistoryReader,
  vault: Address,
  ask: UserVaultHistoryQuery,
): Promise<Static<typeof UserVaultPoint>[]> {
  if (isEmptyRange(ask.range)) return [];
  const holdings = await readVaultHoldings(history, { wallet: ask.wallet, vault }, ask.range.end);
  const rates = await readTradedRates(history, ask);
  const told = await tellVault(history, changesOf(holdings, rates), { ...ask, vault });
  return [...told].map(([at, point]) => vaultPointJson(at, point));
}

/** All vaults of a wallet together. */
export async function readUserEarnHistory(
  history: HistoryReader,
  ask: UserVaultHistoryQuery,
): Promise<Static<typeof UserEarnTotalsPoint>[]> {
  if (isEmptyRange(ask.range)) return [];
  const holdings = await readVaultHoldings(history, { wallet: ask.wallet }, ask.range.end);
  const rates = await readTradedRates(history, ask);
  const all = new Map<UnixSeconds, Point[]>();
  for (const vault of new Set(holdings.map((holding) => holding.vault))) {
    const changes = changesOf(
      holdings.filter((holding) => holding.vault === vault),
      rates,
    );
    for (const [at, point] of await tellVault(history, changes, { ...ask, vault })) {
      const points = all.get(at);
      if (points === undefined) all.set(at, [point]);
      else points.push(point);
    }
  }
  return [...all]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([at, points]) => earnPointJson(at, viewUserEarnPoint(points)));
}

type Rates = ReadonlyMap<string, UserSharesChange['tokensPerShare']>;

const rateKey = (vault: Address, slot: bigint): string => `${vault} ${slot}`;

/** What a share was worth where the wallet traded some. */
async function readTradedRates(
  history: HistoryReader,
  { wallet, range }: UserVaultHistoryQuery,
): Promise<Rates> {
  const rates = new Map<string, UserSharesChange['tokensPerShare']>();
  const ask = { table: 'vaultEvent', of: 'wallet', address: wallet } as const;
  const pages = readEventPages(history, { ...ask, order: 'oldest first', to: range.end });
  for await (const page of pages) {
    for (const { vault, slot, sharesAmount, tokensPerShare } of page) {
      if (sharesAmount === null || tokensPerShare === null) continue;
      rates.set(rateKey(vault, slot), tokensPerShare);
    }
  }
  return rates;
}

const changesOf = (
  holdings: readonly StateRow<'vaultHolding'>[],
  rates: Rates,
): readonly UserSharesChange[] =>
  holdings.map(({ vault, slot, at, ...shares }) => ({
    ...{ slot, at },
    shares: totalShares(shares),
    tokensPerShare: rates.get(rateKey(vault, slot)),
  }));

/**
 * Interest is counted by the hour whatever is asked for, so that an instant has one figure; a day is told by its
 * last hour.
 */
async function tellVault(
  history: HistoryReader,
  changes: readonly UserSharesChange[],
  { vault, frequency, range }: UserVaultHistoryQuery & { readonly vault: Address },
): Promise<Told> {
  const [first] = changes;
  const told = new Map<UnixSeconds, () => Point>();
  if (first === undefined) return new Map();
  const from = bucketStart(first.at, 'hour');
  const to = toUnixSeconds(range.end - bucketSeconds.hour);
  const hours = await readHourlyVaultEarnings(history, vault, { from, to });
  for (const { sample, point } of iterateUserVaultPoints(changes, hours)) {
    const start = bucketStart(sample.bucket, frequency);
    const instant = toUnixSeconds(start + bucketSeconds[frequency]);
    if (instant >= range.start && instant < range.end) told.set(instant, point);
  }
  return new Map([...told].map(([instant, point]) => [instant, point()]));
}

function vaultPointJson(at: UnixSeconds, point: Point): Static<typeof UserVaultPoint> {
  const { interestEarned, interestPerSecond } = point;
  return {
    createdOn: formatInstant(at),
    sharesAmount: formatSeriesRatio(point.shares),
    usdAmount: formatSeriesRatio(point.usdAmount),
    solAmount: formatSeriesRatio(point.solAmount),
    apy: formatSeriesRatio(point.apy),
    cumulativeInterestEarned: formatSeriesRatio(interestEarned.tokens),
    cumulativeInterestEarnedUsd: formatSeriesRatio(interestEarned.usd),
    cumulativeInterestEarnedSol: formatSeriesRatio(interestEarned.sol),
    interestEarnedPerSecond: formatSeriesRatio(interestPerSecond.tokens),
    interestEarnedPerSecondUsd: formatSeriesRatio(interestPerSecond.usd),
    interestEarnedPerSecondSol: formatSeriesRatio(interestPerSecond.sol),
  };
}

function earnPointJson(at: UnixSeconds, point: UserEarnPoint): Static<typeof UserEarnTotalsPoint> {
  const { interestEarned, interestPerSecond } = point;
  return {
    createdOn: formatInstant(at),
    usdAmount: formatSeriesRatio(point.usdAmount),
    solAmount: formatSeriesRatio(point.solAmount),
    weightedApy: formatSeriesRatio(point.weightedApy),
    cumulativeInterestEarnedUsd: formatSeriesRatio(interestEarned.usd),
    cumulativeInterestEarnedSol: formatSeriesRatio(interestEarned.sol),
    interestEarnedPerSecondUsd: formatSeriesRatio(interestPerSecond.usd),
    interestEarnedPerSecondSol: formatSeriesRatio(interestPerSecond.sol),
  };
}
