import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { lendingEventKinds } from '#server/history/event-kinds.ts';
import { queueAndOrderEventsMigration } from '#server/history/migrations/0004-queue-and-order-events.ts';
import type { EventInput } from '#server/history/schema/event-tables.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { lendingEvent } from '../../support/history/history-rows.ts';
import { LOAN, LOAN_OWNER, loanState } from '../../support/history/loan-history-rows.ts';
import {
  GOLDEN_MARKET,
  goldenReservePoint,
  SOL_RESERVE,
} from '../../support/history/reserve-history-rows.ts';
import { readJson } from '../../support/http/test-api.ts';
import { numberedAddress } from '../../support/protocol/codecs.ts';
import { referenceEncode } from '../../support/reference/reference-base58.ts';

const OCTOBER = BigInt(Date.UTC(2025, 9, 1) / 1000);
const SOL_MINT = toAddress('So11111111111111111111111111111111111111112');
const TICKET = numberedAddress(4242);
const VAULT = goldenVault('SOL Earn').address;

const event = (
  number: number,
  kind: (typeof lendingEventKinds)[number],
  changes: Partial<EventInput<'lendingEvent'>> = {},
): EventInput<'lendingEvent'> =>
  lendingEvent(
    { number, at: OCTOBER + BigInt(number), slot: BigInt(number) },
    {
      kind: lendingEventKinds.indexOf(kind),
      wallet: LOAN_OWNER,
      market: GOLDEN_MARKET,
      reserve: SOL_RESERVE,
      mint: SOL_MINT,
      liquidityAmount: null,
      collateralAmount: null,
      feeAmount: null,
      priceSf: sfFromInt(150n),
      solPriceSf: sfFromInt(150n),
      ...changes,
    },
  );

const deposit = event(2, 'deposit', { obligation: LOAN, liquidityAmount: 5_000_000_000n });
/** Of 4 cTokens; at 12 tokens per 8 cTokens they are worth 6 tokens. */
const enqueue = event(3, 'enqueueToWithdraw', {
  collateralAmount: 4_000_000_000n,
  withdrawTicket: TICKET,
  vault: VAULT,
});
const payment = event(4, 'withdrawQueuedLiquidity', {
  collateralAmount: 1_000_000_000n,
  liquidityAmount: 1_500_000_000n,
  withdrawTicket: TICKET,
});

async function startWith(...lendingEvents: EventInput<'lendingEvent'>[]) {
  const api = await startHistoryApi();
  await api.writer.append({
    lendingEvents,
    points: [
      goldenReservePoint({
        reserve: SOL_RESERVE,
        at: OCTOBER,
        slot: 1n,
        available: 12_000_000_000n,
        collateral: 8_000_000_000n,
      }),
    ],
    obligationStates: [loanState({ at: OCTOBER + 2n, slot: 2n })],
  });
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    return readJson(
      await fetch(`${api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    );
  };
  return { ...api, post };
}

const signatureOf = (number: number) =>
  referenceEncode(new Uint8Array(64).fill(number).fill(0, 0, 1));

const queued = {
  createdOn: '2025-10-01T00:00:03.000Z',
  timestamp: Number(OCTOBER + 3n) * 1000,
  transactionSignature: signatureOf(3),
  transactionName: 'enqueueToWithdraw',
  transactionDisplayName: 'Queue Withdrawal',
  reserve: SOL_RESERVE,
  withdrawTicket: TICKET,
  solPrice: '150',
  liquidityToken: 'SOL',
  liquidityTokenMint: SOL_MINT,
  liquidityTokenAmount: '6',
  liquidityTokenPrice: '150',
  liquidityUsdValue: '900',
};

const inMarket = `/v3/svc-market/${GOLDEN_MARKET}/users/${LOAN_OWNER}/transactions`;
const ofMarket = `/v3/svc-market/${GOLDEN_MARKET}/transactions`;
const ofVault = `/kvaults/vaults/${VAULT}/enqueued-withdraw-transactions`;
const fillsOfLoan = `/v2/svc-market/obligations/${LOAN}/borrow-order-fills`;

test('transactions of a wallet have those of its loans and of queues', async () => {
  const { get } = await startWith(deposit, enqueue, payment);
  type Body = { obligations: Record<string, unknown[]>; withdrawQueueTransactions: unknown[] };
  const body = (await get(inMarket)).body as Body;
  expect(body.obligations).toEqual({
    [LOAN]: [
      expect.objectContaining({ transactionDisplayName: 'Deposit', liquidityTokenAmount: '5' }),
    ],
  });
  const paid = { transactionName: 'withdrawQueuedLiquidity', liquidityTokenAmount: '1.5' };
  expect(body.withdrawQueueTransactions).toEqual([queued, expect.objectContaining(paid)]);
  const newestFirst = (await get(`${inMarket}?sort=desc`)).body as Body;
  expect(newestFirst.withdrawQueueTransactions).toEqual(
    body.withdrawQueueTransactions.toReversed(),
  );
  const all = (await get(`/v3/svc-market/users/${LOAN_OWNER}/transactions`)).body;
  expect(all).toEqual([{ market: GOLDEN_MARKET, ...body }]);
});

test('transactions of a market are listed by loan or ticket, queued ones also by vault', async () => {
  const { get, post } = await startWith(deposit, enqueue, payment);
  expect((await get(ofVault)).body).toEqual([queued]);
  const { body: queue } = await post(ofMarket, { instruction: 'enqueueToWithdraw' });
  expect(queue).toEqual({
    obligationTransactions: [],
    withdrawQueueTransactions: [
      {
        ixs: [expect.objectContaining({ instruction: 'enqueueToWithdraw', collateralAmount: '4' })],
        timestamp: '2025-10-01T00:00:03.000Z',
        signature: signatureOf(3),
        wallet: LOAN_OWNER,
        reserve: SOL_RESERVE,
        withdrawTicket: TICKET,
      },
    ],
  });
  const { body: loans } = await post(ofMarket, { instruction: 'deposit' });
  expect(loans).toMatchObject({
    obligationTransactions: [{ obligation: LOAN, signature: signatureOf(2) }],
    withdrawQueueTransactions: [],
  });
});

test('fills of an order have the filled amount in base units', async () => {
  const fill = { obligation: LOAN, debtAmount: 70n, eventIndex: 1 };
  const { get } = await startWith(
    deposit,
    event(5, 'borrow', { obligation: LOAN, liquidityAmount: 70n }),
    event(5, 'borrowOrderPartialFill', fill),
    event(6, 'borrowOrderFullFill', { ...fill, debtAmount: 30n }),
  );
  const common = { debtLiquidityMint: SOL_MINT };
  expect((await get(fillsOfLoan)).body).toEqual({
    fills: [
      {
        ...common,
        eventType: 'partial_fill',
        eventTimestamp: '2025-10-01T00:00:05.000Z',
        transactionSignature: signatureOf(5),
        filledAmount: '70',
      },
      {
        ...common,
        eventType: 'full_fill',
        eventTimestamp: '2025-10-01T00:00:06.000Z',
        transactionSignature: signatureOf(6),
        filledAmount: '30',
      },
    ],
  });
});

test('what an earlier release did not record is not claimed', async () => {
  const { get, post, history, writer } = await startWith(deposit, enqueue);
  const { slot, at } = enqueue;
  await writer.append({ checkpoint: { name: 'events', direction: 'newer', slot, at } });
  const [, , mark = ''] = queueAndOrderEventsMigration.statements({ hasTimescale: false });
  await sql.raw(mark).execute(history.db);
  const now = goldenCluster().at;
  await writer.append({
    checkpoint: { name: 'events', direction: 'newer', slot: now.slot, at: now.unix },
  });
  expect((await get(fillsOfLoan)).status).toBe(503);
  const profit = await get(`/v2/svc-market/${GOLDEN_MARKET}/obligations/${LOAN}/pnl`);
  expect([profit.status, profit.body]).toEqual([
    503,
    {
      code: 'HISTORY_INCOMPLETE',
      error: expect.stringContaining('fills of its orders are recorded since 2025-10-01'),
    },
  ]);
  const list = await post(ofMarket, { instruction: 'enqueueToWithdraw' });
  expect(list.body).toMatchObject({ withdrawQueueTransactions: [] });
  expect(list.headers.get('x-gaps')).toMatch(
    /^1970-01-01T00:00:00.000Z\/2025-10-01T00:00:03.000Z$/,
  );
  expect((await get(ofVault)).body).toEqual([]);
});
