import { describe, expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { lendingEventKinds } from '#server/history/event-kinds.ts';
import type { EventInput } from '#server/history/schema/event-tables.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenReserve, goldenUser } from '../../support/golden/golden-addresses.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { lendingEvent } from '../../support/history/history-rows.ts';
import { LOAN, loanState } from '../../support/history/loan-history-rows.ts';
import {
  GOLDEN_MARKET,
  goldenReservePoint,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../support/history/reserve-history-rows.ts';

const OCTOBER = BigInt(Date.UTC(2025, 9, 1) / 1000);
const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const OWNER = goldenUser('treasury').address;
const JITOSOL_RESERVE = goldenReserve('Main Market', 'JITOSOL').address;

const path = (obligation: string = LOAN, query = '') =>
  `/v2/svc-market/${GOLDEN_MARKET}/obligations/${obligation}/pnl${query}`;

type Kind = (typeof lendingEventKinds)[number];

/** The nth event, in its own slot, with SOL at 200 USD. */
const event = (
  number: number,
  kind: Kind,
  changes: Partial<EventInput<'lendingEvent'>>,
): EventInput<'lendingEvent'> =>
  lendingEvent(
    { number, at: OCTOBER + BigInt(number), slot: BigInt(number) },
    {
      kind: lendingEventKinds.indexOf(kind),
      market: GOLDEN_MARKET,
      obligation: LOAN,
      collateralAmount: null,
      feeAmount: null,
      solPriceSf: sfFromInt(200n),
      ...changes,
    },
  );

const sol = (amount: bigint, price: bigint) => ({
  reserve: SOL_RESERVE,
  liquidityAmount: amount,
  priceSf: sfFromInt(price),
});
const usdc = (amount: bigint) => ({
  reserve: USDC_RESERVE,
  liquidityAmount: amount,
  priceSf: sfFromInt(1n),
});
const emptyAt = (number: number, obligation: Address = LOAN) =>
  loanState({ at: OCTOBER + BigInt(number), slot: BigInt(number), obligation });

describe('loan PnL', () => {
  test('of a loan without a value is withdrawals minus deposits', async () => {
    const { get, writer } = await startHistoryApi();
    await writer.append({
      lendingEvents: [
        event(1, 'initObligation', { liquidityAmount: null }),
        event(2, 'deposit', { ...sol(3_000_000_000n, 150n), collateralAmount: 3n }),
        event(3, 'borrow', {
          ...usdc(100_000_000n),
          debtAmount: 101_000_000n,
          feeAmount: 1_000_000n,
        }),
        event(4, 'repay', usdc(40_000_000n)),
        event(4, 'repayForOther', { ...usdc(40_000_000n), eventIndex: 2 }),
        event(5, 'withdraw', { ...sol(1_000_000_000n, 160n), collateralAmount: 1n }),
      ],
    });
    // in: 450 and 40 USD; out: 100 and 160 USD; 200 USD per SOL
    expect((await get(path())).body).toEqual({
      usd: '-230',
      sol: '-1.15',
      invested: { usd: '230', sol: '1.15' },
    });
  });

  test('of a liquidated loan counts what its owner paid and received, also without prices', async () => {
    const { get, writer } = await startHistoryApi();
    const seized = { collateralAmount: 2_000_000_000n, redeemedAmount: 500_000_000n };
    const unpriced = { priceSf: null, solPriceSf: null };
    await writer.append({
      lendingEvents: [
        event(1, 'deposit', sol(3_000_000_000n, 100n)),
        event(2, 'borrow', usdc(120_000_000n)),
        event(3, 'liquidationRepay', { ...usdc(50_000_000n), debtAmount: 50_000_000n }),
        event(4, 'liquidationWithdraw', { ...sol(600_000_000n, 100n), ...seized, ...unpriced }),
        event(5, 'liquidate', { ...usdc(600_000_000n), ...seized }),
      ],
    });
    expect((await get(path())).body).toMatchObject({ usd: '-180', invested: { usd: '180' } });
  });

  test('values moved cTokens with the last snapshot', async () => {
    const { get, writer } = await startHistoryApi();
    const snapshot = goldenReservePoint({
      reserve: SOL_RESERVE,
      at: OCTOBER + 5n,
      slot: 5n,
      available: 3_000_000_000n,
      collateral: 1_000_000_000n,
    });
    const moved = (collateralAmount: bigint) => ({
      ...sol(0n, 100n),
      liquidityAmount: null,
      collateralAmount,
    });
    await writer.append({
      points: [snapshot],
      lendingEvents: [
        event(6, 'depositObligationCollateral', moved(2_000_000n)),
        event(7, 'withdrawObligationCollateral', moved(500_000n)),
      ],
    });
    // 3 SOL per cToken: 0.0045 SOL at 100 USD
    expect((await get(path())).body).toMatchObject({ invested: { usd: '0.45', sol: '0.00225' } });
  });

  test('restarts when the loan becomes empty, unless the full history is requested', async () => {
    const { get, writer } = await startHistoryApi();
    await writer.append({
      lendingEvents: [
        event(1, 'deposit', sol(1_000_000_000n, 100n)),
        event(2, 'withdraw', sol(1_000_000_000n, 130n)),
        event(4, 'deposit', sol(1_000_000_000n, 90n)),
      ],
      obligationStates: [emptyAt(0), emptyAt(2)],
    });
    const invested = async (query: string) =>
      ((await get(path(LOAN, query))).body as { invested: { usd: string } }).invested.usd;
    expect(await invested('')).toBe('90');
    expect(await invested('?positionMode=current_obligation')).toBe('90');
    expect(await invested('?positionMode=obligation_all_time')).toBe('60');
    expect(await invested('?pnlMode=obligation_all_time')).toBe('60');
    expect(await invested('?positionMode=current_obligation&pnlMode=obligation_all_time')).toBe(
      '90',
    );
    expect((await get(path(LOAN, '?pnlMode=all'))).status).toBe(400);
    expect((await get(path(LOAN, '?positionMode=all'))).status).toBe(400);
  });

  test('restarts at a loan that was emptied and opened again between two recorded states', async () => {
    const { get, writer } = await startHistoryApi();
    const collateral = (cTokens: bigint) => ({ collateralAmount: cTokens });
    await writer.append({
      lendingEvents: [
        event(1, 'deposit', { ...sol(1_000_000_000n, 100n), ...collateral(900n) }),
        event(2, 'withdraw', { ...sol(1_000_000_000n, 130n), ...collateral(900n) }),
        event(4, 'deposit', { ...sol(1_000_000_000n, 90n), ...collateral(890n) }),
      ],
      obligationStates: [emptyAt(0)],
    });
    const invested = async (query: string) =>
      ((await get(path(LOAN, query))).body as { invested: { usd: string } }).invested.usd;
    expect(await invested('')).toBe('90');
    expect(await invested('?positionMode=obligation_all_time')).toBe('60');
  });

  test('restarts at a loan whose account was created again', async () => {
    const { get, writer } = await startHistoryApi();
    await writer.append({
      lendingEvents: [
        event(1, 'initObligation', { liquidityAmount: null }),
        event(2, 'deposit', sol(1_000_000_000n, 100n)),
        event(3, 'withdraw', sol(1_000_000_000n, 130n)),
        event(5, 'initObligation', { liquidityAmount: null }),
        event(6, 'deposit', sol(1_000_000_000n, 90n)),
      ],
      obligationStates: [emptyAt(0)],
    });
    expect((await get(path())).body).toMatchObject({ invested: { usd: '90' } });
  });

  test('values staked SOL at the stake rate on request', async () => {
    const { get, writer } = await startHistoryApi();
    const staked = {
      reserve: JITOSOL_RESERVE,
      liquidityAmount: 2_000_000_000n,
      priceSf: sfFromInt(240n),
      stakeRate: { numerator: 5n, denominator: 4n },
    };
    await writer.append({ lendingEvents: [event(1, 'deposit', staked)] });
    // 480 USD are 2.4 SOL; at the stake rate they are 2.5 SOL
    const inSol = async (query: string) =>
      ((await get(path(LOAN, query))).body as { invested: unknown }).invested;
    expect(await inSol('')).toEqual({ usd: '480', sol: '2.4' });
    expect(await inSol('?useStakeRate=true')).toEqual({ usd: '480', sol: '2.5' });
  });

  test('of an open loan uses its current value', async () => {
    const { get, writer } = await startHistoryApi();
    const { body } = await get(`/svc-market/${GOLDEN_MARKET}/users/${OWNER}/obligations`);
    const [open] = body as { obligationAddress: Address; refreshedStats: Record<string, string> }[];
    const obligation = toAddress(String(open?.obligationAddress));
    const deposit = { ...usdc(70_000_000n), obligation };
    await writer.append({ lendingEvents: [event(1, 'deposit', deposit)] });
    const pnl = (await get(path(obligation))).body as Record<string, string>;
    const worth = Number(open?.refreshedStats['netAccountValue']);
    expect((Number(pnl['usd']) + 70) / worth).toBeCloseTo(1, 12);
    expect(Number(pnl['usd'])).not.toBe(-70);
  });

  test('marks current prices that are older than their reserves accept', async () => {
    const { at } = goldenCluster();
    const reader = goldenReader({ at: { ...at, unix: toUnixSeconds(at.unix + 86_400n) } });
    const { get, writer } = await startHistoryApi({ reader });
    const [open] = reader.obligationsOf(OWNER);
    const obligation = toAddress(String(open?.address));
    await writer.append({
      lendingEvents: [event(1, 'deposit', { ...usdc(70_000_000n), obligation })],
    });
    const { headers } = await get(path(obligation));
    // SOL, for values in SOL, and the tokens of the loan
    const tokens = ['So11111111111111111111111111111111111111112', USDC_MINT];
    for (const mint of tokens) {
      expect(headers.get('x-stale-prices')).toMatch(new RegExp(`${mint};age=86\\d{3}`));
    }
    expect((await get(path())).headers.get('x-stale-prices')).toBeNull();
  });

  test('of an unknown loan or market, or of another program, is zero', async () => {
    const { get, writer } = await startHistoryApi();
    await writer.append({ lendingEvents: [event(1, 'deposit', sol(1_000_000_000n, 100n))] });
    const nothing = { usd: '0', sol: '0', invested: { usd: '0', sol: '0' } };
    expect((await get(path(USDC_RESERVE))).body).toEqual(nothing);
    expect((await get(path().replace(GOLDEN_MARKET, SOL_RESERVE))).body).toEqual(nothing);
    const other = 'SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh';
    expect((await get(path(LOAN, `?programId=${other}`))).body).toEqual(nothing);
  });

  test('reports gaps since its first event', async () => {
    const { get, writer } = await startHistoryApi();
    const gap = (from: bigint) => ({
      name: 'sampler',
      since: toUnixSeconds(OCTOBER + from),
      until: toUnixSeconds(OCTOBER + from + 60n),
    });
    await writer.append({
      lendingEvents: [event(1, 'deposit', sol(1n, 100n))],
      gaps: [gap(-600n), gap(600n)],
    });
    const response = await get(path());
    expect(response.headers.get('x-gaps')).toBe(
      '2025-10-01T00:10:00.000Z/2025-10-01T00:11:00.000Z',
    );
  });
});
