import { expect, onTestFinished, test } from 'vitest';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { createRpcSource } from '#server/chain/rpc/rpc-source.ts';
import type { ErrorCode } from '#server/errors.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode, type Reply } from '../../support/fakes/fake-node.ts';

const addressOf = (number: number) =>
  addressFromBytes(
    new Uint8Array(32)
      .fill(1)
      .fill(number, 30)
      .fill(number >> 8, 31),
  );
const program = addressOf(5_000);
const account = (byte: number) => ({ owner: program, lamports: 9n, data: Uint8Array.of(byte) });

async function setUp(timeoutMs = 60_000) {
  const node = await FakeNode.start();
  onTestFinished(() => node.stop());
  const time = { now: 0 };
  const source = createRpcSource({
    url: node.url,
    commitment: 'confirmed',
    clock: () => time.now,
    maxLagSlots: 100n,
    timeoutMs,
  });
  return { node, source, time };
}

/** The error of a source whose node sends this reply to everything but requests for its slot. */
async function failureWith(reply: Reply, minSlot?: bigint) {
  const { node, source } = await setUp(reply === 'silence' ? 60 : 60_000);
  node.reply = ({ method }) =>
    method === 'getSlot' || method === 'getAccountInfo' ? undefined : reply;
  const floor = minSlot === undefined ? undefined : toSlot(minSlot);
  return catchError(source.getAccounts([program], floor));
}

test('accounts are returned in the order of the addresses, in any number of batches', async () => {
  const { node, source } = await setUp();
  const addresses = Array.from({ length: 950 }, (_, i) => addressOf(i));
  addresses.forEach((address, i) => {
    if (i % 2 === 0) node.accounts.set(address, account(i % 251));
  });
  const { slot, accounts } = await source.getAccounts(addresses);
  expect(slot).toBe(1_000n);
  expect(accounts.map((each) => each?.data[0])).toEqual(
    addresses.map((_, i) => (i % 2 === 0 ? i % 251 : undefined)),
  );
  const sizes = node.requests.filter(({ method }) => method === 'getMultipleAccounts');
  expect(sizes.map(({ params }) => (params[0] as string[]).length)).toEqual([
    ...Array.from({ length: 9 }, () => 100),
    50,
  ]);
});

test('the slot of several batches is that of the oldest', async () => {
  const { node, source } = await setUp();
  node.reply = ({ method }) => {
    if (method === 'getMultipleAccounts') node.slot -= 1;
    return undefined;
  };
  await source.getSlot();
  const { slot } = await source.getAccounts(Array.from({ length: 250 }, (_, i) => addressOf(i)));
  expect(slot).toBe(997n);
});

test('a scan sends filters, commitment, context and slot, and returns addresses', async () => {
  const { node, source } = await setUp();
  node.accounts.set(addressOf(1), account(1));
  node.accounts.set(addressOf(2), { ...account(2), owner: addressOf(9) });
  const filters = [
    { kind: 'size', size: 1 },
    { kind: 'bytes', offset: 0, bytes: Uint8Array.of(1) },
  ] as const;
  const result = await source.scanProgram({ program, filters }, toSlot(990n));
  expect(result).toEqual({
    slot: 1_000n,
    accounts: [{ address: addressOf(1), account: account(1) }],
  });
  expect(node.requests[0]?.params).toEqual([
    program,
    {
      encoding: 'base64+zstd',
      commitment: 'confirmed',
      withContext: true,
      minContextSlot: 990,
      filters: [{ dataSize: 1 }, { memcmp: { offset: 0, bytes: '2' } }],
    },
  ]);
});

test('a scan with an account that does not pass its filters is rejected', async () => {
  const { node, source } = await setUp();
  node.accounts.set(addressOf(1), account(2));
  const filters = [{ kind: 'bytes', offset: 0, bytes: Uint8Array.of(1) }] as const;
  const error = await catchError(source.scanProgram({ program, filters }));
  expect(error?.code).toBe('SOURCE_UNAVAILABLE');
  expect(error?.message).toContain('does not pass its filters');
});

test('after a node has rejected compression, requests do not use it', async () => {
  const { node, source } = await setUp();
  node.encodings = ['base64'];
  node.accounts.set(program, account(3));
  await source.getAccounts([program]);
  const { accounts } = await source.getAccounts([program]);
  expect(accounts[0]?.data).toEqual(Uint8Array.of(3));
  const requests = node.requests.filter(({ method }) => method === 'getMultipleAccounts');
  expect(requests.map(({ params }) => (params[1] as { encoding: string }).encoding)).toEqual([
    'base64+zstd',
    'base64',
    'base64',
  ]);
});

test('the time comes from the clock sysvar, or from the block if there is none', async () => {
  const { node, source } = await setUp();
  expect(await source.getSlotTime()).toEqual({ slot: 1_000n, unix: 1_010n });
  node.reply = ({ method }) => {
    if (method === 'getBlockTime') return { result: 77 };
    return method === 'getMultipleAccounts'
      ? { result: { context: { slot: 1_000 }, value: [null] } }
      : undefined;
  };
  expect(await source.getSlotTime()).toEqual({ slot: 1_000n, unix: 77n });
});

test('the slot duration is the mean over the samples', async () => {
  const { node, source } = await setUp();
  node.reply = () => ({
    result: [
      { slot: 3, numSlots: 150, samplePeriodSecs: 60, numTransactions: 1 },
      { slot: 2, numSlots: 140, samplePeriodSecs: 60, numTransactions: 1 },
    ],
  });
  expect(await source.getSlotDurationMs()).toEqual({ numerator: 120_000n, denominator: 290n });
  node.reply = () => ({ error: { code: -32601, message: 'Method not found' } });
  expect(await source.getSlotDurationMs()).toBeUndefined();
});

test.each<readonly [string, Reply, ErrorCode, RegExp]>([
  ['429', { status: 429, headers: { 'retry-after': '7' } }, 'SOURCE_UNAVAILABLE', /status 429/],
  ['503', { status: 503 }, 'SOURCE_UNAVAILABLE', /status 503/],
  ['403', { status: 403 }, 'SOURCE_REFUSES', /status 403/],
  ['no response', 'silence', 'SOURCE_UNAVAILABLE', /no data for 60 ms/],
  [
    'a truncated response',
    { body: '{"jsonrpc":"2.0","result":{"con' },
    'SOURCE_UNAVAILABLE',
    /truncated/,
  ],
  ['a lost connection', { cutAfter: '{"result":{"value":[' }, 'SOURCE_UNAVAILABLE', /connection/],
  ['an HTML page', { body: '<html>' }, 'SOURCE_UNAVAILABLE', /not JSON/],
  ['no result', { body: '{}' }, 'SOURCE_UNAVAILABLE', /no result/],
  ['another type', { result: 7 }, 'SOURCE_UNAVAILABLE', /malformed/],
  ['no context', { result: { value: [null] } }, 'SOURCE_UNAVAILABLE', /context/],
  [
    'a negative slot',
    { result: { context: { slot: -1 }, value: [null] } },
    'SOURCE_UNAVAILABLE',
    /slot/,
  ],
  [
    'too few accounts',
    { result: { context: { slot: 1 }, value: [] } },
    'SOURCE_UNAVAILABLE',
    /0 accounts for 1/,
  ],
  [
    'a malformed account',
    { result: { context: { slot: 1 }, value: [{ lamports: 1 }] } },
    'SOURCE_UNAVAILABLE',
    /owner/,
  ],
  ['an unknown method', { error: { code: -32601, message: 'x' } }, 'SOURCE_REFUSES', /-32601/],
  [
    'a scan that is too large',
    { error: { code: -32012, message: 'x' } },
    'SOURCE_REFUSES',
    /-32012/,
  ],
  ['an unhealthy node', { error: { code: -32005, message: 'x' } }, 'SOURCE_UNAVAILABLE', /-32005/],
])('%s fails with its code', async (...[, reply, code, message]) => {
  const failure = await failureWith(reply);
  expect(failure?.code).toBe(code);
  expect(failure?.message).toMatch(message);
});

test('a slow response does not time out while data arrives', async () => {
  const { node, source } = await setUp(2_000);
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: program });
  const pieces = [...text.matchAll(/.{1,3}/g)].map(([piece]) => piece);
  // together longer than the limit, each far below it
  expect(pieces.length).toBeGreaterThan(20);
  node.reply = () => ({ pieces, pauseMs: 100 });
  expect(await source.getGenesisHash()).toBe(program);
});

test('the error contains the retry-after of the node', async () => {
  const failure = await failureWith({ status: 429, headers: { 'retry-after': '7' } });
  expect(failure?.context).toMatchObject({ retryAfterMs: 7_000 });
});

test('a stopped node is unavailable', async () => {
  const { node, source } = await setUp();
  await node.stop();
  const failure = await catchError(source.getSlot());
  expect(failure?.code).toBe('SOURCE_UNAVAILABLE');
  expect(failure?.message).toMatch(/ECONNREFUSED/);
});

test('a node behind the requested slot lags, whether it returns an error or an old slot', async () => {
  const { source } = await setUp();
  const rejected = await catchError(source.getAccounts([program], toSlot(1_001n)));
  expect(rejected).toMatchObject({
    code: 'SOURCE_LAGS',
    context: { slot: 1_000n, minSlot: 1_001n },
  });
  const old = { result: { context: { slot: 1_000 }, value: [null] } };
  expect(await failureWith(old, 1_001n)).toMatchObject({
    code: 'SOURCE_LAGS',
    context: { slot: 1_000n, minSlot: 1_001n },
  });
});

test('a scan fails if it contains an account of another program', async () => {
  const { node, source } = await setUp();
  const otherAccount = { owner: addressOf(8), lamports: 1, data: ['', 'base64'] };
  node.reply = () => ({
    result: { context: { slot: 1 }, value: [{ pubkey: addressOf(1), account: otherAccount }] },
  });
  const failure = await catchError(source.scanProgram({ program, filters: [] }));
  expect(failure?.message).toMatch(/another program/);
});
