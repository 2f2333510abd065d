import { status } from '@grpc/grpc-js';
import { expect, onTestFinished, test } from 'vitest';
import { addressFromBytes, toAddress } from '#core/base/encoding/address.ts';
import type { SubscriptionListener } from '#server/chain/source/chain-source.ts';
import { createGeyserSource } from '#server/chain/streams/geyser-source.ts';
import { ReconnectingStream } from '#server/chain/streams/reconnecting-stream.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { FakeGeyser } from '../../support/grpc/fake-geyser.ts';
import { repayTransaction } from '../../support/grpc/mainnet-stream-transactions.ts';
import { referenceEncode } from '../../support/reference/reference-base58.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const scan = { program, filters: [] };
const { json } = repayTransaction();

const signatureOf = (byte: number) => referenceEncode(new Uint8Array(64).fill(byte));
const transactionOf = (byte: number) => {
  const transaction = { ...json.transaction, signatures: [signatureOf(byte)] };
  return { json: { ...json, transaction } };
};

const contentOf = (slot: bigint) => ({
  slot,
  unix: 1_000n + slot,
  accounts: [
    {
      address: addressFromBytes(new Uint8Array(32).fill(Number(slot))),
      account: { owner: program, lamports: 1n, data: Uint8Array.of(Number(slot)) },
    },
  ],
});

/** A stream with one program and slots, and what its listeners got, in order. */
async function setUp() {
  const server = await FakeGeyser.start();
  const source = createGeyserSource({ url: server.url, commitment: 'confirmed' });
  const stream = new ReconnectingStream([source], {
    newestSlot: () => undefined,
    maxLagSlots: 100n,
    clock: Date.now,
    random: () => 0,
    log: silentLog,
    retryMs: 1,
  });
  onTestFinished(() => {
    stream.close();
    server.stop();
  });
  const events: string[] = [];
  const listener: SubscriptionListener = {
    onAccount: ({ account }) => events.push(`account ${account?.data[0]}`),
    onSlot: (slot) => events.push(`slot ${slot}`),
    onGap: (reason) => events.push(`gap: ${reason}`),
  };
  const slotListener = { ...listener, onGap: () => undefined };
  const slots = stream.subscribe({ kind: 'slots' }, slotListener);
  const accounts = stream.subscribe({ kind: 'program', scan }, listener);
  await expect.poll(() => server.requests.length).toBe(1);
  server.addSlot(contentOf(10n));
  await Promise.all([slots.ready, accounts.ready]);
  await expect.poll(() => events).toEqual(['account 10', 'slot 10']);
  /** Waits until another connection has sent its filters. */
  const waitForRequest = async (count: number) => {
    const countRequests = () => server.requests.filter(({ ping }) => ping === undefined).length;
    await expect.poll(countRequests).toBeGreaterThanOrEqual(count);
  };
  return { server, stream, events, waitForRequest };
}

test('a dropped stream resumes after its last slot, without a gap and without duplicates', async () => {
  const { server, events, waitForRequest } = await setUp();
  server.addSlot(contentOf(11n));
  // the status of this slot is lost
  server.sendContent(contentOf(12n));
  await expect.poll(() => events.at(-1)).toBe('slot 11');
  server.drop();
  server.addSlot(contentOf(12n));
  server.addSlot(contentOf(13n));
  await waitForRequest(2);
  expect(server.requests[1]).toMatchObject({ fromSlot: '11', accounts: { f1: {} } });
  server.addSlot(contentOf(14n));
  await expect.poll(() => events.at(-1)).toBe('slot 14');
  const accounts = events.filter((event) => !event.startsWith('slot'));
  expect(accounts).toEqual([10, 11, 12, 13, 14].map((slot) => `account ${slot}`));
});

test('a server that repeats the status of a slot before its content resumes as well', async () => {
  const { server, events, waitForRequest } = await setUp();
  server.statusFirst = true;
  server.drop();
  for (const slot of [11n, 12n]) server.addSlot(contentOf(slot));
  await waitForRequest(2);
  server.addSlot(contentOf(13n));
  await expect.poll(() => events.at(-1)).toBe('slot 13');
  const rest = events.filter((event) => !event.startsWith('slot'));
  expect(rest).toEqual([10, 11, 12, 13].map((slot) => `account ${slot}`));
  expect(events.indexOf('account 12')).toBeLessThan(events.lastIndexOf('slot 13'));
});

test('a resumed stream is dropped again before its first slot, and still misses nothing', async () => {
  const { server, events } = await setUp();
  server.rejection = { code: status.UNAVAILABLE, details: 'restarting' };
  server.drop();
  await expect.poll(() => server.requests.length).toBeGreaterThan(2);
  server.rejection = undefined;
  server.addSlot(contentOf(11n));
  await expect.poll(() => events.at(-1)).toBe('slot 11');
  expect(server.requests.slice(1).every(({ fromSlot }) => fromSlot === '10')).toBe(true);
  expect(events.filter((event) => event.startsWith('gap'))).toEqual([]);
});

test.each([
  ['refuses', 'refused', /^gap: broadcast from 10 is not available/],
  ['does not know', 'ignored', /^gap: .*it continues at slot 15, not after 10/],
] as const)(
  'a server that %s the slot causes one gap, and then sends updates',
  async (_, replay, gap) => {
    const { server, events, waitForRequest } = await setUp();
    server.replay = replay;
    server.drop();
    await waitForRequest(2);
    if (replay === 'ignored') server.addSlot(contentOf(15n));
    await waitForRequest(3);
    expect(server.requests.map(({ fromSlot }) => fromSlot)).toEqual([undefined, '10', undefined]);
    server.addSlot(contentOf(16n));
    await expect.poll(() => events.at(-1)).toBe('slot 16');
    const rest = events.slice(2).filter((event) => !event.startsWith('slot'));
    expect(rest).toHaveLength(2);
    expect(rest).toContain('account 16');
    expect(rest.find((event) => event.startsWith('gap'))).toMatch(gap);
    // the next drop resumes again
    server.replay = 'supported';
    server.drop();
    await waitForRequest(4);
    expect(server.requests[3]?.fromSlot).toBe('16');
  },
);

test('transactions are delivered once, before their slot, across a drop', async () => {
  const { server, stream, waitForRequest } = await setUp();
  const events: string[] = [];
  const subscription = stream.subscribe(
    { kind: 'transactions', mentions: [program] },
    {
      onAccount: () => undefined,
      onTransaction: ({ signature }) => events.push(signature),
      onSlot: (slot) => events.push(`slot ${slot}`),
      onGap: (reason) => events.push(reason),
    },
  );
  await waitForRequest(2);
  server.addSlot({ slot: 11n, unix: 1n });
  await subscription.ready;
  server.addSlot({ slot: 12n, unix: 1n, transactions: [transactionOf(1)] });
  await expect.poll(() => events.at(-1)).toBe('slot 12');
  server.drop();
  server.addSlot({ slot: 13n, unix: 1n, transactions: [transactionOf(2)] });
  await waitForRequest(3);
  server.addSlot({ slot: 14n, unix: 1n, transactions: [transactionOf(3)] });
  await expect.poll(() => events.at(-1)).toBe('slot 14');
  const rest = events.filter((event) => !event.startsWith('slot'));
  expect(rest).toEqual([1, 2, 3].map(signatureOf));
  expect(events.indexOf(signatureOf(3))).toBeLessThan(events.indexOf('slot 14'));
});
