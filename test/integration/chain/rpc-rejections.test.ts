import { expect, onTestFinished, test } from 'vitest';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { EndpointFailover } from '#server/chain/endpoints/endpoint-failover.ts';
import { createRpcSource } from '#server/chain/rpc/rpc-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode, type ReceivedRpcRequest } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const addressOf = (byte: number) => addressFromBytes(new Uint8Array(32).fill(byte));
const program = addressOf(200);
const accountOf = (byte: number) => ({ owner: program, lamports: 9n, data: Uint8Array.of(byte) });
const scan = { program, filters: [] };

async function startNode(prepare: (node: FakeNode) => void = () => undefined) {
  const node = await FakeNode.start();
  onTestFinished(() => node.stop());
  prepare(node);
  return node;
}

const sourceOf = ({ url }: FakeNode) =>
  createRpcSource({ url, commitment: 'confirmed', clock: Date.now, maxLagSlots: 100n });

const configOf = ({ params }: ReceivedRpcRequest) =>
  params.find((param) => typeof param === 'object' && !Array.isArray(param)) as
    | Readonly<Record<string, unknown>>
    | undefined;

const addressesOf = ({ params }: ReceivedRpcRequest) => params[0] as readonly string[];

const rejectMinContextSlot = (node: FakeNode) => {
  node.reply = (request) =>
    configOf(request)?.['minContextSlot'] === undefined
      ? undefined
      : { error: { code: -32602, message: 'Invalid params: unknown field `minContextSlot`' } };
};

test('a node that does not know minContextSlot is asked without it, from then on', async () => {
  const node = await startNode(rejectMinContextSlot);
  node.accounts.set(addressOf(1), accountOf(1));
  const source = sourceOf(node);
  const { slot, accounts } = await source.getAccounts([addressOf(1)], toSlot(990n));
  expect([slot, accounts[0]?.data]).toEqual([1_000n, Uint8Array.of(1)]);
  const before = node.requests.length;
  expect((await source.scanProgram(scan, toSlot(990n))).slot).toBe(1_000n);
  expect(node.requests.slice(before).map(({ method }) => method)).toEqual(['getProgramAccounts']);
});

test('the slot is compared by the source if a node does not know or ignores minContextSlot', async () => {
  const rejecting = await startNode(rejectMinContextSlot);
  const ignoring = await startNode((node) => {
    node.reply = ({ method }) =>
      method === 'getMultipleAccounts'
        ? { result: { context: { slot: node.slot }, value: [null] } }
        : undefined;
  });
  for (const node of [rejecting, ignoring]) {
    const failure = await catchError(sourceOf(node).getAccounts([addressOf(1)], toSlot(1_001n)));
    expect(failure).toMatchObject({ code: 'SOURCE_LAGS', context: { slot: 1_000n } });
  }
});

test.each([
  ['status 413', { status: 413 }],
  ['too many inputs', { error: { code: -32602, message: 'Too many inputs provided; max 30' } }],
  ['a large response', { error: { code: -32005, message: 'response size limit exceeded' } }],
])('a list of addresses is split after %s, and stays split', async (_, reply) => {
  const node = await startNode((started) => {
    started.reply = (request) =>
      request.method === 'getMultipleAccounts' && addressesOf(request).length > 30
        ? reply
        : undefined;
  });
  const addresses = Array.from({ length: 100 }, (__, i) => addressOf(i + 1));
  addresses.forEach((address, i) => {
    node.accounts.set(address, accountOf(i));
  });
  const source = sourceOf(node);
  const { accounts } = await source.getAccounts(addresses);
  expect(accounts.map((account) => account?.data[0])).toEqual(addresses.map((__, i) => i));
  const before = node.requests.length;
  await source.getAccounts(addresses);
  expect(node.requests.slice(before).map((each) => addressesOf(each).length)).toEqual([
    25, 25, 25, 25,
  ]);
});

test('a single account that is too large is reported', async () => {
  const node = await startNode((started) => {
    started.reply = ({ method }) =>
      method === 'getMultipleAccounts' ? { status: 413 } : undefined;
  });
  const failure = await catchError(sourceOf(node).getAccounts([addressOf(1), addressOf(2)]));
  expect(failure).toMatchObject({ code: 'SOURCE_REFUSES', context: { rejection: 'too-large' } });
});

test('a scan that is too large lists the addresses and reads the accounts in batches', async () => {
  const node = await startNode((started) => {
    started.reply = (request) =>
      request.method === 'getProgramAccounts' && configOf(request)?.['dataSlice'] === undefined
        ? { error: { code: -32012, message: 'scan aborted: the accumulated size is too large' } }
        : undefined;
  });
  for (let i = 1; i <= 120; i++) node.accounts.set(addressOf(i), accountOf(i));
  const { slot, accounts } = await sourceOf(node).scanProgram(scan);
  expect(slot).toBe(1_000n);
  expect(accounts.map(({ address, account }) => [address, account.data[0]])).toEqual(
    Array.from({ length: 120 }, (__, i) => [addressOf(i + 1), i + 1]),
  );
});

test('a method that two of three endpoints do not know is sent to the third', async () => {
  const withoutScans = (started: FakeNode) => {
    started.reply = ({ method }) =>
      method === 'getProgramAccounts'
        ? { error: { code: -32601, message: 'Method not found' } }
        : undefined;
  };
  const nodes = [await startNode(withoutScans), await startNode(withoutScans), await startNode()];
  nodes[2]?.accounts.set(addressOf(1), accountOf(1));
  const options = { maxLagSlots: 100n, clock: Date.now, random: () => 0, log: silentLog };
  const failover = new EndpointFailover(nodes.map(sourceOf), { ...options, retryMs: 2 });
  onTestFinished(() => failover.close());
  expect((await failover.reads.scanProgram(scan)).accounts).toHaveLength(1);
});

test('an endpoint gets no request before its retry-after has passed', async () => {
  const node = await startNode();
  const time = { now: 0 };
  const options = { maxLagSlots: 100n, clock: () => time.now, random: () => 0, log: silentLog };
  const failover = new EndpointFailover([sourceOf(node)], {
    ...options,
    probeMs: 1e9,
    retryMs: 2,
    attempts: 1,
  });
  onTestFinished(() => failover.close());
  await failover.reads.getSlot();
  node.reply = () => ({ status: 429, headers: { 'retry-after': '2' } });
  await catchError(failover.reads.getAccounts([addressOf(1)]));
  node.reply = () => undefined;
  const before = node.requests.length;
  time.now += 1_999;
  const failure = await catchError(failover.reads.getAccounts([addressOf(1)]));
  expect(failure).toMatchObject({ code: 'SOURCE_UNAVAILABLE', context: { retryAfterMs: 1 } });
  expect(node.requests).toHaveLength(before);
  time.now += 1;
  expect((await failover.reads.getAccounts([addressOf(1)])).slot).toBe(1_000n);
});
