import { expect, onTestFinished, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import type { TransactionNotice } from '#server/chain/source/chain-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode, type Reply } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import {
  alice,
  bob,
  memoInstruction,
  startTransactingLocalnet,
  type TransactingLocalnet,
  transferInstruction,
} from '../../support/localnet/transacting-localnet.ts';

const WALLET = toAddress('9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES');

type Urls = { readonly rpcUrls: readonly URL[]; readonly wsUrls?: readonly URL[] };

function sourceOf({ rpcUrls, wsUrls = [] }: Urls) {
  const source = createClusterSource({
    rpcUrls,
    wsUrls,
    commitment: 'confirmed',
    log: silentLog,
    clock: () => Date.now(),
    random: () => 0,
    timing: { retryMs: 2, cooldownMs: 2, probeMs: 1e9, timeoutMs: 60_000 },
  });
  onTestFinished(() => source.close());
  return source;
}

const ofLocalnet = ({ rpcUrl, wsUrl }: TransactingLocalnet) =>
  sourceOf({ rpcUrls: [new URL(rpcUrl)], wsUrls: [new URL(wsUrl)] });

test('transactions of an address are listed newest first, in pages, including failed ones', async () => {
  const net = await startTransactingLocalnet();
  const first = await net.sendAndConfirm({});
  const tooMuch = { instructions: [transferInstruction(bob.address, 10n ** 15n)] };
  const options = { encoding: 'base64', skipPreflight: true };
  const failed = await net.result('sendTransaction', [await net.signTransaction(tooMuch), options]);
  net.advanceSlots(1);
  const third = await net.sendAndConfirm({
    instructions: [transferInstruction(bob.address, 7n), memoInstruction('a')],
  });
  net.advanceSlots(5);
  const { ledger } = ofLocalnet(net);
  const all = await ledger.listSignatures({ address: bob.address, limit: 10 });
  expect(all.map((each) => [each.signature, each.failed])).toEqual([
    [third, false],
    [failed, true],
    [first, false],
  ]);
  const [newest, , oldest] = all;
  expect((newest?.slot ?? 0n) - (oldest?.slot ?? 0n)).toBe(2n);
  expect(newest?.at).toBeGreaterThan(1_700_000_000n);

  const before = { address: bob.address, before: third, limit: 1 };
  expect(await ledger.listSignatures(before)).toMatchObject([{ signature: failed }]);
  const until = { address: bob.address, until: first, limit: 10 };
  expect(await ledger.listSignatures(until)).toHaveLength(2);
});

test('transactions are returned in the requested order, and block signatures in block order', async () => {
  const net = await startTransactingLocalnet();
  const options = { encoding: 'base64', skipPreflight: true };
  const send = async (lamports: bigint) => {
    const wire = await net.signTransaction({
      instructions: [transferInstruction(bob.address, lamports)],
    });
    return String(await net.result('sendTransaction', [wire, options]));
  };
  const [one, two, three] = [
    await send(1_000_001n),
    await send(1_000_002n),
    await send(1_000_003n),
  ];
  net.advanceSlots(40);
  const { ledger } = ofLocalnet(net);
  const unknown = '1'.repeat(64);
  const found = await ledger.getTransactions([three, unknown, one]);
  expect(found).toMatchObject([
    { transaction: { signatures: [three] }, meta: { err: null, innerInstructions: [] } },
    undefined,
    { transaction: { signatures: [one] } },
  ]);
  const [listed] = await ledger.listSignatures({ address: alice.address, limit: 1 });
  const slot = listed?.slot ?? toSlot(0n);
  expect(await ledger.getBlockSignatures(slot)).toEqual([one, two, three]);
  expect(await ledger.getBlockSignatures(toSlot(slot + 1_000n))).toBeUndefined();
  // of 40 slots, the last 32 can still be rolled back
  expect((await ledger.getFinalizedSlot()) - slot).toBe(7n);
});

test('a log subscription announces the transactions of an address', async () => {
  const net = await startTransactingLocalnet();
  const notices: TransactionNotice[] = [];
  const listener = {
    onAccount: () => undefined,
    onSlot: () => undefined,
    onGap: () => undefined,
    onLogs: (notice: TransactionNotice) => notices.push(notice),
  };
  const source = ofLocalnet(net);
  const subscription = source.subscribe({ kind: 'logs', mentions: bob.address }, listener);
  await subscription.ready;
  const signature = await net.sendAndConfirm({});
  await net.sendAndConfirm({ instructions: [memoInstruction('without bob')] });
  net.advanceSlots(2);
  await expect.poll(() => notices).toMatchObject([{ signature, failed: false }]);
  const [listed] = await source.ledger.listSignatures({ address: bob.address, limit: 1 });
  expect(notices[0]?.slot).toBe(listed?.slot);
  subscription.stop();
  await net.sendAndConfirm({});
  net.advanceSlots(2);
  expect(notices).toHaveLength(1);
});

test('a polling source rejects subscriptions of logs and transactions', async () => {
  const node = await FakeNode.start();
  onTestFinished(() => node.stop());
  const source = sourceOf({ rpcUrls: [node.url] });
  const listener = { onAccount: () => undefined, onSlot: () => undefined, onGap: () => undefined };
  const logs = source.subscribe({ kind: 'logs', mentions: WALLET }, listener);
  expect((await catchError(logs.ready))?.code).toBe('SOURCE_REFUSES');
  const whole = source.subscribe({ kind: 'transactions', mentions: [WALLET] }, listener);
  expect((await catchError(whole.ready))?.code).toBe('SOURCE_REFUSES');
});

const listed = { signature: 'x', slot: 5, err: null, memo: null, blockTime: null };

test.each<[string, readonly Reply[]]>([
  ['returns 429', [{ status: 429, headers: { 'retry-after': '0' } }]],
  [
    'returns malformed data',
    [{ result: { signature: 'x' } }, { result: [{ ...listed, slot: 'five' }] }],
  ],
  ['breaks off its response', [{ cutAfter: '{"jsonrpc"' }]],
])('a request is retried when the endpoint %s', async (_, failures) => {
  const node = await FakeNode.start();
  onTestFinished(() => node.stop());
  const replies = [...failures, { result: [listed] }];
  node.reply = ({ method }) => (method === 'getSignaturesForAddress' ? replies.shift() : undefined);
  const { ledger } = sourceOf({ rpcUrls: [node.url] });
  expect(await ledger.listSignatures({ address: WALLET, limit: 3 })).toEqual([
    { signature: 'x', slot: 5n, at: undefined, failed: false },
  ]);
  const requests = node.requests.filter(({ method }) => method === 'getSignaturesForAddress');
  expect(requests.map(({ params }) => params[1])).toEqual(
    Array(failures.length + 1).fill({ limit: 3, commitment: 'confirmed' }),
  );
});

test('a failed request for transactions is sent to another endpoint', async () => {
  const nodes = [await FakeNode.start(), await FakeNode.start()];
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.stop()))));
  const [broken, healthy] = nodes;
  if (broken === undefined || healthy === undefined) throw new Error('no nodes');
  broken.reply = ({ method }) => (method === 'getTransaction' ? { status: 500 } : undefined);
  healthy.reply = ({ method }) =>
    method === 'getTransaction' ? { result: { slot: 3, meta: null } } : undefined;
  const { ledger } = sourceOf({ rpcUrls: nodes.map(({ url }) => url) });
  expect(await ledger.getTransactions(['a', 'b'])).toEqual([
    { slot: 3, meta: null },
    { slot: 3, meta: null },
  ]);
});
