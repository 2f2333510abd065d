import { type AddressInfo, createServer, type Socket } from 'node:net';
import { status } from '@grpc/grpc-js';
import { expect, onTestFinished, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import type {
  AccountUpdate,
  StreamedTransaction,
  TransactionNotice,
} from '#server/chain/source/chain-source.ts';
import {
  createGeyserSource,
  type GeyserSourceOptions,
} from '#server/chain/streams/geyser-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeGeyser, SLOT_STATUS } from '../../support/grpc/fake-geyser.ts';
import {
  flashLoanTransaction,
  repayTransaction,
} from '../../support/grpc/mainnet-stream-transactions.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const address = toAddress('KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd');
const account = { owner: program, lamports: 18_446_744_073_709_551_615n, data: Uint8Array.of(1) };

async function setUp(options: Partial<GeyserSourceOptions> = {}) {
  const server = await FakeGeyser.start();
  const source = createGeyserSource({ url: server.url, commitment: 'confirmed', ...options });
  const slots: string[] = [];
  const dead: bigint[] = [];
  const closed: string[] = [];
  const stream = await source.open({
    onSlot: (slot, unix) => slots.push(`${slot} ${unix ?? '-'}`),
    onSlotDead: (slot) => dead.push(slot),
    onClosed: (reason) => closed.push(reason),
  });
  onTestFinished(() => {
    stream.close();
    server.stop();
  });
  /** Sends a slot as soon as the server has the filters of a number of requests. */
  const activate = async (slot: bigint, requests = 1) => {
    await expect.poll(() => server.requests.length).toBe(requests);
    server.addSlot({ slot, unix: 1_000n + slot });
  };
  return { server, source, stream, slots, dead, closed, activate };
}

const scan = { program, filters: [] };

test('subscriptions are sent together and are active when a slot arrives under their name', async () => {
  const { server, stream, slots, activate } = await setUp();
  const [first, second]: [AccountUpdate[], AccountUpdate[]] = [[], []];
  const all = Promise.all([
    stream.subscribe({ kind: 'program', scan }, (update) => first.push(update)),
    stream.subscribe({ kind: 'accounts', addresses: [address] }, (update) => second.push(update)),
  ]);
  let isActive = false;
  void all.then(() => {
    isActive = true;
  });
  await expect.poll(() => server.requests.length).toBe(1);
  server.sendStatus(9n, SLOT_STATUS.processed);
  await activate(10n);
  const [unsubscribe] = await all;
  expect(isActive).toBe(true);
  expect(slots).toEqual(['10 1010']);
  server.addSlot({ slot: 11n, unix: 1_011n, accounts: [{ address, account }] });
  server.addSlot({ slot: 12n, unix: 1_012n, accounts: [{ address, account: undefined }] });
  await expect.poll(() => slots).toEqual(['10 1010', '11 1011', '12 1012']);
  expect(first).toEqual([{ address, account, slot: 11n }]);
  expect(second).toEqual([
    { address, account, slot: 11n },
    { address, account: undefined, slot: 12n },
  ]);
  unsubscribe();
  await expect.poll(() => server.names('accounts')).toEqual(['f2']);
});

test('a subscription is not active before the server uses its filter', async () => {
  const { server, stream, slots, activate } = await setUp();
  await activate(10n);
  await expect.poll(() => slots.length).toBe(1);
  let isActive = false;
  const subscribed = stream
    .subscribe({ kind: 'program', scan }, () => undefined)
    .then(() => {
      isActive = true;
    });
  // under the name of the first request
  const slot = { slot: '11', parent: '10', status: SLOT_STATUS.confirmed };
  server.send({ filters: ['r1'], block: { slot: '11' } });
  server.send({ filters: ['r1'], slot });
  await expect.poll(() => slots.length).toBe(2);
  expect(isActive).toBe(false);
  await activate(12n, 2);
  await subscribed;
});

test('transactions are delivered as a node returns them, with the time of their block', async () => {
  const { server, stream, slots, activate } = await setUp();
  const events: string[] = [];
  const transactions: StreamedTransaction[] = [];
  const notices: TransactionNotice[] = [];
  const all = Promise.all([
    stream.subscribeTransactions([address, program], (each) => {
      events.push(each.signature);
      transactions.push(each);
    }),
    stream.subscribeLogs(program, (notice) => notices.push(notice)),
  ]);
  await activate(10n);
  await all;
  const { recorded, json } = repayTransaction();
  const { streamed } = flashLoanTransaction();
  const [repaid, failed] = [json, streamed.json].map(
    ({ transaction }) => transaction.signatures[0] ?? '',
  );
  const slot = BigInt(recorded.slot);
  const inBlock = [streamed, { json, index: 4 }];
  server.addSlot({ slot, parent: 10n, unix: BigInt(recorded.blockTime), transactions: inBlock });
  await expect.poll(() => slots.length).toBe(2);
  expect(events).toEqual([repaid, failed]);
  expect(transactions[0]).toEqual({
    slot,
    signature: repaid,
    failed: false,
    transactionIndex: 4,
    transaction: json,
  });
  expect(transactions[1]).toMatchObject({ failed: true, transactionIndex: 1264 });
  expect(notices).toEqual([
    { slot, signature: repaid, failed: false },
    { slot, signature: failed, failed: true },
  ]);
});

test('an account that a transaction closes is announced to programs, before what is created again', async () => {
  const { server, stream, slots, activate } = await setUp();
  const updates: AccountUpdate[] = [];
  const all = Promise.all([
    stream.subscribe({ kind: 'program', scan }, (update) => updates.push(update)),
    stream.subscribeTransactions([program], () => undefined),
  ]);
  await activate(10n);
  await all;
  const { json } = repayTransaction();
  const [payer = '', other = ''] = json.transaction.message.accountKeys;
  const postBalances = json.meta.postBalances.map((balance, i) => (i < 2 ? 0 : balance));
  const closing = { ...json, meta: { ...json.meta, postBalances } };
  const transactions = [{ json: closing }];
  const accounts = [{ address: toAddress(other), account }];
  server.addSlot({ slot: 11n, unix: 1n, transactions, accounts });
  await expect.poll(() => slots.length).toBe(2);
  expect(updates).toEqual([
    { address: payer, account: undefined, slot: 11n },
    { address: other, account: undefined, slot: 11n },
    { address: other, account, slot: 11n },
  ]);
});

test('at processed, a slot that dies after it was delivered is reported', async () => {
  const { server, slots, dead } = await setUp({ commitment: 'processed' });
  await expect.poll(() => server.requests.length).toBe(1);
  expect(server.requests[0]?.slots).toEqual({ r1: { byCommitment: false, allStatuses: true } });
  for (const slot of [10n, 11n, 12n]) server.sendStatus(slot, SLOT_STATUS.processed);
  await expect.poll(() => slots).toEqual(['10 -', '11 -']);
  server.sendStatus(11n, SLOT_STATUS.dead);
  await expect.poll(() => dead).toEqual([11n]);
});

test('a ping of the server is answered', async () => {
  const { server } = await setUp();
  await expect.poll(() => server.requests.length).toBe(1);
  server.send({ ping: {} });
  await expect.poll(() => server.requests.at(-1)?.ping).toEqual({ id: 1 });
  expect(server.requests.at(-1)?.slots).toEqual({});
});

test('a server that answers no ping is left', async () => {
  const { server, closed } = await setUp({ pingMs: 200 });
  await expect.poll(() => server.requests.length).toBeGreaterThan(3);
  expect(closed).toEqual([]);
  server.isMute = true;
  await expect.poll(() => closed).toEqual(['no response to pings for 400 ms']);
});

test('the token is sent, and is not in errors', async () => {
  const { server, stream, closed } = await setUp({ token: 'secret-token' });
  await expect.poll(() => server.metadata[0]?.get('x-token')).toEqual(['secret-token']);
  server.rejection = { code: status.UNAUTHENTICATED, details: 'no user has secret-token' };
  const failure = await catchError(stream.subscribe({ kind: 'program', scan }, () => undefined));
  expect(failure).toMatchObject({
    code: 'SOURCE_REFUSES',
    context: { reason: 'no user has ***' },
  });
  expect(failure?.cause).toBeUndefined();
  expect(closed).toEqual(['no user has ***']);
});

test('a lost connection and malformed messages close the stream once with a reason', async () => {
  const ended = await setUp();
  await expect.poll(() => ended.server.clients).toBe(1);
  ended.server.drop();
  await expect.poll(() => ended.closed).toEqual(['dropped by the test']);
  const malformed = await setUp();
  await expect.poll(() => malformed.server.clients).toBe(1);
  malformed.server.sendBytes(Uint8Array.of(0x12, 0x7f));
  await expect
    .poll(() => malformed.closed[0])
    .toMatch(/gRPC message is malformed: it is truncated/);
  await expect.poll(() => malformed.server.clients).toBe(0);
});

test('an account of 10 MB arrives; a message over the limit closes the stream', async () => {
  const { server, stream, closed, slots, activate } = await setUp({ maxMessageBytes: 12_000_000 });
  const sizes: (number | undefined)[] = [];
  const subscribed = stream.subscribe({ kind: 'program', scan }, (update) =>
    sizes.push(update.account?.data.length),
  );
  await activate(10n);
  await subscribed;
  const large = { ...account, data: new Uint8Array(10 * 1024 * 1024) };
  server.addSlot({ slot: 11n, unix: 1n, accounts: [{ address, account: large }] });
  await expect.poll(() => slots.length).toBe(2);
  expect(sizes).toEqual([10_485_760]);
  const oversized = { ...account, data: new Uint8Array(12_000_001) };
  server.addSlot({ slot: 12n, unix: 1n, accounts: [{ address, account: oversized }] });
  await expect.poll(() => closed[0]).toMatch(/larger than max/);
});

test('updates that wait for a slot take limited memory', async () => {
  const { server, stream, closed, activate } = await setUp({ maxBufferedBytes: 1_000_000 });
  const subscribed = stream.subscribe({ kind: 'program', scan }, () => undefined);
  await activate(10n);
  await subscribed;
  const data = new Uint8Array(100_000);
  for (let slot = 11n; slot < 31n; slot++) {
    server.sendContent({ slot, accounts: [{ address, account: { ...account, data } }] });
  }
  await expect.poll(() => closed[0]).toMatch(/over 1000000 bytes wait for slots/);
});

test('an endpoint that refuses the connection, or does not speak TLS, closes the stream with a reason', async () => {
  const { server } = await setUp();
  const closed: string[] = [];
  const listener = { onSlot: () => undefined, onClosed: (reason: string) => closed.push(reason) };
  const open = (url: URL) => createGeyserSource({ url, commitment: 'confirmed' }).open(listener);
  await open(new URL('http://127.0.0.1:1/'));
  await expect.poll(() => closed[0]).toMatch(/ECONNREFUSED/);
  await open(new URL(server.url.href.replace('http:', 'https:')));
  await expect.poll(() => closed.length).toBe(2);
  expect(server.metadata).toHaveLength(1);
});

test('an endpoint that does not respond is unavailable', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const url = new URL(`https://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
  const source = createGeyserSource({ url, commitment: 'confirmed', timeoutMs: 50 });
  const opened = source.open({ onSlot: () => undefined, onClosed: () => undefined });
  expect(await catchError(opened)).toMatchObject({
    code: 'SOURCE_UNAVAILABLE',
    context: { reason: 'no connection within 50 ms' },
  });
});
