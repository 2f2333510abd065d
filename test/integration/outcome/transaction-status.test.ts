import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode, type ReceivedRpcRequest, type Reply } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const SIGNATURE = '2'.repeat(87);
/** The slot of the node, and the height of its newest confirmed block: slots without a block are a third. */
const SLOT = 1_500;
const HEIGHT = 1_000;
/** The last height that accepts the transaction, and the first block that does. */
const LAST_VALID = 900n;

let node: FakeNode;

/** Replies by method; a list has one reply for each request. */
type Replies = Readonly<Record<string, Reply | undefined>>;

beforeEach(async () => {
  node = await FakeNode.start();
  onTestFinished(() => node.stop());
  node.slot = SLOT;
});

function answer(target: FakeNode, replies: Replies = {}): void {
  const defaults: Replies = {
    getEpochInfo: { result: { absoluteSlot: target.slot, blockHeight: HEIGHT } },
    getSignatureStatuses: statuses(null, target.slot),
    getBlocks: { result: [1_000, 1_001] },
    // 151 blocks before the last valid one
    getBlock: { result: { blockHeight: 749 } },
  };
  target.reply = ({ method }) => ({ ...defaults, ...replies })[method];
}

const statuses = (value: unknown, slot = SLOT): Reply => ({
  result: { context: { slot }, value: [value] },
});

function ledgerOf(...nodes: readonly FakeNode[]) {
  const source = createClusterSource({
    rpcUrls: nodes.map(({ url }) => url),
    wsUrls: [],
    commitment: 'confirmed',
    log: silentLog,
    clock: () => Date.now(),
    random: () => 0,
    timing: { retryMs: 2, cooldownMs: 2, probeMs: 1e9 },
  });
  onTestFinished(() => source.close());
  return source.ledger;
}

const read = (lastValidBlockHeight: bigint | undefined = LAST_VALID) =>
  ledgerOf(node).getTransactionStatus({ signature: SIGNATURE, lastValidBlockHeight });

const requestsOf = (method: string): readonly ReceivedRpcRequest[] =>
  node.requests.filter((request) => request.method === method);

test('an absent transaction is expired once its last height has passed, on a node with all its blocks', async () => {
  answer(node);
  const status = { slot: 1_500n, blockHeight: 1_000n, found: undefined };
  expect(await read()).toEqual({ ...status, isExpired: true });
  expect(await read(999n)).toEqual({ ...status, isExpired: true });
  // the block of this height accepts it
  expect(await read(1_000n)).toEqual({ ...status, isExpired: false });
  const ledger = ledgerOf(node);
  expect(await ledger.getTransactionStatus({ signature: SIGNATURE })).toMatchObject({
    isExpired: false,
  });
});

test('the height is read before the transaction is looked for, in the whole history', async () => {
  answer(node);
  await read();
  const order = ['getEpochInfo', 'getSignatureStatuses', 'getBlocks', 'getBlock'];
  const methods = node.requests.map(({ method }) => method);
  expect(methods.filter((each) => order.includes(each))).toEqual(order);
  expect(requestsOf('getEpochInfo')[0]?.params).toEqual([{ commitment: 'confirmed' }]);
  expect(requestsOf('getSignatureStatuses')[0]?.params).toEqual([
    [SIGNATURE],
    { searchTransactionHistory: true },
  ]);
});

test('a node that looked for it in an older slot does not say that it is expired', async () => {
  answer(node, { getSignatureStatuses: statuses(null, SLOT - 1) });
  const error = await catchError(read());
  expect(error).toMatchObject({
    code: 'SOURCE_LAGS',
    context: { slot: 1_499n, minSlot: 1_500n },
  });
});

test('another node answers if one looked in an older slot', async () => {
  const other = await FakeNode.start();
  onTestFinished(() => other.stop());
  other.slot = SLOT;
  answer(node, { getSignatureStatuses: statuses(null, SLOT - 1) });
  answer(other);
  const query = { signature: SIGNATURE, lastValidBlockHeight: LAST_VALID };
  expect(await ledgerOf(node, other).getTransactionStatus(query)).toMatchObject({
    isExpired: true,
  });
});

test.each<[what: string, replies: Replies]>([
  ['has none of the blocks', { getBlocks: { result: [] } }],
  ['starts within its blocks', { getBlock: { result: { blockHeight: 750 } } }],
  ['has cleaned the block up', { getBlock: { error: { code: -32_001, message: 'cleaned up' } } }],
  ['returns no height', { getBlock: { result: { blockHeight: null } } }],
  ['returns no block', { getBlock: { result: null } }],
  ['serves no blocks', { getBlocks: { error: { code: -32_601, message: 'unknown' } } }],
])('a node that %s cannot say that it is expired', async (_, replies) => {
  answer(node, replies);
  expect(await read()).toMatchObject({ found: undefined, isExpired: false });
});

test('a read that fails is an error, not an absent transaction', async () => {
  const failure = { error: { code: -32_603, message: 'internal error' } };
  for (const method of ['getEpochInfo', 'getSignatureStatuses', 'getBlocks', 'getBlock']) {
    answer(node, { [method]: failure });
    expect(await catchError(read()), method).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  }
  answer(node, { getSignatureStatuses: { result: { context: { slot: SLOT }, value: [] } } });
  expect(await catchError(read())).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
});

test('a transaction that is found has its slot, its error, and how far it is confirmed', async () => {
  const status = { slot: 1_400, confirmations: 3, err: null, confirmationStatus: 'confirmed' };
  const found = { slot: 1_400n, confirmation: 'confirmed', error: null };
  answer(node, { getSignatureStatuses: statuses(status) });
  expect(await read()).toMatchObject({ found, isExpired: false });
  const err = { InstructionError: [2, { Custom: 1 }] };
  answer(node, { getSignatureStatuses: statuses({ ...status, err }) });
  expect((await read()).found?.error).toEqual(err);
  // older nodes only count
  const { confirmationStatus: _, ...counted } = status;
  answer(node, { getSignatureStatuses: statuses(counted) });
  expect((await read()).found?.confirmation).toBe('processed');
  answer(node, { getSignatureStatuses: statuses({ ...counted, confirmations: null }) });
  expect((await read()).found?.confirmation).toBe('finalized');
});

test('blocks are looked for twice as far back as there are blocks', async () => {
  answer(node);
  await read();
  // 251 blocks up to height 1000 are in at most 502 slots
  expect(requestsOf('getBlocks')[0]?.params.slice(0, 2)).toEqual([998, 1_500]);
});
