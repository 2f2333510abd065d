import { describe, expect, test } from 'vitest';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import {
  GOLDEN_MARKET,
  goldenReservePoint,
  USDC_RESERVE,
} from '../../support/history/reserve-history-rows.ts';
import { goldenApi } from '../../support/http/test-api.ts';

/** 2025-10-01, sixteen days before the time of the golden cluster. */
const OCTOBER = BigInt(Date.UTC(2025, 9, 1) / 1000);
const HOUR = 3_600n;
const DAY = 86_400n;

const { slot: SLOT } = goldenCluster().at;
const PATH = `/svc-market/${GOLDEN_MARKET}/reserves/${USDC_RESERVE}/metrics/history`;

type Body = { history: { timestamp: string; metrics: Record<string, unknown> }[] };

const historyIn = ({ body }: { body: unknown }) => (body as Body).history;
const timesIn = (response: { body: unknown }) =>
  historyIn(response).map(({ timestamp }) => timestamp);

/** Slots of 400 ms since October 1. */
const slotAt = (at: bigint): bigint => 370_000_000n + ((at - OCTOBER) * 10n) / 4n;

const usdc = (seconds: bigint, available: bigint, more: object = {}) =>
  goldenReservePoint({
    reserve: USDC_RESERVE,
    at: OCTOBER + seconds,
    slot: slotAt(OCTOBER + seconds),
    available,
    ...more,
  });

describe('reserve history', () => {
  test('has the last snapshot until each full minute, hour or day', async () => {
    const { get, writer } = await startHistoryApi();
    const points = [
      usdc(59n, 900_000n),
      usdc(60n, 1_000_000n),
      usdc(3_541n, 2_000_000n),
      usdc(HOUR + 5n, 3_000_000n),
      usdc(DAY - 1n, 4_000_000n),
      usdc(DAY, 5_000_000n),
      usdc(DAY + 1n, 6_000_000n),
    ];
    await writer.append({ points });
    const availableBy = async (query: string) =>
      historyIn(await get(`${PATH}?${query}`)).map(({ timestamp, metrics }) => [
        timestamp,
        metrics['totalLiquidity'],
      ]);
    expect(await availableBy('end=2025-10-05')).toEqual([
      ['2025-10-01T01:00:00.000Z', '2'],
      ['2025-10-01T02:00:00.000Z', '3'],
      ['2025-10-02T00:00:00.000Z', '5'],
      ['2025-10-02T01:00:00.000Z', '6'],
    ]);
    expect(await availableBy('frequency=day&end=2025-10-05')).toEqual([
      ['2025-10-02T00:00:00.000Z', '5'],
      ['2025-10-03T00:00:00.000Z', '6'],
    ]);
    expect(await availableBy('frequency=minute&start=2025-10-01&end=2025-10-01T01:01Z')).toEqual([
      ['2025-10-01T00:01:00.000Z', '1'],
      ['2025-10-01T01:00:00.000Z', '2'],
    ]);
  });

  test('has the figures of the snapshot at the historical oracle price', async () => {
    const { get, writer } = await startHistoryApi();
    const then = { borrowed: 1_000_000n, collateral: 2_000_000n, price: sfFromInt(2n) };
    const point = usdc(0n, 3_000_000n, { ...then, storedPrice: sfFromInt(3n) });
    await writer.append({ points: [point] });
    const { body } = await get(`${PATH}?end=2025-10-05`);
    expect(body).toMatchObject({ reserve: USDC_RESERVE, market: GOLDEN_MARKET });
    expect(historyIn({ body })).toHaveLength(1);
    // 3 available and 1 borrowed; 2 cTokens represent the 4
    expect(historyIn({ body })[0]?.metrics).toMatchObject({
      symbol: 'USDC',
      decimals: 6,
      mintAddress: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      totalSupply: '4',
      totalBorrows: '1',
      totalLiquidity: '3',
      depositTvl: '8',
      borrowTvl: '2',
      exchangeRate: 0.5,
      utilizationRatio: 0.25,
      assetPriceUSD: 3,
      assetOraclePriceUSD: 2,
      cumulativeBorrowRate: '1',
    });
  });

  test('has yearly rates based on the slot duration at the time', async () => {
    const { get, writer } = await startHistoryApi();
    const lent = { available: 1_000_000n, borrowed: 1_000_000n };
    // 400 ms, as in the cluster, and 800 ms a day later
    const at = (seconds: bigint, slot: bigint) =>
      goldenReservePoint({ reserve: USDC_RESERVE, at: OCTOBER + seconds, slot, ...lent });
    const points = [
      at(0n, 1_000_000n),
      at(HOUR, 1_009_000n),
      at(DAY, 2_000_000n),
      at(DAY + HOUR, 2_004_500n),
    ];
    await writer.append({ points });
    const [first, , third, fourth] = historyIn(await get(PATH));
    const aprOf = (metrics: Record<string, unknown> | undefined) =>
      Math.log1p(Number(metrics?.['borrowInterestAPY']));
    expect(aprOf(first?.metrics)).toBeGreaterThan(0.001);
    expect(aprOf(first?.metrics) / aprOf(third?.metrics)).toBeCloseTo(2, 6);
    expect(fourth?.metrics['borrowInterestAPY']).toBe(third?.metrics['borrowInterestAPY']);
  });

  test('includes the start but not the end, and is empty for a reversed range', async () => {
    const { get, writer } = await startHistoryApi();
    const points = [0n, 1n, 2n, 30n].map((hours) => usdc(hours * HOUR, 1n));
    await writer.append({ points });
    const requestTimes = async (query: string) => timesIn(await get(`${PATH}?${query}`));
    expect(await requestTimes('start=2025-10-01T01:00&end=2025-10-02T06:00')).toEqual([
      '2025-10-01T01:00:00.000Z',
      '2025-10-01T02:00:00.000Z',
    ]);
    expect(await requestTimes('start=2025-10-01T01:00:01&end=2025-10-02T06:00:01')).toEqual([
      '2025-10-01T02:00:00.000Z',
      '2025-10-02T06:00:00.000Z',
    ]);
    expect(await requestTimes('start=2025-10-02&end=2025-10-01')).toEqual([]);
    expect(await requestTimes('start=2025-10-01T03:00&end=2025-10-01T05:00')).toEqual([]);
    const ms = (OCTOBER + 2n * HOUR) * 1000n;
    expect(await requestTimes(`start=${ms}&end=${ms + 1n}`)).toEqual(['2025-10-01T02:00:00.000Z']);
  });

  test('is empty for a reserve of another market and for an unknown reserve', async () => {
    const { get, writer } = await startHistoryApi();
    await writer.append({ points: [usdc(0n, 1n)] });
    const unknown = goldenVault('Steady USDC').address;
    for (const [market, reserve] of [
      [unknown, USDC_RESERVE],
      [GOLDEN_MARKET, unknown],
    ]) {
      const response = await get(`/svc-market/${market}/reserves/${reserve}/metrics/history`);
      expect(response).toMatchObject({ status: 200, body: { reserve, market, history: [] } });
    }
  });

  test('reports gaps in x-gaps and does not fill them', async () => {
    const { get, writer } = await startHistoryApi();
    const gap = {
      name: 'sampler',
      since: toUnixSeconds(OCTOBER + HOUR),
      until: toUnixSeconds(OCTOBER + 3n * HOUR),
    };
    const points = [0n, 1n, 3n].map((hours) => usdc(hours * HOUR, 1n));
    await writer.append({ points, gaps: [gap] });
    const response = await get(`${PATH}?end=2025-10-01T03:30`);
    expect(response.headers.get('x-gaps')).toBe(
      '2025-10-01T01:00:00.000Z/2025-10-01T03:00:00.000Z',
    );
    expect(timesIn(response)).toHaveLength(3);
    const before = await get(`${PATH}?end=2025-10-01T01:00`);
    expect(before.headers.get('x-gaps')).toBeNull();
  });

  test('contains later snapshots, in the last hour and after it', async () => {
    const { get, writer } = await startHistoryApi();
    const liquidity = async () =>
      historyIn(await get(`${PATH}?end=2025-10-10`)).map(
        ({ metrics }) => metrics['totalLiquidity'],
      );
    await writer.append({ points: [usdc(1n, 1_000_000n)] });
    expect(await liquidity()).toEqual(['1']);
    await writer.append({ points: [usdc(60n, 2_000_000n)] });
    expect(await liquidity()).toEqual(['2']);
    await writer.append({ points: [usdc(50n * HOUR, 3_000_000n)] });
    expect(await liquidity()).toEqual(['2', '3']);
  });
});

describe('a reserve history request', () => {
  test('for more than a week of minutes is rejected with a suggestion', async () => {
    const { get } = await startHistoryApi();
    const query = 'frequency=minute&start=2025-10-01&end=2025-10-09';
    expect(await get(`${PATH}?${query}`)).toMatchObject({
      status: 400,
      body: {
        details: [
          {
            path: ['start'],
            smallerRange: { start: '2025-10-02T00:00:00.000Z', end: '2025-10-09T00:00:00.000Z' },
            coarserFrequency: 'hour',
          },
        ],
      },
    });
    expect((await get(`${PATH}?frequency=minute`)).status).toBe(400);
    expect((await get(`${PATH}?frequency=minute&start=2025-10-02&end=2025-10-09`)).status).toBe(
      200,
    );
  });

  test.each([
    ['start=1759276800', 'start', 'epoch_seconds'],
    ['end=tomorrow', 'end', 'invalid_date'],
    ['frequency=week', 'frequency', 'invalid_value'],
    ['start=2025-10-01&start=2025-10-02', 'start', 'repeated'],
  ])('%s is rejected', async (query, name, code) => {
    const { get } = await goldenApi();
    expect(await get(`${PATH}?${query}`)).toMatchObject({
      status: 400,
      body: { details: [{ path: [name], code }] },
    });
  });

  test('fails with 503 if no history is recorded', async () => {
    const { get } = await goldenApi();
    const response = await get(PATH);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
  });
});

describe('a long reserve history', () => {
  /** Sixty days of hours, which are more than one chunk. */
  const HOURS = 1_440n;

  async function startLong() {
    const api = await startHistoryApi();
    const points = Array.from({ length: Number(HOURS) }, (_, i) => {
      const seconds = (BigInt(i) - HOURS + 300n) * HOUR;
      return { ...usdc(seconds, BigInt(i) * 1_000_000n), resolution: 'hour' as const };
    });
    await api.writer.append({ points });
    return api;
  }

  test('is streamed as one JSON document, the same each time', async () => {
    const { get } = await startLong();
    const first = await get(PATH);
    expect(first.headers.get('content-length')).toBeNull();
    const liquidity = historyIn(first).map(({ metrics }) => metrics['totalLiquidity']);
    // the current state
    liquidity.pop();
    expect(liquidity).toEqual(Array.from({ length: Number(HOURS) }, (_, i) => String(i)));
    const [again, more] = await Promise.all([get(PATH), get(PATH)]);
    expect(again.body).toEqual(first.body);
    expect(more.body).toEqual(first.body);
  });

  test('is compressed on request and has an ETag that changes with the data', async () => {
    const { get, writer } = await startLong();
    const plain = await get(PATH, { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const zipped = await get(PATH, { 'accept-encoding': 'gzip' });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.headers.get('vary')).toBe('accept-encoding');
    expect(zipped.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(zipped.body).toEqual(plain.body);

    const etag = zipped.headers.get('etag') ?? '';
    const known = { 'if-none-match': etag };
    const unchanged = await get(PATH, known);
    expect([unchanged.status, unchanged.body]).toEqual([304, undefined]);
    expect(unchanged.headers.get('etag')).toBe(etag);
    expect((await get(`${PATH}?end=2025-10-05`, known)).status).toBe(200);
    await writer.append({ points: [usdc(301n * HOUR, 1n)] });
    expect((await get(PATH, known)).status).toBe(200);
  });

  test('has no body in response to HEAD', async () => {
    const { url, get } = await startLong();
    const head = await fetch(`${url}${PATH}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('etag')).toBe((await get(PATH)).headers.get('etag'));
    expect((await get(PATH)).headers.get('x-slot')).toBe(String(SLOT));
  });
});
