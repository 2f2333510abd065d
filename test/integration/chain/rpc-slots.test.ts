import { expect, onTestFinished, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import { createRpcSource } from '#server/chain/rpc/rpc-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode } from '../../support/fakes/fake-node.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');

async function setUp() {
  const node = await FakeNode.start();
  onTestFinished(() => node.stop());
  const time = { now: 0 };
  const clock = () => time.now;
  const source = createRpcSource({
    url: node.url,
    commitment: 'confirmed',
    clock,
    maxLagSlots: 100n,
  });
  return { node, source, time };
}

test('a response that is 200 slots old lags, and one that is a few slots old does not', async () => {
  const { node, source } = await setUp();
  await source.getSlot();
  node.slot -= 50;
  expect((await source.getAccounts([program])).slot).toBe(950n);
  node.slot -= 150;
  expect(await catchError(source.getAccounts([program]))).toMatchObject({
    code: 'SOURCE_LAGS',
    context: { slot: 800n, minSlot: 900n },
  });
});

test('a response ahead of the node’s slot is rejected', async () => {
  const { node, source } = await setUp();
  await source.getSlot();
  node.reply = ({ method }) =>
    method === 'getMultipleAccounts'
      ? { result: { context: { slot: 1_010 }, value: [null] } }
      : undefined;
  const failure = await catchError(source.getAccounts([program]));
  expect(failure?.code).toBe('SOURCE_UNAVAILABLE');
  expect(failure?.message).toMatch(/slot 1010, but it is at slot 1000/);
});

test('a slot that differs from the clock sysvar is rejected and has no lasting effect', async () => {
  const { node, source } = await setUp();
  const ahead = { context: { slot: 1_500 }, value: [null] };
  node.reply = ({ method }) => {
    if (method === 'getSlot') return { result: 1_500 };
    return method === 'getMultipleAccounts' ? { result: ahead } : undefined;
  };
  for (const request of [() => source.getSlot(), () => source.getAccounts([program])]) {
    const failure = await catchError(request());
    expect(failure?.code).toBe('SOURCE_UNAVAILABLE');
    expect(failure?.message).toMatch(/slot 1500, but it is at slot 1000/);
  }
  node.reply = () => undefined;
  expect(await source.getSlot()).toBe(1_000n);
  expect((await source.getAccounts([program])).slot).toBe(1_000n);
});

test('the slot of the time comes from the clock sysvar, not from the response context', async () => {
  const { node, source } = await setUp();
  const data = new Uint8Array(40);
  new DataView(data.buffer).setBigUint64(0, 1_000n, true);
  new DataView(data.buffer).setBigInt64(32, 1_010n, true);
  const clock = { owner: program, lamports: 1, data: [encodeBase64(data), 'base64'], space: 40 };
  node.reply = ({ method }) =>
    method === 'getMultipleAccounts'
      ? { result: { context: { slot: 1_002 }, value: [clock] } }
      : undefined;
  expect(await source.getSlotTime()).toEqual({ slot: 1_000n, unix: 1_010n });
});

test('a jump ahead is accepted if the node has reached that slot', async () => {
  const { node, source } = await setUp();
  await source.getSlot();
  node.slot += 1_000_000;
  expect((await source.getAccounts([program])).slot).toBe(1_001_000n);
});

test('slots that advance with time need no extra request', async () => {
  const { node, source, time } = await setUp();
  await source.getSlot();
  node.slot += 100;
  time.now += 40_000;
  const before = node.requests.length;
  await source.getAccounts([program]);
  expect(node.requests.slice(before).map(({ method }) => method)).toEqual(['getMultipleAccounts']);
});
