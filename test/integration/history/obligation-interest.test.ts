import { describe, expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import { historyApis } from '../../support/history/history-api.ts';
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
const DAY = 86_400n;
const HOUR = 3_600n;
const ONE = 2n ** 60n;
const solMint = toAddress('So11111111111111111111111111111111111111112');
const OTHER = toAddress('F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri');

const ofLoan = `/v2/svc-market/${GOLDEN_MARKET}/obligations/${LOAN}`;
const EARNED = `${ofLoan}/interest-fees`;
const PAID = `${ofLoan}/interest-paid`;

type Item = { ts: number; solFees: string; usdFees: string; nativeFees: string };
type Report = {
  totalFeesEarnedObligation?: Record<string, Omit<Item, 'nativeFees'>>;
  totalFeesPaidObligation?: Record<string, Omit<Item, 'nativeFees'>>;
  historicalFeesObligation: Record<string, Record<string, Item>[]>;
};
const pointsIn = ({ body }: { body: unknown }) =>
  (body as Report).historicalFeesObligation[LOAN] ?? [];

const when = (seconds: bigint) => ({
  at: OCTOBER + seconds,
  slot: 370_000_000n + (seconds * 10n) / 4n,
});
const ms = (seconds: bigint) => Number(OCTOBER + seconds) * 1000;

type Then = { readonly worth?: bigint; readonly grown?: bigint; readonly sol?: bigint };

/** A cToken of SOL is worth so many thousandths of a SOL; a debt of one has become `grown` thousandths. */
const sample = (
  seconds: bigint,
  { worth = 1000n, grown = 1000n, sol = 150n }: Then,
): SeriesPoint[] => [
  goldenReservePoint({
    ...{ reserve: SOL_RESERVE, ...when(seconds), price: sfFromInt(sol) },
    ...{ available: worth * 10n ** 9n, collateral: 10n ** 12n },
  }),
  goldenReservePoint({
    ...{ reserve: USDC_RESERVE, ...when(seconds), available: 10n ** 9n },
    cumulativeRate: (ONE * grown) / 1000n,
  }),
  pricePoint({ subject: solMint, ...when(seconds) }, { priceSf: sfFromInt(sol) }),
];

/** Two SOL against a hundred USDC. */
const loan = (seconds: bigint, more: Partial<LoanStateFields> = {}) =>
  loanState({
    ...when(seconds),
    deposits: [[SOL_RESERVE, 2_000_000_000n]],
    debts: [[USDC_RESERVE, 100_000_000n]],
    ...more,
  });

const LATE = DAY - 60n;
const startPastApi = historyApis();

/** Three days: in the middle of the second one the deposit and the debt are doubled. */
async function startWithLoan() {
  const api = await startPastApi();
  await api.writer.append({
    points: [
      ...sample(HOUR, {}),
      ...sample(LATE, { worth: 1100n, grown: 1500n }),
      ...sample(DAY + 12n * HOUR, { worth: 1200n, grown: 2000n }),
      ...sample(DAY + LATE, { worth: 1300n, grown: 3000n, sol: 200n }),
      ...sample(2n * DAY + 30n, { worth: 1300n, grown: 3000n, sol: 200n }),
      ...sample(2n * DAY + LATE, { worth: 1300n, grown: 3000n, sol: 200n }),
    ],
    obligationStates: [
      loan(HOUR),
      loan(DAY + 12n * HOUR, {
        deposits: [[SOL_RESERVE, 4_000_000_000n]],
        debts: [[USDC_RESERVE, 400_000_000n]],
        cumulativeRate: 2n * ONE,
      }),
      closedLoan(when(2n * DAY + 30n)),
    ],
  });
  return api;
}

describe('interest of a loan', { timeout: 60_000 }, () => {
  test('deposits grow by what a cToken is worth more, each day at its own prices', async () => {
    const { get } = await startWithLoan();
    const answer = await get(EARNED);
    // a tenth of two SOL; a tenth of two and then a tenth of four
    expect(pointsIn(answer)).toEqual([
      { [SOL_RESERVE]: { ts: ms(LATE), nativeFees: '0.2', usdFees: '30', solFees: '0.2' } },
      { [SOL_RESERVE]: { ts: ms(DAY + LATE), nativeFees: '0.6', usdFees: '120', solFees: '0.6' } },
      {
        [SOL_RESERVE]: { ts: ms(2n * DAY + LATE), nativeFees: '0', usdFees: '0', solFees: '0' },
      },
    ]);
    const { totalFeesEarnedObligation: total } = answer.body as Report;
    expect(total).toEqual({ [LOAN]: { ts: ms(2n * DAY + LATE), usdFees: '150', solFees: '0.8' } });
  });

  test('debts grow by the rate that they were brought to, not by what was borrowed more', async () => {
    const { get } = await startWithLoan();
    const answer = await get(PAID);
    // from 100 to 150; to 200, and 400 to 600
    const natives = pointsIn(answer).map((point) => point[USDC_RESERVE]?.nativeFees);
    expect(natives).toEqual(['50', '250', '0']);
    const { totalFeesPaidObligation: total } = answer.body as Report;
    expect(total?.[LOAN]).toMatchObject({ usdFees: '300' });
    // 50 USD at 150, then 250 at 200
    expect(Number(total?.[LOAN]?.solFees)).toBeCloseTo(50 / 150 + 250 / 200, 12);
  });

  test('a range counts from the snapshot before its start to the last one before its end', async () => {
    const { get } = await startWithLoan();
    const start = (OCTOBER + DAY) * 1000n;
    const end = (OCTOBER + DAY + 13n * HOUR) * 1000n;
    const points = pointsIn(await get(`${EARNED}?start=${start}&end=${end}`));
    expect(points).toMatchObject([
      { [SOL_RESERVE]: { ts: ms(DAY + 12n * HOUR), nativeFees: '0.2' } },
    ]);
    expect(pointsIn(await get(`${PAID}?start=${end}&end=${start}`))).toEqual([]);
  });

  test('a debt that was not brought to its slot by a change goes on from where it was', async () => {
    const api = await startPastApi();
    await api.writer.append({
      points: [
        ...sample(0n, {}),
        ...sample(LATE, { grown: 1250n }),
        ...sample(DAY + LATE, { grown: 1500n }),
      ],
      // more is deposited, and nobody looks at the debt
      obligationStates: [loan(0n), loan(DAY + HOUR, { deposits: [[SOL_RESERVE, 9n]] })],
    });
    const natives = pointsIn(await api.get(PAID)).map((point) => point[USDC_RESERVE]?.nativeFees);
    expect(natives).toEqual(['25', '25']);
  });

  test('what was not sampled is told, and is counted with the next snapshot', async () => {
    const { get, writer } = await startWithLoan();
    const [since, until] = [OCTOBER + 2n * HOUR, OCTOBER + 3n * HOUR].map(toUnixSeconds);
    if (since === undefined || until === undefined) throw new Error('two times');
    await writer.append({ gaps: [{ name: 'sampler', since, until }] });
    const { headers } = await get(EARNED);
    expect(headers.get('x-gaps')).toBe('2025-10-01T02:00:00.000Z/2025-10-01T03:00:00.000Z');
  });

  test('a loan that is not in the market is missing, a wrong range is refused', async () => {
    const { get } = await startWithLoan();
    const missing = await get(EARNED.replace(LOAN, OTHER));
    expect(missing.status).toBe(404);
    expect(missing.body).toHaveProperty('metadata');
    expect((await get(EARNED.replace(GOLDEN_MARKET, OTHER))).status).toBe(404);
    expect((await get(`${PAID}?programId=${OTHER}`)).status).toBe(404);
    expect((await get(`${PAID}?start=yesterday`)).status).toBe(400);
  });
});
