import { describe, expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
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
const DAY = 86_400n;
const HOUR = 3_600n;
const ONE = 2n ** 60n;
const solMint = toAddress('So11111111111111111111111111111111111111112');
const OTHER = goldenVault('Steady USDC').address;

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

/** The SOL per cToken in thousandths, and the cumulative borrow rate `grown` in thousandths. */
const sample = (
  seconds: bigint,
  { worth = 1000n, grown = 1000n, sol = 150n }: Then,
): SeriesPoint[] => [
  goldenReservePoint({
    reserve: SOL_RESERVE,
    ...when(seconds),
    price: sfFromInt(sol),
    available: worth * 10n ** 9n,
    collateral: 10n ** 12n,
  }),
  goldenReservePoint({
    reserve: USDC_RESERVE,
    ...when(seconds),
    available: 10n ** 9n,
    cumulativeRate: (ONE * grown) / 1000n,
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

const LATE = DAY - 60n;
/** Three days; on the second, the deposit and the debt are doubled at noon. */
async function startWithLoan() {
  const api = await startHistoryApi();
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

describe('loan interest', () => {
  test('of deposits is the increase in the cToken value, at the prices of each day', async () => {
    const { get } = await startWithLoan();
    const response = await get(EARNED);
    // 10 % of 2 SOL; then 10 % of 2 and 10 % of 4
    expect(pointsIn(response)).toEqual([
      { [SOL_RESERVE]: { ts: ms(LATE), nativeFees: '0.2', usdFees: '30', solFees: '0.2' } },
      { [SOL_RESERVE]: { ts: ms(DAY + LATE), nativeFees: '0.6', usdFees: '120', solFees: '0.6' } },
      {
        [SOL_RESERVE]: { ts: ms(2n * DAY + LATE), nativeFees: '0', usdFees: '0', solFees: '0' },
      },
    ]);
    const { totalFeesEarnedObligation: total } = response.body as Report;
    expect(total).toEqual({ [LOAN]: { ts: ms(2n * DAY + LATE), usdFees: '150', solFees: '0.8' } });
  });

  test('of debts follows the borrow rate and excludes new borrows', async () => {
    const { get } = await startWithLoan();
    const response = await get(PAID);
    // from 100 to 150; to 200, and 400 to 600
    const natives = pointsIn(response).map((point) => point[USDC_RESERVE]?.nativeFees);
    expect(natives).toEqual(['50', '250', '0']);
    const { totalFeesPaidObligation: total } = response.body as Report;
    expect(total?.[LOAN]).toMatchObject({ usdFees: '300' });
    // 50 USD at 150 USD per SOL, then 250 at 200
    expect(Number(total?.[LOAN]?.solFees)).toBeCloseTo(50 / 150 + 250 / 200, 12);
  });

  test('of a range starts at the snapshot before its start and ends at the last one before its end', async () => {
    const { get } = await startWithLoan();
    const start = (OCTOBER + DAY) * 1000n;
    const end = (OCTOBER + DAY + 13n * HOUR) * 1000n;
    const points = pointsIn(await get(`${EARNED}?start=${start}&end=${end}`));
    expect(points).toMatchObject([
      { [SOL_RESERVE]: { ts: ms(DAY + 12n * HOUR), nativeFees: '0.2' } },
    ]);
    expect(pointsIn(await get(`${PAID}?start=${end}&end=${start}`))).toEqual([]);
  });

  test('of a day ends with the snapshot at midnight', async () => {
    const api = await startHistoryApi();
    await api.writer.append({
      points: [
        ...sample(0n, {}),
        ...sample(23n * HOUR, { grown: 1200n }),
        ...sample(DAY, { grown: 1250n }),
        ...sample(2n * DAY, { grown: 1500n }),
      ],
      obligationStates: [loan(0n)],
    });
    expect(pointsIn(await api.get(PAID))).toMatchObject([
      { [USDC_RESERVE]: { ts: ms(DAY), nativeFees: '25' } },
      { [USDC_RESERVE]: { ts: ms(2n * DAY), nativeFees: '25' } },
    ]);
  });

  test('of a debt that a change did not refresh continues from its last refresh', async () => {
    const api = await startHistoryApi();
    await api.writer.append({
      points: [
        ...sample(0n, {}),
        ...sample(LATE, { grown: 1250n }),
        ...sample(DAY + LATE, { grown: 1500n }),
      ],
      // a deposit without a refresh of the debt
      obligationStates: [loan(0n), loan(DAY + HOUR, { deposits: [[SOL_RESERVE, 9n]] })],
    });
    const natives = pointsIn(await api.get(PAID)).map((point) => point[USDC_RESERVE]?.nativeFees);
    expect(natives).toEqual(['25', '25']);
  });

  test('of a gap is reported and included with the next snapshot', async () => {
    const { get, writer } = await startWithLoan();
    const [since, until] = [OCTOBER + 2n * HOUR, OCTOBER + 3n * HOUR].map(toUnixSeconds);
    if (since === undefined || until === undefined) throw new Error('two times');
    await writer.append({ gaps: [{ name: 'sampler', since, until }] });
    const { headers } = await get(EARNED);
    expect(headers.get('x-gaps')).toBe('2025-10-01T02:00:00.000Z/2025-10-01T03:00:00.000Z');
  });

  test('of a loan in another market returns 404, and an invalid range is rejected', async () => {
    const { get } = await startWithLoan();
    const missing = await get(EARNED.replace(LOAN, OTHER));
    expect(missing.status).toBe(404);
    expect(missing.body).toHaveProperty('metadata');
    expect((await get(EARNED.replace(GOLDEN_MARKET, OTHER))).status).toBe(404);
    expect((await get(`${PAID}?programId=${OTHER}`)).status).toBe(404);
    expect((await get(`${PAID}?start=yesterday`)).status).toBe(400);
  });
});
