import { describe, expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { GOLDEN_MARKET, USDC_RESERVE } from '../../support/history/reserve-history-rows.ts';

const OCTOBER = BigInt(Date.UTC(2025, 9, 1) / 1000);
const HOUR = 3_600n;
const PATH = `/svc-market/${GOLDEN_MARKET}/metrics/history`;

const point = (seconds: bigint, obligations: number): SeriesPoint => ({
  kind: 'market',
  resolution: 'minute',
  subject: GOLDEN_MARKET,
  at: toUnixSeconds(OCTOBER + seconds),
  slot: toSlot(370_000_000n + seconds),
  depositTvl: { numerator: 100n, denominator: 3n },
  borrowTvl: { numerator: 5n, denominator: 2n },
  obligations,
});

async function startMarket() {
  const api = await startHistoryApi();
  await api.writer.append({
    points: [point(6n, 1), point(HOUR, 2), point(HOUR + 6n, 3), point(30n * HOUR, 4)],
  });
  return api;
}

type MarketPoint = { timestamp: string; metrics: Record<string, string | number> };

const countsIn = ({ body }: { body: unknown }) =>
  (body as { timestamp: string; metrics: { obligations: number } }[]).map(
    ({ timestamp, metrics }) => [timestamp, metrics.obligations],
  );

describe('the history of a market', () => {
  test('is refused while only some loans are followed', async () => {
    const { get } = await startHistoryApi({ hasAllPositions: () => false });
    expect((await get(PATH)).status).toBe(503);
  });

  test('is hourly, with the time of each snapshot', async () => {
    const { get } = await startMarket();
    const response = await get(`${PATH}?start=2025-10-01&end=2025-10-10`);
    expect(countsIn(response)).toEqual([
      ['2025-10-01T01:00:00.000Z', 2],
      ['2025-10-01T01:00:06.000Z', 3],
      ['2025-10-02T06:00:00.000Z', 4],
    ]);
    expect((response.body as unknown[])[0]).toEqual({
      market: GOLDEN_MARKET,
      timestamp: '2025-10-01T01:00:00.000Z',
      metrics: { borrowTVL: '2.5', depositTVL: `33.${'3'.repeat(36)}`, obligations: 2 },
    });
  });

  test('is daily for ranges longer than 90 days', async () => {
    const { get } = await startMarket();
    const days = [
      ['2025-10-01T01:00:06.000Z', 3],
      ['2025-10-02T06:00:00.000Z', 4],
    ];
    expect(countsIn(await get(`${PATH}?start=2025-07-01&end=2025-10-10`))).toEqual(days);
    expect(countsIn(await get(PATH)).slice(0, -1)).toEqual(days);
  });

  test('includes snapshots at the start of the range but not at its end', async () => {
    const { get } = await startMarket();
    const query = '?start=2025-10-01T01:00:00&end=2025-10-01T01:00:06';
    expect(countsIn(await get(`${PATH}${query}`))).toEqual([['2025-10-01T01:00:00.000Z', 2]]);
    const later = '?start=2025-10-01T01:00:01&end=2025-10-01T01:00:07';
    expect(countsIn(await get(`${PATH}${later}`))).toEqual([['2025-10-01T01:00:06.000Z', 3]]);
  });

  test('ends with the current state, unless the range ends before now', async () => {
    const { get } = await startMarket();
    const reserves = (await get(`/svc-market/${GOLDEN_MARKET}/reserves/metrics`)).body as Record<
      string,
      string
    >[];
    const total = (name: string) => reserves.reduce((sum, row) => sum + Number(row[name]), 0);
    for (const query of ['?start=2025-10-17T08:00', '', '?end=2100-01-01']) {
      const points = (await get(`${PATH}${query}`)).body as MarketPoint[];
      const last = points.at(-1);
      const metrics = last?.metrics ?? {};
      expect(last?.timestamp).toBe(new Date(Number(goldenCluster().at.unix) * 1000).toISOString());
      expect(Number(metrics['depositTVL']) / total('totalSupplyUsd')).toBeCloseTo(1, 12);
      expect(Number(metrics['borrowTVL']) / total('totalBorrowUsd')).toBeCloseTo(1, 12);
    }
    expect((await get(`${PATH}?start=2025-10-17T08:00&end=2025-10-17T09:55:20`)).body).toEqual([]);
  });

  test('is empty for an unknown market, and a malformed time is rejected', async () => {
    const { get } = await startMarket();
    expect((await get(`/svc-market/${USDC_RESERVE}/metrics/history`)).body).toEqual([]);
    expect((await get(`${PATH}?start=2025-10-02&end=2025-10-01`)).body).toEqual([]);
    expect((await get(`${PATH}?end=2025-13-01`)).status).toBe(400);
  });
});
