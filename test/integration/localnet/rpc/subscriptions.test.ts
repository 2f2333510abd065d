import { once } from 'node:events';
import { expect, test } from 'vitest';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import {
  golden,
  goldenObligation,
  UNKNOWN_ADDRESS,
} from '../../../support/golden/golden-accounts.ts';
import { startGoldenLocalnet } from '../../../support/localnet/golden-localnet.ts';
import { connectWebSocket, type RpcMessage } from '../../../support/localnet/rpc-web-socket.ts';
import { referenceEncode } from '../../../support/reference/reference-base58.ts';

const slotsOf = (messages: readonly RpcMessage[]) =>
  messages.map(({ params }) => params?.result.context.slot);

test('an account change is announced when it reaches the commitment, not before', async () => {
  const { wsUrl, localnet, advanceSlots } = await startGoldenLocalnet();
  const { call, notifications } = await connectWebSocket(wsUrl);
  const ids = new Map<string, unknown>();
  for (const commitment of ['processed', 'confirmed', 'finalized']) {
    const params = [UNKNOWN_ADDRESS, { encoding: 'base64', commitment }];
    ids.set(commitment, (await call('accountSubscribe', params)).result);
  }
  const account = { owner: UNKNOWN_ADDRESS, lamports: 9n, data: Uint8Array.of(1, 2, 3) };
  const landed = localnet.setAccount(UNKNOWN_ADDRESS, account);
  advanceSlots(1);
  const slot = Number(await landed);
  const received = async () =>
    (await notifications('accountNotification')).map(({ params }) => params?.subscription);
  expect(await received()).toEqual([ids.get('processed')]);
  advanceSlots(1);
  expect(await received()).toEqual([ids.get('processed'), ids.get('confirmed')]);
  advanceSlots(30);
  expect(await received()).toHaveLength(2);
  advanceSlots(1);
  expect(await received()).toEqual([...ids.values()]);
  const messages = await notifications('accountNotification');
  expect(slotsOf(messages)).toEqual([slot, slot, slot]);
  expect(messages[2]?.params?.result.value).toMatchObject({
    owner: UNKNOWN_ADDRESS,
    lamports: 9,
    data: ['AQID', 'base64'],
    space: 3,
  });
});

test('a deleted account is announced as empty, and not to program subscribers', async () => {
  const { wsUrl, localnet, advanceSlots } = await startGoldenLocalnet();
  const { call, notifications } = await connectWebSocket(wsUrl);
  const config = { encoding: 'base64', commitment: 'processed' };
  const filters = [{ dataSize: obligation.size }];
  await call('accountSubscribe', [goldenObligation.address, config]);
  await call('programSubscribe', [KLEND_PROGRAM, { ...config, filters }]);
  const landed = localnet.setAccount(goldenObligation.address, undefined);
  advanceSlots(1);
  await landed;
  const [message] = await notifications('accountNotification');
  expect(message?.params?.result.value).toMatchObject({
    lamports: 0,
    owner: '11111111111111111111111111111111',
    data: ['', 'base64'],
  });
  expect(await notifications('programNotification')).toEqual([]);
});

test('program notifications pass the filters', async () => {
  const { wsUrl, localnet, advanceSlots } = await startGoldenLocalnet();
  const { call, notifications } = await connectWebSocket(wsUrl);
  const { offsets, size } = obligation;
  const owner = referenceEncode(
    goldenObligation.account.data.subarray(offsets.owner, offsets.owner + 32),
  );
  const subscribe = (bytes: string) =>
    call('programSubscribe', [
      KLEND_PROGRAM,
      {
        encoding: 'base64',
        commitment: 'processed',
        filters: [{ dataSize: size }, { memcmp: { offset: offsets.owner, bytes } }],
      },
    ]);
  const { result: expected } = await subscribe(owner);
  await subscribe(UNKNOWN_ADDRESS);
  const landed = localnet.setAccount(goldenObligation.address, {
    ...goldenObligation.account,
    lamports: 1n,
  });
  advanceSlots(1);
  await landed;
  const messages = await notifications('programNotification');
  expect(messages.map(({ params }) => params?.subscription)).toEqual([expected]);
});

test('every change is announced, even if many slots close at once', async () => {
  const { wsUrl, localnet, advanceSlots } = await startGoldenLocalnet();
  const { call, notifications } = await connectWebSocket(wsUrl);
  await call('accountSubscribe', [
    UNKNOWN_ADDRESS,
    { encoding: 'base64', commitment: 'finalized' },
  ]);
  const account = { owner: UNKNOWN_ADDRESS, lamports: 9n, data: Uint8Array.of(1) };
  const slots: number[] = [];
  for (const lamports of [1n, 2n, 3n]) {
    const landed = localnet.setAccount(UNKNOWN_ADDRESS, { ...account, lamports });
    advanceSlots(1);
    slots.push(Number(await landed));
  }
  await localnet.warp(100n);
  const messages = await notifications('accountNotification');
  expect(slotsOf(messages)).toEqual(slots);
  expect(messages.map(({ params }) => params?.result.value)).toMatchObject([
    { lamports: 1 },
    { lamports: 2 },
    { lamports: 3 },
  ]);
});

test('slots and roots are announced until unsubscribed', async () => {
  const { wsUrl, advanceSlots } = await startGoldenLocalnet();
  const { call, notifications } = await connectWebSocket(wsUrl);
  const { result: slotId } = await call('slotSubscribe');
  const { result: rootId } = await call('rootSubscribe', []);
  advanceSlots(3);
  const first = Number(golden.at.slot) + 1;
  const received = (messages: readonly RpcMessage[]) =>
    messages.map(({ params }) => params?.result);
  expect(received(await notifications('slotNotification'))).toEqual(
    [first, first + 1, first + 2].map((slot) => ({ slot, parent: slot - 1, root: slot - 32 })),
  );
  expect(received(await notifications('rootNotification'))).toEqual([
    first - 32,
    first - 31,
    first - 30,
  ]);
  expect((await call('slotUnsubscribe', [slotId])).result).toBe(true);
  expect((await call('slotUnsubscribe', [slotId])).error).toEqual({
    code: -32602,
    message: 'Invalid subscription id.',
  });
  advanceSlots(1);
  expect(await notifications('slotNotification')).toHaveLength(3);
  expect(await notifications('rootNotification')).toHaveLength(4);
  expect((await call('rootUnsubscribe', [rootId])).result).toBe(true);
});

test('data that is too long for base58 is announced as an error text', async () => {
  const { wsUrl, localnet, advanceSlots } = await startGoldenLocalnet();
  const { call, notifications } = await connectWebSocket(wsUrl);
  await call('accountSubscribe', [goldenObligation.address, { commitment: 'processed' }]);
  const landed = localnet.setAccount(goldenObligation.address, {
    ...goldenObligation.account,
    lamports: 1n,
  });
  advanceSlots(1);
  await landed;
  const [message] = await notifications('accountNotification');
  const data = 'error: data too large for bs58 encoding';
  expect(message?.params?.result.value).toMatchObject({ data });
});

test.each([
  ['nothing', undefined, -32601],
  ['getSlot', [], -32601],
  ['tidegate_warp', [{ slots: 1 }], -32601],
  ['accountSubscribe', [], -32602],
  ['accountSubscribe', ['x'], -32602],
  ['accountSubscribe', [UNKNOWN_ADDRESS, { encoding: 'hex' }], -32602],
  ['programSubscribe', [UNKNOWN_ADDRESS, { filters: [{ memcmp: {} }] }], -32602],
  ['slotSubscribe', [1], -32602],
  ['rootUnsubscribe', [], -32602],
  ['rootUnsubscribe', ['1'], -32602],
])('%s with %j fails with %i', async (method, params, code) => {
  const { wsUrl } = await startGoldenLocalnet();
  const { call } = await connectWebSocket(wsUrl);
  expect((await call(method, params)).error).toMatchObject({ code });
});

test('invalid JSON gets a response; an oversized or binary message closes the connection', async () => {
  const { wsUrl, localnet, failures } = await startGoldenLocalnet();
  const { socket, messages } = await connectWebSocket(wsUrl);
  socket.send('{');
  await expect.poll(() => messages.length).toBe(1);
  expect(messages[0]).toEqual({
    jsonrpc: '2.0',
    error: { code: -32700, message: 'Parse error' },
    id: null,
  });
  // A keep-alive ping has no id.
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'ping' }));
  socket.send('x'.repeat(100_000));
  await once(socket, 'close');
  expect(messages).toHaveLength(1);
  expect(failures).toEqual([]);
  expect(localnet.bank.slot).toBe(golden.at.slot);
});
