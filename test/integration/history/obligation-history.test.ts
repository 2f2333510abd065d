import { describe, expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import { goldenReserve, goldenUser } from '../../support/golden/golden-addresses.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { pricePoint } from '../../support/history/history-rows.ts';
import {
  closedLoan,
  LOAN,
  type LoanStateFields,
  loanState,
} from '../../support/history/loan-history-rows.ts';
import {
  GOLDEN_MARKET,
  goldenReservePoint,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../support/history/reserve-history-rows.ts';

const OCTOBER = BigInt(Date.UTC(2025, 9, 1) / 1000);
const HOUR = 3_600n;
const DAY = 86_400n;
const solMint = toAddress('So11111111111111111111111111111111111111112');
const jitosolMint = toAddress('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn');
const jitosolReserve = goldenReserve('Main Market', 'JITOSOL').address;

const PATH = `/v2/svc-market/${GOLDEN_MARKET}/obligations/${LOAN}/metrics/history`;

type Snapshot = Record<string, unknown> & {
  timestamp: string;
  refreshedStats: Record<string, string>;
  obligationSolValues: Record<string, string>;
};
const historyIn = ({ body }: { body: unknown }) => (body as { history: Snapshot[] }).history;

const slotAt = (seconds: bigint): bigint => 370_000_000n + (seconds * 10n) / 4n;
const when = (seconds: bigint) => ({ at: OCTOBER + seconds, slot: slotAt(seconds) });
const ONE = 2n ** 60n;

/** A snapshot of both reserves and the SOL price: SOL at 150 USD, USDC at 1 USD, and the cumulative borrow rate. */
const sample = (seconds: bigint, { grown = ONE, sol = 150n } = {}): SeriesPoint[] => [
  goldenReservePoint({
    reserve: SOL_RESERVE,
    ...when(seconds),
    available: 10n ** 12n,
    price: sfFromInt(sol),
  }),
  goldenReservePoint({
    reserve: USDC_RESERVE,
    ...when(seconds),
    available: 10n ** 9n,
    borrowed: 10n ** 9n,
    cumulativeRate: grown,
  }),
  pricePoint({ subject: solMint, ...when(seconds) }, { priceSf: sfFromInt(sol) }),
];

/** A deposit of 2 SOL and a debt of 100 USDC. */
const loan = (seconds: bigint, more: Partial<LoanStateFields> = {}) =>
  loanState({
    ...when(seconds),
    deposits: [[SOL_RESERVE, 2_000_000_000n]],
    debts: [[USDC_RESERVE, 100_000_000n]],
    ...more,
  });

describe('loan history', () => {
  test('a day values the last state with the last snapshot until midnight', async () => {
    const { get, writer } = await startHistoryApi();
    await writer.append({
      points: [
        ...sample(9n * HOUR),
        ...sample(DAY - 60n),
        ...sample(2n * DAY - 1n),
        ...sample(2n * DAY, { grown: (ONE * 5n) / 4n, sol: 200n }),
        ...sample(2n * DAY + 1n),
      ],
      obligationStates: [loan(10n * HOUR), loan(DAY - 30n, { deposits: [] })],
    });
    const [first, second, ...others] = historyIn(await get(`${PATH}?end=2025-10-03T12:00`));
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      timestamp: '2025-10-02T00:00:00.000Z',
      tag: 0,
      deposits: [{ amount: '2000000000', mintAddress: solMint, marketValueRefreshed: '300' }],
      borrows: [{ amount: '100000000', marketValueRefreshed: '100' }],
      refreshedStats: {
        userTotalDeposit: '300',
        userTotalBorrow: '100',
        netAccountValue: '200',
        leverage: '1.5',
        potentialElevationGroupUpdate: 0,
      },
      obligationSolValues: {
        collateralValueSol: '2',
        debtValueSol: `0.${'6'.repeat(40)}`,
        netValueSol: `1.${'3'.repeat(39)}`,
        solPrice: '150',
        timestampSolPrice: '2025-10-01T23:59:00.000Z',
        timestampObligation: '2025-10-01T23:59:00.000Z',
      },
    });
    // no deposit, and the debt has grown by a quarter
    expect(second).toMatchObject({
      timestamp: '2025-10-03T00:00:00.000Z',
      deposits: [],
      borrows: [{ amount: '125000000', marketValueRefreshed: '125' }],
      refreshedStats: { userTotalDeposit: '0', userTotalBorrow: '125', netAccountValue: '-125' },
      obligationSolValues: { debtValueSol: '0.625', netValueSol: '-0.625', solPrice: '200' },
    });
  });

  test('days without positions, and days before and after the loan, have no point', async () => {
    const { get, writer } = await startHistoryApi();
    const days = Array.from({ length: 8 }, (_, i) => sample(BigInt(i) * DAY + HOUR));
    await writer.append({
      points: days.flat(),
      obligationStates: [
        loan(2n * DAY),
        loan(4n * DAY, { deposits: [], debts: [] }),
        loan(5n * DAY),
        closedLoan(when(6n * DAY)),
      ],
    });
    // samples of days 3, 4 and 6
    const times = historyIn(await get(PATH)).map(({ timestamp }) => timestamp.slice(0, 10));
    expect(times).toEqual(['2025-10-04', '2025-10-05', '2025-10-07']);
    const response = await get(`${PATH}?start=2025-10-04T00:00:01Z&end=2025-10-07`);
    expect(historyIn(response).map(({ timestamp }) => timestamp.slice(0, 10))).toEqual([
      '2025-10-05',
    ]);
  });

  test('a day without samples has no point, and the gap is reported', async () => {
    const { get, writer } = await startHistoryApi();
    const [since, until] = [toUnixSeconds(OCTOBER + DAY), toUnixSeconds(OCTOBER + 2n * DAY)];
    await writer.append({
      points: [...sample(HOUR), ...sample(2n * DAY + HOUR)],
      obligationStates: [loan(0n)],
      gaps: [{ name: 'sampler', since, until }],
    });
    const response = await get(PATH);
    expect(historyIn(response).map(({ timestamp }) => timestamp.slice(0, 10))).toEqual([
      '2025-10-02',
      '2025-10-04',
    ]);
    expect(response.headers.get('x-gaps')).toBe(
      '2025-10-02T00:00:00.000Z/2025-10-03T00:00:00.000Z',
    );
  });

  test('the last point is the current state, in place of the current day', async () => {
    const { get, writer } = await startHistoryApi();
    const owner = goldenUser('treasury').address;
    const { body } = await get(`/svc-market/${GOLDEN_MARKET}/users/${owner}/obligations`);
    const [open] = body as { obligationAddress: string; refreshedStats: object }[];
    const obligation = toAddress(String(open?.obligationAddress));
    await writer.append({
      points: [...sample(15n * DAY), ...sample(16n * DAY)],
      obligationStates: [loan(0n, { obligation })],
    });
    const path = PATH.replace(LOAN, obligation);
    const timesOf = (points: readonly Snapshot[]) => points.map(({ timestamp }) => timestamp);
    const points = historyIn(await get(`${path}?start=2025-10-16`));
    expect(timesOf(points)).toEqual(['2025-10-16T00:00:00.000Z', '2025-10-17T09:55:21.000Z']);
    expect(points.at(-1)).toMatchObject({
      refreshedStats: open?.refreshedStats,
      obligationSolValues: { timestampObligation: '2025-10-17T09:55:21.000Z' },
    });
    const before = historyIn(await get(`${path}?start=2025-10-16&end=2025-10-17T09:00`));
    expect(timesOf(before)).toEqual(['2025-10-16T00:00:00.000Z', '2025-10-17T00:00:00.000Z']);
  });

  test('future days have no point', async () => {
    const { get, writer } = await startHistoryApi();
    // the golden cluster's time is on October 17
    const today = 16n * DAY;
    await writer.append({
      points: [...sample(today - HOUR), ...sample(today + HOUR)],
      obligationStates: [loan(0n)],
    });
    const times = historyIn(await get(`${PATH}?end=2026-01-01`)).map(({ timestamp }) => timestamp);
    // the loan is not in the golden cluster, so that it has no current state
    expect(times).toEqual(['2025-10-17T00:00:00.000Z']);
  });

  test('the stake rate option changes only the SOL value of staked SOL', async () => {
    const { get, writer } = await startHistoryApi();
    const staked = goldenReservePoint({
      reserve: jitosolReserve,
      ...when(HOUR),
      available: 10n ** 12n,
      price: sfFromInt(180n),
    });
    const rate: SeriesPoint = {
      kind: 'stakeRate',
      resolution: 'minute',
      subject: jitosolMint,
      at: toUnixSeconds(OCTOBER + HOUR),
      slot: toSlot(slotAt(HOUR)),
      lamports: 125n,
      tokens: 100n,
    };
    await writer.append({
      points: [...sample(HOUR), staked, rate],
      obligationStates: [loan(0n, { deposits: [[jitosolReserve, 4_000_000_000n]] })],
    });
    const [traded] = historyIn(await get(PATH));
    const [pooled] = historyIn(await get(`${PATH}?useStakeRateForObligation=true`));
    // 4 at 180 USD are 720 USD, or 4.8 SOL at 150 USD; at the stake rate they are 5 SOL
    expect(traded?.obligationSolValues).toMatchObject({ collateralValueSol: '4.8' });
    expect(pooled?.obligationSolValues).toMatchObject({ collateralValueSol: '5' });
    expect(pooled?.refreshedStats).toEqual(traded?.refreshedStats);
    expect(pooled?.refreshedStats['userTotalDeposit']).toBe('720');
  });

  test('completed days are cached, and the newest day changes with each snapshot', async () => {
    const { get, writer, history } = await startHistoryApi();
    // the golden cluster's time is on October 17
    await writer.append({
      points: [...sample(HOUR), ...sample(14n * DAY + HOUR)],
      obligationStates: [loan(0n)],
    });
    const daysIn = async (path: string) =>
      historyIn(await get(path)).map(({ timestamp }) => timestamp.slice(0, 10));
    expect(await daysIn(PATH)).toEqual(['2025-10-02', '2025-10-16']);
    await writer.append({ points: sample(15n * DAY + HOUR) });
    expect(await daysIn(PATH)).toEqual(['2025-10-02', '2025-10-16', '2025-10-17']);
    // a cached chunk has 30 days; the last one here is day 8
    await history.db.deleteFrom('reserve_day').where('bucket', '<=', OCTOBER).execute();
    expect(await daysIn(`${PATH}?end=2025-10-09`)).toEqual(['2025-10-02']);
  });

  test('market changes take effect immediately', async () => {
    const golden = goldenReader();
    let data = golden.market(GOLDEN_MARKET)?.data ?? Uint8Array.of();
    const market: typeof golden.market = (address) => {
      const held = golden.market(address);
      return held && { ...held, data };
    };
    const { get, writer } = await startHistoryApi({ reader: { ...golden, market } });
    await writer.append({ points: sample(HOUR), obligationStates: [loan(0n)] });
    const finished = `${PATH}?end=2025-10-09`;
    const known = { 'if-none-match': (await get(finished)).headers.get('etag') ?? '' };
    expect((await get(finished, known)).status).toBe(304);
    data = data.slice().fill(1, -1);
    expect((await get(finished, known)).status).toBe(200);
  });

  test.each([
    [1n, 1],
    [4n, 1],
    [6n, 3],
  ])('the tag %i is returned as %i', async (tag, expected) => {
    const { get, writer } = await startHistoryApi();
    await writer.append({ points: sample(HOUR), obligationStates: [loan(0n, { tag })] });
    expect(historyIn(await get(PATH))[0]?.['tag']).toBe(expected);
  });

  test('is empty for another market and for an unknown loan', async () => {
    const { get, writer } = await startHistoryApi();
    await writer.append({ points: sample(HOUR), obligationStates: [loan(0n)] });
    const other = PATH.replace(GOLDEN_MARKET, SOL_RESERVE);
    const unknown = PATH.replace(LOAN, USDC_RESERVE);
    expect((await get(other)).body).toEqual({ obligation: LOAN, history: [] });
    expect((await get(unknown)).body).toEqual({ obligation: USDC_RESERVE, history: [] });
    expect((await get(`${PATH}?useStakeRateForObligation=yes`)).status).toBe(400);
    expect((await get(`${PATH}?start=1759276800`)).status).toBe(400);
  });
});
