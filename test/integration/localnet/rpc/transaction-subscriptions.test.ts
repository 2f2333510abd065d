import { expect, test } from 'vitest';
import { golden, UNKNOWN_ADDRESS } from '../../../support/golden/golden-accounts.ts';
import { connectWebSocket } from '../../../support/localnet/rpc-web-socket.ts';
import {
  alice,
  bob,
  memoInstruction,
  startTransactingLocalnet,
  transferInstruction,
} from '../../../support/localnet/transacting-localnet.ts';

const SYSTEM = '11111111111111111111111111111111';
const first = Number(golden.at.slot) + 1;
const processed = { commitment: 'processed' };
const UNKNOWN = '1'.repeat(63).concat('2');

test('logs are announced to subscribers of all or of a mentioned address, at their commitment', async () => {
  const net = await startTransactingLocalnet();
  const { call, notifications } = await connectWebSocket(net.wsUrl);
  const filters = [
    ['all', processed],
    ['allWithVotes', processed],
    [{ mentions: [bob.address] }, processed],
    [{ mentions: [UNKNOWN_ADDRESS] }, processed],
    [{ mentions: [alice.address] }, { commitment: 'confirmed' }],
    ['all'],
  ];
  const ids: unknown[] = [];
  for (const params of filters) ids.push((await call('logsSubscribe', params)).result);
  const signature = await net.sendAndConfirm({});
  const received = async () =>
    (await notifications('logsNotification')).map(({ params }) =>
      ids.indexOf(params?.subscription),
    );
  expect(await received()).toEqual([0, 1, 2]);
  const [message] = await notifications('logsNotification');
  expect(message?.params?.result).toEqual({
    context: { slot: first },
    value: {
      signature,
      err: null,
      logs: [`Program ${SYSTEM} invoke [1]`, `Program ${SYSTEM} success`],
    },
  });
  net.advanceSlots(1);
  expect(await received()).toEqual([0, 1, 2, 4]);
  net.advanceSlots(31);
  expect(await received()).toEqual([0, 1, 2, 4, 5]);
  expect((await call('logsUnsubscribe', [ids[0]])).result).toBe(true);
  await net.sendAndConfirm({ instructions: [memoInstruction('x')] });
  expect((await received()).slice(5)).toEqual([1]);
});

test('a failed transaction is announced with its error', async () => {
  const net = await startTransactingLocalnet();
  const { call, notifications } = await connectWebSocket(net.wsUrl);
  await call('logsSubscribe', ['all', processed]);
  const wire = await net.signTransaction({
    instructions: [transferInstruction(bob.address, 20_000_000_000n)],
  });
  await net.result('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }]);
  net.advanceSlots(1);
  const [message] = await notifications('logsNotification');
  expect(message?.params?.result.value).toMatchObject({
    err: { InstructionError: [0, { Custom: 1 }] },
  });
});

test('a signature is announced once at its commitment, which ends the subscription', async () => {
  const net = await startTransactingLocalnet();
  const { call, notifications } = await connectWebSocket(net.wsUrl);
  const signature = await net.sendAndConfirm({});
  const ids: unknown[] = [];
  for (const commitment of ['processed', 'confirmed', 'finalized']) {
    ids.push((await call('signatureSubscribe', [signature, { commitment }])).result);
  }
  const received = async () =>
    (await notifications('signatureNotification')).map(({ params }) =>
      ids.indexOf(params?.subscription),
    );
  expect(await received()).toEqual([]);
  net.advanceSlots(1);
  expect(await received()).toEqual([0, 1]);
  net.advanceSlots(30);
  expect(await received()).toEqual([0, 1]);
  net.advanceSlots(5);
  expect(await received()).toEqual([0, 1, 2]);
  const [message] = await notifications('signatureNotification');
  expect(message?.params?.result).toEqual({ context: { slot: first + 1 }, value: { err: null } });
  expect((await call('signatureUnsubscribe', [ids[0]])).error).toMatchObject({
    message: 'Invalid subscription id.',
  });
});

test('the receipt of a signature is announced first if requested', async () => {
  const net = await startTransactingLocalnet();
  const { call, notifications } = await connectWebSocket(net.wsUrl);
  const signature = await net.sendAndConfirm({});
  const config = { commitment: 'finalized', enableReceivedNotification: true };
  await call('signatureSubscribe', [signature, config]);
  net.advanceSlots(40);
  const values = (await notifications('signatureNotification')).map(
    ({ params }) => params?.result.value,
  );
  expect(values).toEqual(['receivedSignature', { err: null }]);
});

test.each([
  ['logsSubscribe', [], '`params` should have at least 1 argument(s)'],
  [
    'logsSubscribe',
    ['some'],
    'Invalid params: unknown variant `some`, expected one of `all`, `allWithVotes`, `mentions`.',
  ],
  ['logsSubscribe', [{ mentions: [] }], 'Invalid Request: Only 1 address supported'],
  [
    'logsSubscribe',
    [{ mentions: [UNKNOWN_ADDRESS, UNKNOWN_ADDRESS] }],
    'Invalid Request: Only 1 address supported',
  ],
  ['logsSubscribe', [{ mentions: ['x'] }], 'Invalid Request: Invalid mentions provided'],
  ['signatureSubscribe', ['x'], 'Invalid Request: Invalid signature provided'],
  [
    'signatureSubscribe',
    [UNKNOWN, { enableReceivedNotification: 1 }],
    'Invalid params: invalid type: integer `1`, expected a boolean.',
  ],
])('%s with %j: %s', async (method, params, message) => {
  const { wsUrl } = await startTransactingLocalnet();
  const { call } = await connectWebSocket(wsUrl);
  expect((await call(method, params)).error).toMatchObject({ code: -32602, message });
});
