import { expect, onTestFinished, test } from 'vitest';
import { createRpcSource } from '#server/chain/rpc/rpc-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode, type ReceivedRpcRequest } from '../../support/fakes/fake-node.ts';

const signatures = Array.from({ length: 30 }, (_, i) => `signature${i}`);
const UNKNOWN = 'signature7';

async function startNode() {
  const node = await FakeNode.start();
  onTestFinished(() => node.stop());
  node.reply = ({ method, params }: ReceivedRpcRequest) =>
    method === 'getTransaction'
      ? { result: params[0] === UNKNOWN ? null : { of: params[0] } }
      : undefined;
  const source = createRpcSource({
    url: node.url,
    commitment: 'confirmed',
    clock: Date.now,
    maxLagSlots: 100n,
    timeoutMs: 60_000,
  });
  return { node, source };
}

const expected = signatures.map((of) => (of === UNKNOWN ? undefined : { of }));

test('transactions are requested in batches, and the responses may be in any order', async () => {
  const { node, source } = await startNode();
  expect(await source.ledger.getTransactions(signatures)).toEqual(expected);
  expect(node.batches.toSorted()).toEqual([10, 20]);
  expect(node.countRequests('getTransaction')).toBe(30);
  const usage = source.usage?.().methods.get('getTransaction');
  expect(usage).toMatchObject({ calls: 30, errors: new Map() });
  expect(usage?.sentBytes).toBeGreaterThan(30 * 80);
  expect(usage?.receivedBytes).toBeGreaterThan(30 * 20);
  // two requests, and none before
  expect(usage?.durations.reduce((sum, count) => sum + count)).toBe(2);
});

test.each([
  ['one error', { error: { code: -32_600, message: 'Batch requests are not supported' } }],
  ['a status', { status: 400 }],
  ['the result of one call', { result: null }],
])('a node that answers a batch with %s gets single calls', async (_, reply) => {
  const { node, source } = await startNode();
  node.replyToBatch = () => reply;
  expect(await source.ledger.getTransactions(signatures)).toEqual(expected);
  const { length } = node.batches;
  expect(await source.ledger.getTransactions(signatures)).toEqual(expected);
  expect(node.batches).toHaveLength(length);
});

test('a batch that is too large for the node is halved', async () => {
  const { node, source } = await startNode();
  node.replyToBatch = (calls) => (calls.length > 6 ? { status: 413 } : undefined);
  expect(await source.ledger.getTransactions(signatures)).toEqual(expected);
  expect(await source.ledger.getTransactions(signatures)).toEqual(expected);
  expect(Math.max(...node.batches.slice(-6))).toBe(5);
});

test.each([
  ['lacks calls', { body: '[{"jsonrpc":"2.0","id":0,"result":null}]' }, 'lacks 19 of 20 calls'],
  ['is cut', { cutAfter: '[{"jsonrpc":"2.0","id":0,' }, 'the connection failed'],
  ['is not JSON', { body: '[{' }, 'is malformed'],
])(
  'a response to a batch that %s is an error, never a missing transaction',
  async (_, reply, text) => {
    const { node, source } = await startNode();
    node.replyToBatch = () => reply;
    const error = await catchError(source.ledger.getTransactions(signatures));
    expect(error?.code).toBe('SOURCE_UNAVAILABLE');
    expect(error?.message).toContain(text);
  },
);

test('the error of one call fails the batch', async () => {
  const { node, source } = await startNode();
  node.reply = ({ params }) =>
    params[0] === UNKNOWN
      ? { error: { code: -32_005, message: 'node is behind' } }
      : { result: { of: params[0] } };
  const error = await catchError(source.ledger.getTransactions(signatures));
  expect(error).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  expect(source.usage?.().methods.get('getTransaction')?.errors).toEqual(
    new Map([['SOURCE_UNAVAILABLE', 1]]),
  );
});
