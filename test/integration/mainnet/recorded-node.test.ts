import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { bytesFromHex } from '#core/base/encoding/bytes.ts';
import type { NodeFaults } from '../../support/recorded-mainnet/node-faults.ts';
import {
  MAIN_SOL_RESERVE,
  MAIN_USDC_RESERVE,
  SOL_USDC_LOAN,
} from '../../support/recorded-mainnet/recorded-addresses.ts';
import {
  type RecordedMainnet,
  startRecordedMainnet,
} from '../../support/recorded-mainnet/recorded-mainnet.ts';
import { referenceEncode } from '../../support/reference/reference-base58.ts';

const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const KLEND = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
const RESERVE_DISCRIMINATOR = referenceEncode(bytesFromHex('2bf2ccca1af73b7f'));
const REPAY_SLOT = 361_774_429;
const REPAY_PAYER = 'CDtBwHEpD1xBsMaQ7xeiPudPovkPb281ZRJ6j8WUAiPm';

async function post(node: RecordedMainnet, body: unknown) {
  const response = await fetch(node.rpcUrl, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
}

async function send(node: RecordedMainnet, method: string, params: unknown[] = []) {
  return post(node, { jsonrpc: '2.0', id: 1, method, params });
}

const startStopped = (faults: NodeFaults = {}) =>
  startRecordedMainnet({ faults: { stoppedSlots: true, ...faults } });

test('a scan finds accounts by size, bytes and slice', async () => {
  const node = await startStopped();
  const filters = [{ memcmp: { offset: 0, bytes: RESERVE_DISCRIMINATOR } }];
  const config = { encoding: 'base64', filters, dataSlice: { offset: 8, length: 1 } };
  const { body } = await send(node, 'getProgramAccounts', [KLEND, config]);
  const addresses = body.result.map(({ pubkey }: { pubkey: string }) => pubkey);
  expect(addresses).toContain(MAIN_USDC_RESERVE);
  expect(addresses).toContain(MAIN_SOL_RESERVE);
  expect(addresses).not.toContain(SOL_USDC_LOAN);
  // version 1, one byte
  expect(body.result[0].account.data).toEqual([Buffer.of(1).toString('base64'), 'base64']);
  const loans = { encoding: 'base64', filters: [{ dataSize: 3_344 }] };
  expect((await send(node, 'getProgramAccounts', [KLEND, loans])).body.result).toHaveLength(2);
});

test('the clock account follows the slot, and a slot that was not reached is refused', async () => {
  const node = await startStopped();
  const { slot } = node.state;
  node.state.advance(5);
  const { body } = await send(node, 'getAccountInfo', [CLOCK, { encoding: 'base64' }]);
  const clock = Buffer.from(body.result.value.data[0], 'base64');
  expect(clock.readBigUInt64LE(0)).toBe(slot + 5n);
  // five slots of 400 ms
  expect(clock.readBigInt64LE(32)).toBe(1_786_057_262n);
  const ahead = [[CLOCK], { minContextSlot: Number(slot) + 6 }];
  expect((await send(node, 'getMultipleAccounts', ahead)).body.error).toMatchObject({
    code: -32_016,
    data: { contextSlot: Number(slot) + 5 },
  });
});

test('transactions are found by address, signature and slot', async () => {
  const node = await startStopped();
  const { body: listed } = await send(node, 'getSignaturesForAddress', [MAIN_USDC_RESERVE, {}]);
  const { body: ofPayer } = await send(node, 'getSignaturesForAddress', [REPAY_PAYER]);
  expect(ofPayer).toEqual(listed);
  expect(listed.result).toMatchObject([{ slot: REPAY_SLOT, err: null }]);
  const [{ signature }] = listed.result;
  const before = await send(node, 'getSignaturesForAddress', [
    MAIN_USDC_RESERVE,
    { before: signature },
  ]);
  expect(before.body.result).toEqual([]);
  const { body: found } = await send(node, 'getTransaction', [signature]);
  expect(found.result.slot).toBe(REPAY_SLOT);
  const { body: block } = await send(node, 'getBlock', [REPAY_SLOT]);
  expect(block.result.signatures).toEqual([signature]);
  expect((await send(node, 'getBlock', [REPAY_SLOT + 1])).body.error.code).toBe(-32_009);
});

const errors: readonly [string, NodeFaults, string, unknown[], number][] = [
  ['excluded scans', { scans: 'excluded' }, 'getProgramAccounts', [KLEND], -32_010],
  ['scans outside of the plan', { scans: 'not-available' }, 'getProgramAccounts', [KLEND], -32_601],
  ['an unknown method', { unknownMethods: ['getSlot'] }, 'getSlot', [], -32_601],
  [
    'an unknown minContextSlot',
    { minContextSlot: 'rejected' },
    'getSlot',
    [{ minContextSlot: 1 }],
    -32_602,
  ],
  ['too many addresses', { maxAddresses: 1 }, 'getMultipleAccounts', [[CLOCK, KLEND]], -32_602],
  [
    'a large response',
    { maxResponse: { bytes: 9_000, as: 'error' } },
    'getAccountInfo',
    [MAIN_USDC_RESERVE],
    -32_008,
  ],
  ['a simulation', {}, 'simulateTransaction', [], -32_601],
];

test.for(errors)('fault: %s', async ([, faults, method, params, code]) => {
  const node = await startStopped(faults);
  expect((await send(node, method, params)).body.error.code).toBe(code);
});

const statuses: readonly [string, NodeFaults, string, unknown[], number][] = [
  ['scans that are gone', { scans: 'gone' }, 'getProgramAccounts', [KLEND], 410],
  [
    'a large response',
    { maxResponse: { bytes: 9_000, as: 'status' } },
    'getAccountInfo',
    [MAIN_USDC_RESERVE],
    413,
  ],
  ['a rate limit', { rateLimited: { requests: 1, retryAfterSeconds: 3 } }, 'getSlot', [], 429],
];

test.for(statuses)('fault with a status: %s', async ([, faults, method, params, status]) => {
  const node = await startStopped(faults);
  expect((await send(node, method, params)).status).toBe(status);
});

test('a rate limit names the delay and ends', async () => {
  const node = await startStopped({ rateLimited: { requests: 1, retryAfterSeconds: 3 } });
  expect((await send(node, 'getSlot')).headers.get('retry-after')).toBe('3');
  expect((await send(node, 'getSlot')).status).toBe(200);
});

test('a node that ignores minContextSlot answers with older slots', async () => {
  const node = await startStopped({ minContextSlot: 'ignored' });
  const minContextSlot = Number(node.state.slot);
  const config = { encoding: 'base64', minContextSlot };
  const { body } = await send(node, 'getAccountInfo', [CLOCK, config]);
  expect(body.result.context.slot).toBe(minContextSlot - 3);
  const clock = Buffer.from(body.result.value.data[0], 'base64');
  expect(Number(clock.readBigUInt64LE(0))).toBe(minContextSlot - 3);
});

test('batches are answered, or refused as a whole', async () => {
  const node = await startStopped();
  const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'getHealth' }));
  expect((await post(node, batch)).body).toMatchObject([{ id: 1, result: 'ok' }, { id: 2 }]);
  node.faults.set({ withoutBatches: true });
  expect((await post(node, batch)).body.error.code).toBe(-32_600);
});

/** Subscribes to the USDC reserve and the clock; returns what arrives. */
async function subscribe(node: RecordedMainnet) {
  const socket = new WebSocket(node.wsUrl);
  const received: { method?: string; id?: number; params?: { result: { value: unknown } } }[] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data))));
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  for (const [id, address] of [MAIN_USDC_RESERVE, CLOCK].entries()) {
    const params = [address, { encoding: 'base64' }];
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'accountSubscribe', params }));
  }
  await expect.poll(() => received.length).toBe(2);
  return received;
}

function changeReserve(node: RecordedMainnet): void {
  const account = node.state.account(MAIN_USDC_RESERVE);
  if (account !== undefined) node.state.setAccount(MAIN_USDC_RESERVE, account);
}

test('changed accounts and the clock are announced', async () => {
  const node = await startStopped();
  const received = await subscribe(node);
  changeReserve(node);
  await expect.poll(() => received.length).toBe(4);
  expect(received[2]?.params?.result).toMatchObject({
    context: { slot: Number(node.state.slot) },
    value: { owner: KLEND, space: 8_624 },
  });
  node.state.removeAccount(MAIN_USDC_RESERVE);
  await expect.poll(() => received.length).toBe(6);
  expect(received[4]?.params?.result.value).toMatchObject({ lamports: 0 });
});

test('subscriptions can be silent, or silent for the clock', async () => {
  const node = await startStopped({ withoutClockNotifications: true });
  const received = await subscribe(node);
  changeReserve(node);
  await expect.poll(() => received.length).toBe(3);
  node.faults.set({ stoppedSlots: true, silentSubscriptions: true });
  changeReserve(node);
  node.faults.set({ stoppedSlots: true });
  changeReserve(node);
  // one change with two notifications; the silent one is missing
  await expect.poll(() => received.length).toBe(5);
});

test('a WebSocket can be missing or refused', async () => {
  const node = await startStopped({ webSocket: 'not-found' });
  await expect(subscribe(node)).rejects.toThrow('404');
  node.faults.set({ webSocket: 'refused' });
  await expect(subscribe(node)).rejects.toThrow(/hang up|ECONNRESET/);
});
