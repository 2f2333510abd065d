import { expect, onTestFinished, test } from 'vitest';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import { type Slot, toSlot } from '#core/base/time.ts';
import { EndpointFailover } from '#server/chain/endpoints/endpoint-failover.ts';
import { createRpcSource } from '#server/chain/rpc/rpc-source.ts';
import type { ReadAccount } from '#server/chain/source/chain-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const addressOf = (number: number) => {
  const bytes = new Uint8Array(32).fill(1);
  new DataView(bytes.buffer).setUint32(0, number);
  return addressFromBytes(bytes);
};
const program = addressOf(1_000_000);
const accountOf = (byte: number) => ({ owner: program, lamports: 9n, data: Uint8Array.of(byte) });
const scan = { program, filters: [{ kind: 'size', size: 1 }] } as const;
const UNKNOWN_METHOD = { error: { code: -32601, message: 'Method not found' } };
const TOO_LARGE = { error: { code: -32012, message: 'scan aborted: too large' } };

async function startNode(accounts: number, hasPages = false) {
  const node = await FakeNode.start();
  onTestFinished(() => node.stop());
  node.hasPages = hasPages;
  for (let i = 0; i < accounts; i++) node.accounts.set(addressOf(i), accountOf(i % 251));
  return node;
}

const readerOf = ({ url }: FakeNode) =>
  createRpcSource({ url, commitment: 'confirmed', clock: Date.now, maxLagSlots: 100n });

/** Records what arrives, and forgets it if the read starts over. */
function createSink() {
  let accounts: ReadAccount[] = [];
  let starts = 0;
  return {
    accounts: () => accounts,
    starts: () => starts,
    onStart: () => {
      starts += 1;
      accounts = [];
    },
    onAccount: (account: ReadAccount) => accounts.push(account),
  };
}

const slot = (number: number): Slot => toSlot(BigInt(number));

test('accounts of a scan arrive with the required slot, which is verified afterwards', async () => {
  const node = await startNode(3);
  const sink = createSink();
  const read = { scan, content: 'accounts', minSlot: slot(990) } as const;
  const result = await readerOf(node).streamProgram(read, sink);
  expect(result).toEqual({ slot: 1_000n, completeAt: 1_000n });
  expect(sink.accounts()).toEqual(
    [0, 1, 2].map((i) => ({ address: addressOf(i), account: accountOf(i), slot: 990n })),
  );
  node.slot = 980;
  const failure = await catchError(readerOf(node).streamProgram(read, sink));
  expect(failure?.code).toBe('SOURCE_LAGS');
});

test('a listing transfers no data', async () => {
  const node = await startNode(2);
  const sink = createSink();
  await readerOf(node).streamProgram({ scan, content: 'addresses' }, sink);
  expect(sink.accounts().map(({ address, account }) => [address, account.data.length])).toEqual([
    [addressOf(0), 0],
    [addressOf(1), 0],
  ]);
  expect(node.requests[0]?.params[1]).toMatchObject({ dataSlice: { offset: 0, length: 0 } });
});

test('what was written since a slot is read in pages, each with its own slot', async () => {
  const node = await startNode(12_000, true);
  for (let i = 0; i < 7_000; i++) node.writtenAt.set(addressOf(i), 950);
  node.reply = ({ method }) => {
    if (method === 'getProgramAccountsV2') node.slot += 1;
    return undefined;
  };
  const sink = createSink();
  const read = { scan, content: 'accounts', minSlot: slot(990), changedSince: slot(950) } as const;
  const result = await readerOf(node).streamProgram(read, sink);
  expect(new Set(sink.accounts().map(({ address }) => address)).size).toBe(7_000);
  expect(new Set(sink.accounts().map((each) => each.slot))).toEqual(new Set([1_001n, 1_002n]));
  expect(result).toEqual({ slot: 1_002n, completeAt: 1_001n });
  const pages = node.requests.filter(({ method }) => method === 'getProgramAccountsV2');
  expect(
    pages.map(({ params }) => (params[1] as { paginationKey?: string }).paginationKey),
  ).toEqual([undefined, sink.accounts()[4_999]?.address]);
  expect(pages[0]?.params[1]).toMatchObject({
    changedSinceSlot: 950,
    withContext: true,
    minContextSlot: 990,
    filters: [{ dataSize: 1 }],
  });
});

test('an endpoint is asked once whether it offers pages', async () => {
  const node = await startNode(1);
  const reader = readerOf(node);
  const read = { scan, content: 'accounts', changedSince: slot(950) } as const;
  for (let i = 0; i < 3; i++) {
    const failure = await catchError(reader.streamProgram(read, createSink()));
    expect(failure).toMatchObject({
      code: 'SOURCE_REFUSES',
      context: { rejection: 'unknown-method' },
    });
  }
  expect(node.countRequests('getProgramAccountsV2')).toBe(1);
});

test('a page without a slot cannot be used', async () => {
  const node = await startNode(1);
  node.reply = ({ method }) =>
    method === 'getProgramAccountsV2'
      ? { result: { accounts: [], paginationKey: null } }
      : undefined;
  const read = { scan, content: 'accounts', changedSince: slot(950) } as const;
  const failure = await catchError(readerOf(node).streamProgram(read, createSink()));
  expect(failure).toMatchObject({ code: 'SOURCE_REFUSES' });
});

test('a node that repeats a page does not keep the reader forever', async () => {
  const node = await startNode(1);
  const page = { accounts: [], paginationKey: addressOf(7) };
  node.reply = ({ method }) =>
    method === 'getProgramAccountsV2'
      ? { result: { context: { slot: node.slot }, value: page } }
      : undefined;
  const read = { scan, content: 'accounts', changedSince: slot(950) } as const;
  const failure = await catchError(readerOf(node).streamProgram(read, createSink()));
  expect(failure?.code).toBe('SOURCE_UNAVAILABLE');
  expect(node.countRequests('getProgramAccountsV2')).toBe(2);
});

test('a scan that is too large is read in pages, if the node offers them', async () => {
  const node = await startNode(12_000, true);
  node.reply = ({ method }) => (method === 'getProgramAccounts' ? TOO_LARGE : undefined);
  for (const content of ['accounts', 'addresses'] as const) {
    const sink = createSink();
    await readerOf(node).streamProgram({ scan, content }, sink);
    expect(new Set(sink.accounts().map(({ address }) => address)).size).toBe(12_000);
  }
  expect(node.countRequests('getMultipleAccounts')).toBe(0);
});

test('if one endpoint breaks off, the next starts the read over', async () => {
  const nodes = [await startNode(3), await startNode(3)];
  const options = { maxLagSlots: 100n, clock: Date.now, random: () => 0, log: silentLog };
  const failover = new EndpointFailover(nodes.map(readerOf), { ...options, retryMs: 2 });
  onTestFinished(() => failover.close());
  const first = { pubkey: addressOf(77), account: { ...JSON_ACCOUNT, owner: program } };
  const start = `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1000},"value":[${JSON.stringify(first)},`;
  let isBroken = false;
  for (const node of nodes) {
    node.reply = ({ method }) => {
      if (method !== 'getProgramAccounts' || isBroken) return undefined;
      isBroken = true;
      return { cutAfter: start };
    };
  }
  const sink = createSink();
  await failover.reads.streamProgram({ scan, content: 'accounts' }, sink);
  expect(sink.starts()).toBe(2);
  expect(sink.accounts().map(({ address }) => address)).toEqual([0, 1, 2].map(addressOf));
});

test('changes are read from the endpoint that offers them', async () => {
  const nodes = [await startNode(2), await startNode(2, true)];
  nodes[0]?.accounts.clear();
  const options = { maxLagSlots: 100n, clock: Date.now, random: () => 0, log: silentLog };
  const failover = new EndpointFailover(nodes.map(readerOf), { ...options, retryMs: 2 });
  onTestFinished(() => failover.close());
  nodes[1]?.writtenAt.set(addressOf(1), 999);
  const sink = createSink();
  const read = { scan, content: 'accounts', changedSince: slot(999) } as const;
  await failover.reads.streamProgram(read, sink);
  expect(sink.accounts().map(({ address }) => address)).toEqual([addressOf(1)]);
});

test('an unknown method is not the answer to a scan that is refused', async () => {
  const node = await startNode(1);
  node.reply = ({ method }) => (method === 'getProgramAccounts' ? UNKNOWN_METHOD : undefined);
  const failure = await catchError(
    readerOf(node).streamProgram({ scan, content: 'accounts' }, createSink()),
  );
  expect(failure?.code).toBe('SOURCE_REFUSES');
  expect(node.countRequests('getProgramAccountsV2')).toBe(0);
});

const JSON_ACCOUNT = {
  lamports: 9,
  data: ['AQ==', 'base64'],
  executable: false,
  rentEpoch: 0,
  space: 1,
};

test.each([
  ['a scan', undefined],
  ['a node that reads by address', TOO_LARGE],
])('a slice of each account arrives from %s', async (_, failure) => {
  const node = await startNode(0);
  const data = Uint8Array.of(1, 2, 3, 4, 5);
  node.accounts.set(addressOf(1), { owner: program, lamports: 9n, data });
  node.reply = ({ method, params }) =>
    method === 'getProgramAccounts' && !JSON.stringify(params).includes('"length":0')
      ? failure
      : undefined;
  const sink = createSink();
  const content = { offset: 1, length: 3 };
  await readerOf(node).streamProgram({ scan, content, minSlot: slot(990) }, sink);
  expect(sink.accounts().map(({ account }) => account.data)).toEqual([Uint8Array.of(2, 3, 4)]);
});
