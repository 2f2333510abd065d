import { encodeBase58 } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { lendingEventKinds as kinds, vaultEventKinds } from '#server/history/event-kinds.ts';
import type { EventInput } from '#server/history/schema/event-tables.ts';
import type { Batch } from '#server/history/writing/batch.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { lendingEvent, vaultEvent } from '../../support/history/history-rows.ts';
import { LOAN, LOAN_OWNER } from '../../support/history/loan-history-rows.ts';
import { GOLDEN_MARKET, SOL_RESERVE } from '../../support/history/reserve-history-rows.ts';
import { StreamClient } from '../../support/http/stream-client.ts';
import { assertAsyncProperty } from '../../support/properties/assert-property.ts';

const OCTOBER = BigInt(Date.UTC(2025, 9, 1) / 1000);
const VAULT = goldenVault('Steady USDC').address;
const PATIENTLY = { interval: 5 };

/** `number` is the transaction, and its slot unless another is given. */
const when = (number: number, slot: number) => ({
  number,
  at: OCTOBER + BigInt(slot),
  slot: BigInt(slot),
});

const lending = (
  number: number,
  changes: Partial<EventInput<'lendingEvent'>> & { readonly at?: never } = {},
  slot = number,
) =>
  lendingEvent(when(number, slot), {
    kind: kinds.indexOf('deposit'),
    wallet: LOAN_OWNER,
    market: GOLDEN_MARKET,
    obligation: LOAN,
    reserve: SOL_RESERVE,
    liquidityAmount: 1_500_000_000n,
    ...changes,
  });

const vault = (number: number) =>
  vaultEvent(when(number, number), {
    kind: vaultEventKinds.indexOf('withdrawFromAvailable'),
    wallet: LOAN_OWNER,
    vault: VAULT,
    tokenAmount: 2_250_000n,
  });

const signatureOf = ({ signature }: { readonly signature: Uint8Array }): string =>
  encodeBase58(signature);

async function start() {
  const api = await startHistoryApi();
  const open = async (query: string, headers: Record<string, string> = {}) => {
    const client = await StreamClient.open(`${api.url}/stream/transactions?${query}`, headers);
    onTestFinished(() => client.close());
    await expect.poll(() => client.lastEventId, PATIENTLY).not.toBe('');
    return client;
  };
  return { ...api, open };
}

const signaturesOf = (client: StreamClient, event = 'transaction'): string[] =>
  client.data(event).map((data) => (data as { signature: string }).signature);

test('a wallet gets its events as they are recorded, with what happened and where', async () => {
  const { open, writer } = await start();
  const client = await open(`wallet=${LOAN_OWNER}`);
  await writer.append({ lendingEvents: [lending(7)], vaultEvents: [vault(8)] });
  await expect.poll(() => client.events.length, PATIENTLY).toBe(2);
  expect(client.data('transaction')).toEqual([
    {
      product: 'lending',
      instruction: 'deposit',
      timestamp: '2025-10-01T00:00:07.000Z',
      slot: '7',
      signature: signatureOf(lending(7)),
      wallet: LOAN_OWNER,
      market: GOLDEN_MARKET,
      obligation: LOAN,
      reserve: SOL_RESERVE,
      vault: null,
      farm: null,
      tokenMint: null,
      tokenAmount: '1.5',
    },
    expect.objectContaining({
      product: 'vault',
      instruction: 'withdrawAvailable',
      vault: VAULT,
      tokenAmount: '2.25',
    }),
  ]);
});

test('a vault and a market get their own events', async () => {
  const { open, writer } = await start();
  const [ofVault, ofMarket] = [await open(`vault=${VAULT}`), await open(`market=${GOLDEN_MARKET}`)];
  await writer.append({ lendingEvents: [lending(1)], vaultEvents: [vault(2)] });
  await expect.poll(() => signaturesOf(ofVault), PATIENTLY).toEqual([signatureOf(vault(2))]);
  await expect.poll(() => signaturesOf(ofMarket), PATIENTLY).toEqual([signatureOf(lending(1))]);
});

test('exactly one subject and a valid cursor are required', async () => {
  const { get } = await start();
  const path = '/stream/transactions';
  for (const query of [
    '',
    `wallet=${LOAN_OWNER}&vault=${VAULT}`,
    'wallet=x',
    `wallet=${LOAN_OWNER}&cursor=x`,
    `wallet=${LOAN_OWNER}&cursor=1-2`,
    `wallet=${LOAN_OWNER}&cursor=`,
  ]) {
    expect((await get(`${path}?${query}`)).status, query).toBe(400);
  }
});

test('a client that comes back gets what it missed, also an event of an earlier slot', async () => {
  const { open, writer } = await start();
  const query = `wallet=${LOAN_OWNER}`;
  await writer.append({ lendingEvents: [lending(10)] });
  const first = await open(query);
  await writer.append({ lendingEvents: [lending(20)] });
  await expect.poll(() => signaturesOf(first), PATIENTLY).toEqual([signatureOf(lending(20))]);
  first.close();
  // found late
  await writer.append({ lendingEvents: [lending(15)], vaultEvents: [vault(16)] });
  await writer.append({ lendingEvents: [lending(30)] });
  const expected = [lending(15), vault(16), lending(30)].map(signatureOf);
  const resumed = await open(query, { 'last-event-id': first.lastEventId });
  await expect.poll(() => signaturesOf(resumed), PATIENTLY).toEqual(expected);
  const byCursor = await open(`${query}&cursor=${first.lastEventId}`);
  await expect.poll(() => signaturesOf(byCursor), PATIENTLY).toEqual(expected);
  // a second write of the same event is none
  await writer.append({ lendingEvents: [lending(15), lending(40)] });
  await expect
    .poll(() => signaturesOf(resumed), PATIENTLY)
    .toEqual([...expected, signatureOf(lending(40))]);
});

test('a stream that ends between two events of one batch continues with the second', async () => {
  const { open, writer } = await start();
  const client = await open(`wallet=${LOAN_OWNER}`);
  const batch = [1, 2, 3, 4, 5].map((number) => lending(number));
  await writer.append({ lendingEvents: batch });
  await expect.poll(() => client.events.length, PATIENTLY).toBe(5);
  const second = client.events[1]?.id ?? '';
  const resumed = await open(`wallet=${LOAN_OWNER}`, { 'last-event-id': second });
  const rest = batch.slice(2).map(signatureOf);
  await expect.poll(() => signaturesOf(resumed), PATIENTLY).toEqual(rest);
});

test('a client that is cut off before its first event loses nothing', async () => {
  const { open, writer } = await start();
  await writer.append({ lendingEvents: [lending(1)] });
  const client = await open(`wallet=${LOAN_OWNER}`);
  client.close();
  await writer.append({ lendingEvents: [lending(2)] });
  const resumed = await open(`wallet=${LOAN_OWNER}`, { 'last-event-id': client.lastEventId });
  await expect.poll(() => signaturesOf(resumed), PATIENTLY).toEqual([signatureOf(lending(2))]);
});

test('a client with an old cursor gets more than one page', async () => {
  const { open, writer } = await start();
  const all = Array.from({ length: 450 }, (_, index) => lending(index + 1));
  for (let at = 0; at < all.length; at += 30) {
    await writer.append({ lendingEvents: all.slice(at, at + 30) });
  }
  const client = await open(`market=${GOLDEN_MARKET}&cursor=0`);
  await expect.poll(() => client.events.length, PATIENTLY).toBe(450);
  expect(signaturesOf(client)).toEqual(all.map(signatureOf));
});

test('a rolled-back transaction is reported to those who had its events, also later', async () => {
  const { open, writer } = await start();
  const [wallet, market] = [
    await open(`wallet=${LOAN_OWNER}`),
    await open(`market=${GOLDEN_MARKET}`),
  ];
  const events = [lending(1), lending(1, { path: Uint8Array.of(3) }), lending(2)];
  await writer.append({ lendingEvents: events });
  await expect.poll(() => wallet.events.length, PATIENTLY).toBe(3);
  const before = wallet.lastEventId;
  await writer.removeTransactions([lending(1).signature]);
  const removed = { signature: signatureOf(lending(1)), slot: '1' };
  for (const client of [wallet, market]) {
    await expect.poll(() => client.data('removed'), PATIENTLY).toEqual([removed]);
  }
  // confirmed again, in another slot
  await writer.append({ lendingEvents: [lending(1, {}, 9)] });
  const resumed = await open(`wallet=${LOAN_OWNER}`, { 'last-event-id': before });
  await expect
    .poll(() => resumed.events.map(({ event }) => event), PATIENTLY)
    .toEqual(['removed', 'transaction']);
  expect(resumed.data('transaction')).toMatchObject([{ slot: '9' }]);
});

test('a repayment whose owner is found later comes once, for each who asks', async () => {
  const { open, writer } = await start();
  const repay = lending(1, { wallet: null, kind: kinds.indexOf('repay') });
  const [wallet, market] = [
    await open(`wallet=${LOAN_OWNER}`),
    await open(`market=${GOLDEN_MARKET}`),
  ];
  const start0 = wallet.lastEventId;
  await writer.append({ lendingEvents: [repay], loansToOwn: [LOAN] });
  await expect.poll(() => signaturesOf(market), PATIENTLY).toEqual([signatureOf(repay)]);
  await writer.append({ lendingEvents: [lending(2)], loansToOwn: [LOAN] });
  const both = [repay, lending(2)].map(signatureOf);
  await expect.poll(() => signaturesOf(market), PATIENTLY).toEqual(both);
  await expect.poll(() => signaturesOf(wallet), PATIENTLY).toEqual(both);
  const again = {
    wallet: await open(`wallet=${LOAN_OWNER}&cursor=${start0}`),
    market: await open(`market=${GOLDEN_MARKET}&cursor=${start0}`),
  };
  await expect.poll(() => signaturesOf(again.wallet), PATIENTLY).toEqual(both);
  await expect.poll(() => signaturesOf(again.market), PATIENTLY).toEqual(both);
});

test('a cursor that is ahead of the history waits for it', async () => {
  const { open, writer } = await start();
  await writer.append({ lendingEvents: [lending(1)] });
  const client = await open(`wallet=${LOAN_OWNER}&cursor=3`);
  await expect
    .poll(() => client.data('error'), PATIENTLY)
    .toMatchObject([{ code: 'HISTORY_INCOMPLETE' }]);
  for (const number of [2, 3, 4]) await writer.append({ lendingEvents: [lending(number)] });
  await expect.poll(() => signaturesOf(client), PATIENTLY).toEqual([signatureOf(lending(4))]);
});

test('property: nothing is lost or repeated, whatever is recorded and whenever a client reconnects', async () => {
  const { open, writer, history } = await start();
  let number = 0;
  const step = fc.oneof(
    fc.record({ record: fc.integer({ min: 1, max: 4 }), back: fc.integer({ min: 0, max: 3 }) }),
    fc.constant('reconnect' as const),
  );
  await assertAsyncProperty(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      let client = await open(`wallet=${LOAN_OWNER}`);
      const received: string[] = [];
      const expected: string[] = [];
      const reconnect = async () => {
        client.close();
        received.push(...signaturesOf(client));
        const headers = { 'last-event-id': client.lastEventId };
        client = await open(`wallet=${LOAN_OWNER}`, headers);
      };
      for (const each of steps) {
        if (each === 'reconnect') await reconnect();
        else {
          const numbers = Array.from({ length: each.record }, () => ++number);
          // those of a batch are in the order of their slots
          const rows = numbers.map((one, index) => lending(one, {}, 1000 - each.back * 10 + index));
          await writer.append({ lendingEvents: rows } satisfies Batch);
          expected.push(...rows.map(signatureOf));
        }
      }
      await expect.poll(() => [...received, ...signaturesOf(client)], PATIENTLY).toEqual(expected);
      client.close();
    }),
    15,
  );
  expect(history.engine).toBe('pglite');
});

test('a database that fails is an error event, and nothing is lost afterwards', async () => {
  const { open, writer, history } = await start();
  const client = await open(`wallet=${LOAN_OWNER}`);
  await history.db.schema.alterTable('recording_order').renameTo('hidden_order').execute();
  await expect.poll(() => client.data('error'), PATIENTLY).toHaveLength(1);
  await history.db.schema.alterTable('hidden_order').renameTo('recording_order').execute();
  await writer.append({ lendingEvents: [lending(1)] });
  await expect.poll(() => signaturesOf(client), PATIENTLY).toEqual([signatureOf(lending(1))]);
});
