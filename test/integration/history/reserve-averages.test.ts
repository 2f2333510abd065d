import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import type { Gap } from '#server/history/writing/batch.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { staticRecording } from '../../support/golden/static-recording.ts';
import {
  GOLDEN_MARKET,
  goldenReservePoint,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../support/history/reserve-history-rows.ts';
import { emptyWorkerDatabase } from '../../support/history/worker-database.ts';
import { startApi } from '../../support/http/test-api.ts';
import {
  type Averages,
  averageNames,
  readHourlyRates,
  recountAverages,
} from '../../support/lending/recount-averages.ts';

const reader = goldenReader();
const { unix: NOW, slot: SLOT } = reader.at();
const LAST_HOUR = NOW - (NOW % 3_600n);
const SUPPLY = 1_000_000_000n;
const BATCH = 1_000;

const RECORDED = { market: GOLDEN_MARKET, reserve: USDC_RESERVE, now: NOW };

type Recorded = {
  readonly reserve: Address;
  readonly hours: readonly number[];
  readonly gaps?: readonly Gap[];
};

/** Points of the given hours before the last full hour. The utilization changes with every point, from 0 to 95 %. */
async function startWith(...recorded: readonly Recorded[]) {
  const history = await emptyWorkerDatabase();
  const writer = new HistoryWriter(history.db);
  for (const { reserve, hours, gaps = [] } of recorded) {
    await writer.append({ gaps });
    const points = hours
      .toSorted((a, b) => b - a)
      .map((hour) => {
        const borrowed = (SUPPLY * BigInt((hour * 37) % 96)) / 100n;
        return goldenReservePoint({
          reserve,
          at: LAST_HOUR - BigInt(hour) * 3_600n,
          slot: SLOT - slotsOf(hour),
          resolution: 'hour',
          available: SUPPLY - borrowed,
          borrowed,
        });
      });
    for (let start = 0; start < points.length; start += BATCH) {
      await writer.append({ points: points.slice(start, start + BATCH) });
    }
  }
  const cluster = staticCluster({
    reader,
    recording: staticRecording({ history: createHistoryReader(history.db) }),
  });
  return startApi({
    clusters: createClusters([cluster]),
    clock: () => Number(NOW) * 1_000,
  });
}

/** Days with slots of 400 ms and of 480 ms take turns, because the rates of the reserve depend on it. */
function slotsOf(hours: number): bigint {
  const [days, rest] = [Math.floor(hours / 24), hours % 24];
  const long = Math.floor(days / 2) * 24 + (days % 2 === 1 ? rest : 0);
  return BigInt((hours - long) * 9_000 + long * 7_500);
}

const upTo = (hours: number): number[] => Array.from({ length: hours + 1 }, (_, hour) => hour);

test('averages of a year equal a recount from the series', async () => {
  const api = await startWith({ reserve: USDC_RESERVE, hours: upTo(365 * 24) });
  const stats = (await api.get(`/reserves/${USDC_RESERVE}/stats`)).body as Averages;
  const rates = await readHourlyRates(api, RECORDED);
  expect(rates).toHaveLength(365 * 24 + 1);
  const expected = recountAverages(rates);
  for (const [rate, name] of averageNames) {
    expect(Number(stats[rate]?.[name]), `${rate} ${name}`).toBeCloseTo(
      expected[rate]?.[name] ?? Number.NaN,
      12,
    );
  }
  // utilizations are evenly distributed from 0 to 95 %
  expect(Number(stats['utilization']?.['avg365d'])).toBeCloseTo(0.475, 3);
});

test('a window that is longer than the series has no average', async () => {
  const api = await startWith(
    { reserve: USDC_RESERVE, hours: upTo(14 * 24) },
    { reserve: SOL_RESERVE, hours: upTo(14 * 24 - 2) },
  );
  const path = `/reserves/batch/stats?reserve=${USDC_RESERVE}&reserve=${SOL_RESERVE}`;
  const stats = (await api.get(path)).body as Record<string, Averages>;
  const usdc = stats[USDC_RESERVE];
  expect(usdc?.['supplyApy']?.['avg14d']).toMatch(/^0\.\d+$/);
  expect(usdc?.['supplyApy']?.['avg30d']).toBeNull();
  expect(usdc?.['utilization']?.['avg30d']).toBeNull();
  expect(stats[SOL_RESERVE]?.['supplyApy']?.['avg7d']).toMatch(/^0\.\d+$/);
  expect(stats[SOL_RESERVE]?.['supplyApy']?.['avg14d']).toBeNull();
});

test('hours that were not recorded do not count, and x-gaps names them', async () => {
  const hours = upTo(7 * 24).filter((hour) => hour < 20 || hour > 90);
  const gap = (since: number, until: number) => ({
    name: 'sampler',
    since: toUnixSeconds(LAST_HOUR - BigInt(since) * 3_600n),
    until: toUnixSeconds(LAST_HOUR - BigInt(until) * 3_600n),
  });
  // the second one is before the longest window that has an average
  const gaps = [gap(90, 20), gap(20 * 24, 19 * 24)];
  const api = await startWith({ reserve: USDC_RESERVE, hours, gaps });
  const iso = (hour: number) =>
    new Date(Number(LAST_HOUR) * 1_000 - hour * 3_600_000).toISOString();
  for (const path of [`${USDC_RESERVE}/stats`, `batch/stats?reserve=${USDC_RESERVE}`]) {
    const { headers } = await api.get(`/reserves/${path}`);
    expect(headers.get('x-gaps'), path).toBe(`${iso(90)}/${iso(20)}`);
  }
  const { borrowApy } = (await api.get(`/reserves/${USDC_RESERVE}/stats`)).body as Averages;
  const rates = await readHourlyRates(api, RECORDED);
  const counted = rates.slice(0, -1).map((rate) => rate.borrowApy);
  const mean = counted.reduce((sum, rate) => sum + rate, 0) / counted.length;
  expect(Number(borrowApy?.['avg7d'])).toBeCloseTo(mean, 12);
});
