import { status } from '@grpc/grpc-js';
import { expect, onTestFinished, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import type { SubscriptionListener } from '#server/chain/source/chain-source.ts';
import { FakeNode } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { FakeGeyser } from '../../support/grpc/fake-geyser.ts';
import { repayTransaction } from '../../support/grpc/mainnet-stream-transactions.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const soon = { interval: 10 };
/** Of the failed call, or that nothing arrives: on a busy machine either comes first. */
const LOST: unknown = expect.stringMatching(/^grpc: (restarting|no new slot)/);

const SLOT_MS = 20;

/** A node and a gRPC server whose slots advance, and a source that uses both, on a clock that passes with the slots. */
async function setUp() {
  const node = await FakeNode.start();
  const geyser = await FakeGeyser.start();
  let now = 1_000;
  const source = createClusterSource({
    rpcUrls: [node.url],
    wsUrls: [node.wsUrl],
    geyser: { url: geyser.url },
    commitment: 'confirmed',
    clock: () => now,
    random: () => 0,
    log: silentLog,
    timing: {
      probeMs: 50,
      ladder: { failAfterMs: 1_500, firstRetryMs: 600, maxRetryMs: 600 },
    },
  });
  const ticker = setInterval(() => {
    now += SLOT_MS;
    node.nextSlot();
    geyser.addSlot({ slot: BigInt(node.slot), unix: 1n });
  }, SLOT_MS);
  onTestFinished(async () => {
    clearInterval(ticker);
    source.close();
    geyser.stop();
    await node.stop();
  });
  const stepOf = () => source.status().updates.step;
  return { node, geyser, source, stepOf };
}

test('transactions stop with a gap when gRPC fails, and continue with a gap when it works again', async () => {
  const { node, geyser, source, stepOf } = await setUp();
  const slots: bigint[] = [];
  const gaps: string[] = [];
  const signatures: string[] = [];
  const listener: SubscriptionListener = {
    onAccount: () => undefined,
    onSlot: (slot) => slots.push(slot),
    onTransaction: ({ signature }) => signatures.push(signature),
    onGap: (reason) => gaps.push(reason),
  };
  await source.subscribe({ kind: 'transactions', mentions: [program] }, listener).ready;
  await expect.poll(() => slots.length, soon).toBeGreaterThan(1);
  expect(stepOf()).toBe('grpc');

  geyser.rejection = { code: status.UNAVAILABLE, details: 'restarting' };
  geyser.drop();
  await expect.poll(stepOf, soon).toBe('websocket');
  await expect.poll(() => gaps, soon).toEqual([LOST]);
  const before = slots.length;
  const reached = node.slot + 5;
  await expect.poll(() => node.slot, soon).toBeGreaterThan(reached);
  expect(slots).toHaveLength(before);

  geyser.rejection = undefined;
  await expect.poll(stepOf, soon).toBe('grpc');
  expect(gaps).toEqual([LOST, 'It works again.']);
  await expect.poll(() => slots.length, soon).toBeGreaterThan(before);
  const { json } = repayTransaction();
  node.nextSlot();
  geyser.addSlot({ slot: BigInt(node.slot), unix: 1n, transactions: [{ json }] });
  await expect.poll(() => signatures, soon).toEqual(json.transaction.signatures);
});

test('a wrong token moves to WebSocket at once, and names the reason', async () => {
  const { geyser, source, stepOf } = await setUp();
  geyser.rejection = { code: status.UNAUTHENTICATED, details: 'No valid auth token' };
  const listener = { onAccount: () => undefined, onSlot: () => undefined, onGap: () => undefined };
  const scan = { program, filters: [] };
  await source.subscribe({ kind: 'program', scan }, listener).ready;
  expect(stepOf()).toBe('websocket');
  expect(source.status().updates.reason).toMatch(/^grpc: .*No valid auth token/);
});
