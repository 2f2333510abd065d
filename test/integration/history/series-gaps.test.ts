import { expect, test } from 'vitest';
import { startHistoryApi } from '../../support/history/history-api.ts';
import {
  GOLDEN_MARKET,
  goldenReservePoint,
  USDC_RESERVE,
} from '../../support/history/reserve-history-rows.ts';

/** 2025-10-01, sixteen days before the time of the golden cluster. */
const OCTOBER = BigInt(Date.UTC(2025, 9, 1) / 1000);
const HOUR = 3_600n;
const PATH = `/svc-market/${GOLDEN_MARKET}/reserves/${USDC_RESERVE}/metrics/history`;

const point = (seconds: bigint, resolution: 'minute' | 'hour') => ({
  ...goldenReservePoint({
    reserve: USDC_RESERVE,
    at: OCTOBER + seconds,
    slot: 370_000_000n + seconds,
    available: 1_000_000n,
  }),
  resolution,
});

async function gapsOf(points: readonly ReturnType<typeof point>[], queries: readonly string[]) {
  const { get, writer } = await startHistoryApi();
  await writer.append({ points });
  const gaps = [];
  for (const query of queries) gaps.push((await get(`${PATH}?${query}`)).headers.get('x-gaps'));
  return gaps;
}

test('a frequency that was not recorded is a gap', async () => {
  const hours = [0n, 1n, 2n, 3n].map((hour) => point(hour * HOUR, 'hour'));
  const minutes = [61n, 62n].map((minute) => point(minute * 60n, 'minute'));
  const found = await gapsOf(
    [...hours, ...minutes],
    [
      'frequency=minute&start=2025-10-01T02:10:00Z&end=2025-10-01T02:20:00Z',
      'frequency=minute&start=2025-10-01T01:00:30Z&end=2025-10-01T01:03:00Z',
      'frequency=hour&start=2025-10-01&end=2025-10-01T03:30:00Z',
    ],
  );
  expect(found).toEqual(['2025-10-01T02:10:00.000Z/2025-10-01T02:20:00.000Z', null, null]);
});

test('missing hours are gaps, and the time before the first point is not', async () => {
  const hours = [2n, 3n, 6n, 7n].map((hour) => point(hour * HOUR, 'hour'));
  const found = await gapsOf(hours, [
    'start=2025-10-01&end=2025-10-01T07:30:00Z',
    'start=2025-10-01&end=2025-10-01T09:00:00Z',
    // a single known point
    'start=2025-10-01T03:00:00Z&end=2025-10-01T05:00:00Z',
    'start=2025-09-01&end=2025-10-01T02:00:00Z',
  ]);
  expect(found).toEqual([
    '2025-10-01T03:00:00.000Z/2025-10-01T06:00:00.000Z',
    '2025-10-01T03:00:00.000Z/2025-10-01T06:00:00.000Z, 2025-10-01T07:00:00.000Z/2025-10-01T09:00:00.000Z',
    '2025-10-01T03:00:00.000Z/2025-10-01T05:00:00.000Z',
    null,
  ]);
});
