import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import { emptyRegistry } from '#server/registry/registry.ts';
import { goldenReserve } from '../../support/golden/golden-addresses.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import {
  GOLDEN_MARKET,
  goldenReservePoint,
  USDC_RESERVE,
} from '../../support/history/reserve-history-rows.ts';

const MINT = toAddress('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn');
const POOL = toAddress('Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb');
const RESERVE = goldenReserve('Main Market', 'JITOSOL').address;
const EPOCH = 432_000n;
const OCTOBER = BigInt(Date.UTC(2025, 9, 1, 12) / 1000);
const DAY = 86_400n;

const when = (day: bigint) => ({ at: OCTOBER + day * DAY, slot: 800n * EPOCH + day * 216_000n });

/** An epoch starts every second day, with this many lamports per million tokens. */
const stakeRate = (day: bigint, lamports: bigint): SeriesPoint => ({
  kind: 'stakeRate',
  resolution: 'day',
  subject: MINT,
  lamports,
  tokens: 1_000_000n,
  at: toUnixSeconds(when(day).at),
  slot: toSlot(when(day).slot),
});

const path = (reserve: string) =>
  `/svc-market/${GOLDEN_MARKET}/reserves/${reserve}/borrow-and-staking-apys/history`;

type Points = { createdOn: string; borrowInterestApy: string; stakingApy: string }[];

test('daily points have the borrow rate and the staking yield known at that time', async () => {
  const registry = { ...emptyRegistry, stakePools: new Map([[MINT, POOL]]) };
  const { get, writer } = await startHistoryApi({ registry });
  const lamports = [1_000_000n, 1_000_000n, 1_000_400n, 1_000_400n, 1_000_400n, 1_000_400n];
  const amounts = { available: 10n ** 9n, borrowed: 10n ** 9n };
  await writer.append({
    points: lamports.flatMap((each, i) => [
      stakeRate(BigInt(i), each),
      goldenReservePoint({ reserve: RESERVE, ...when(BigInt(i)), ...amounts }),
      goldenReservePoint({ reserve: USDC_RESERVE, ...when(BigInt(i)), ...amounts }),
    ]),
  });
  const points = (await get(path(RESERVE))).body as Points;
  // an epoch of two days, and 0.04 % in the second epoch
  expect(points.map(({ createdOn }) => createdOn.slice(0, 10))).toEqual([
    '2025-10-03',
    '2025-10-04',
    '2025-10-05',
    '2025-10-06',
  ]);
  const yearly = 1.0004 ** 182.5 - 1;
  const close = (found: Points, expected: readonly number[]) => {
    expect(found).toHaveLength(expected.length);
    for (const [i, { stakingApy }] of found.entries()) {
      expect(Number(stakingApy)).toBeCloseTo(expected[i] ?? Number.NaN, 9);
    }
  };
  close(points, [yearly, yearly, 0, 0]);
  const medians = (await get(`${path(RESERVE)}/median`)).body as Points;
  close(medians, [yearly, yearly, yearly / 2, yearly / 2]);
  const reservePath = `/svc-market/${GOLDEN_MARKET}/reserves/${RESERVE}/metrics/history?frequency=day&end=2025-10-08`;
  const { history } = (await get(reservePath)).body as {
    history: { metrics: { borrowInterestAPY: number } }[];
  };
  expect(points.map(({ borrowInterestApy }) => Number(borrowInterestApy))).toEqual(
    history.slice(2).map(({ metrics }) => metrics.borrowInterestAPY),
  );
  expect(Number(points[0]?.borrowInterestApy)).toBeGreaterThan(0);
  const start = new Date(Number(when(4n).at) * 1000).toISOString();
  expect((await get(`${path(RESERVE)}?start=${start}`)).body).toEqual(points.slice(2));
  // not a stake pool token, and not a reserve of the market
  expect((await get(path(USDC_RESERVE))).body).toEqual([]);
  expect((await get(path(RESERVE).replace(GOLDEN_MARKET, POOL))).body).toEqual([]);
  expect((await get(`${path(RESERVE)}?start=x`)).status).toBe(400);
});
