import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import {
  type GoldenLocalnet,
  startGoldenLocalnet,
} from '../../../support/localnet/golden-localnet.ts';
import { connectWebSocket } from '../../../support/localnet/rpc-web-socket.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const WALLET = numberedAddress(77);
const PROGRAM = numberedAddress(78);
const PROCESSED = { commitment: 'processed' };

type Call = { readonly method: string; readonly params?: readonly unknown[] };
type Response = {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
};

const scan: Call = {
  method: 'getProgramAccounts',
  params: [KLEND_PROGRAM, { encoding: 'base64+zstd' }],
};
const slot: Call = { method: 'getSlot', params: [PROCESSED] };
const airdrop: Call = { method: 'requestAirdrop', params: [WALLET, 1_000_000] };

async function sendBatch({ post }: GoldenLocalnet, calls: readonly Call[]) {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
  return (await (await post(body)).json()) as readonly Response[];
}

/** An airdrop in a batch changes the open slot, so that a test can wait for it. */
async function waitForAirdrop({ localnet }: GoldenLocalnet): Promise<void> {
  while (localnet.bank.pendingAddresses().length === 0) await nextTurn();
}

test('other requests are answered, and slots close, while a batch of scans runs', async () => {
  const net = await startGoldenLocalnet();
  const order: string[] = [];
  const batch = sendBatch(net, [slot, airdrop, ...new Array<Call>(40).fill(scan), slot]);
  const answered = batch.then((responses) => {
    order.push('batch');
    return responses;
  });
  await waitForAirdrop(net);
  net.advanceSlots(1);
  const before = await net.result('getSlot', [PROCESSED]);
  order.push('slot');
  const responses = await answered;
  expect(order).toEqual(['slot', 'batch']);
  expect(responses.map(({ id }) => id)).toEqual(responses.map((_, index) => index));
  expect(responses[0]?.result).toBe(Number(before) - 1);
  expect(responses.at(-1)?.result).toBe(before);
  const lists = responses.slice(2, -1).map(({ result }) => JSON.stringify(result));
  expect(new Set(lists).size).toBe(1);
});

test('scans of several connections take turns with other requests', async () => {
  const net = await startGoldenLocalnet();
  const order: string[] = [];
  const scans = Array.from({ length: 20 }, async () => {
    await net.result(scan.method, scan.params);
    order.push('scan');
  });
  await Promise.race(scans);
  await net.result('getSlot');
  order.push('slot');
  await Promise.all(scans);
  expect(order.indexOf('slot')).toBeLessThan(order.length - 1);
});

test('a batch has at most 100 calls', async () => {
  const net = await startGoldenLocalnet();
  expect(await sendBatch(net, new Array<Call>(100).fill(slot))).toHaveLength(100);
  expect(await sendBatch(net, new Array<Call>(101).fill(slot))).toEqual({
    jsonrpc: '2.0',
    error: { code: -32600, message: 'Too many calls in a batch; max 100' },
    id: null,
  });
  const { socket, messages } = await connectWebSocket(net.wsUrl);
  socket.send(JSON.stringify(new Array(101).fill({ jsonrpc: '2.0', id: 1, method: 'x' })));
  await expect.poll(() => messages).toMatchObject([{ error: { code: -32600 } }]);
});

/** Gives the program accounts of 8 MiB, 11 million characters in base64. */
function addLargeAccounts({ localnet, advanceSlots }: GoldenLocalnet, count: number): void {
  const data = new Uint8Array(8 * 1024 * 1024);
  for (let index = 0; index < count; index++) {
    localnet.bank.setAccount(numberedAddress(100 + index), { owner: PROGRAM, lamports: 1n, data });
  }
  advanceSlots(1);
}

const scanLarge: Call = {
  method: 'getProgramAccounts',
  params: [PROGRAM, { encoding: 'base64', ...PROCESSED }],
};

test('an answer above 64 MiB is refused, and a slice of it is not', async () => {
  const net = await startGoldenLocalnet();
  addLargeAccounts(net, 6);
  const refused = await net.rpc(scanLarge.method, scanLarge.params);
  expect(refused).toMatchObject({ error: { code: -32012 } });
  const slice = { encoding: 'base64', dataSlice: { offset: 0, length: 4 }, ...PROCESSED };
  expect(await net.result(scanLarge.method, [PROGRAM, slice])).toHaveLength(6);
});

test('a batch stops adding answers at 64 MiB', async () => {
  const net = await startGoldenLocalnet();
  addLargeAccounts(net, 2);
  const responses = await sendBatch(net, [scanLarge, scanLarge, scanLarge, slot]);
  expect(responses.map(({ error }) => error?.code)).toEqual([
    undefined,
    undefined,
    -32012,
    undefined,
  ]);
});
