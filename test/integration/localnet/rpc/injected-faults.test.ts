import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { golden, goldenObligation } from '../../../support/golden/golden-accounts.ts';
import {
  type GoldenLocalnet,
  startGoldenLocalnet,
} from '../../../support/localnet/golden-localnet.ts';

const setFaults = ({ result }: GoldenLocalnet, faults: unknown) =>
  result('tidegate_setFaults', [faults]);

const call = (method: string, params: unknown = []) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

test.each([429, 503])(
  'every response can be a %i, but control methods still work',
  async (status) => {
    const net = await startGoldenLocalnet();
    await setFaults(net, { answer: { kind: 'status', status } });
    expect((await net.post(call('getSlot'))).status).toBe(status);
    expect((await net.post(call('getHealth'))).status).toBe(status);
    await setFaults(net, {});
    expect((await net.post(call('getSlot'))).status).toBe(200);
  },
);

test('a fault applies to the given methods and number of responses', async () => {
  const net = await startGoldenLocalnet();
  await setFaults(net, { answer: { kind: 'status', status: 500 }, methods: ['getSlot'], times: 2 });
  const statuses: number[] = [];
  for (const method of ['getHealth', 'getSlot', 'getSlot', 'getSlot']) {
    statuses.push((await net.post(call(method))).status);
  }
  expect(statuses).toEqual([200, 500, 500, 200]);
});

test('a response can be truncated', async () => {
  const net = await startGoldenLocalnet();
  await setFaults(net, { answer: { kind: 'truncate' } });
  const answer = await net.post(
    call('getAccountInfo', [goldenObligation.address, { encoding: 'base64' }]),
  );
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text.length).toBeGreaterThan(1_000);
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
});

test('a connection can be dropped without a response', async () => {
  const net = await startGoldenLocalnet();
  await setFaults(net, { answer: { kind: 'drop' } });
  await expect(net.post(call('getSlot'))).rejects.toThrow();
  await setFaults(net, {});
  expect(await net.result('getHealth')).toBe('ok');
});

test('a response can be delayed', async () => {
  const net = await startGoldenLocalnet();
  await setFaults(net, { delayMs: 600_000, methods: ['getSlot'] });
  let hasResponse = false;
  const delayed = net.result('getSlot').finally(() => {
    hasResponse = true;
  });
  // requests that follow it are answered before
  for (let turn = 0; turn < 5; turn++) expect(await net.result('getHealth')).toBe('ok');
  expect(hasResponse).toBe(false);
  await net.localnet.stop();
  await expect(delayed).rejects.toThrow();
});

test('a response can have a wrong slot', async () => {
  const net = await startGoldenLocalnet();
  await setFaults(net, { answer: { kind: 'wrongSlot', by: -500 } });
  const slot = Number(golden.at.slot) - 32 - 500;
  expect(await net.result('getSlot')).toBe(slot);
  expect(await net.result('getBalance', [goldenObligation.address])).toMatchObject({
    context: { slot },
  });
});

test('a node that lags 200 slots serves old state and reports that it is behind', async () => {
  const net = await startGoldenLocalnet();
  const changed = { ...goldenObligation.account, lamports: 77n };
  const landed = net.localnet.setAccount(goldenObligation.address, changed);
  net.advanceSlots(1);
  const slot = await landed;
  net.advanceSlots(150);
  const balance = async () =>
    net.result('getBalance', [goldenObligation.address, { commitment: 'processed' }]);
  expect(await balance()).toMatchObject({ value: 77 });
  await setFaults(net, { lagSlots: 200 });
  expect(await balance()).toMatchObject({
    context: { slot: Number(slot) + 150 - 200 },
    value: Number(goldenObligation.account.lamports),
  });
  expect((await net.rpc('getHealth')).error).toEqual({
    code: -32005,
    message: 'Node is behind by 200 slots',
    data: { numSlotsBehind: 200 },
  });
  await setFaults(net, {});
  expect(await balance()).toMatchObject({ value: 77 });
});

test('faults of one node do not affect another', async () => {
  const net = await startGoldenLocalnet();
  const second = await net.localnet.addNode(0);
  await setFaults(net, { answer: { kind: 'status', status: 503 }, lagSlots: 10 });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(second.rpcUrl, { method: 'POST', headers, body: call('getSlot') });
  expect(await answer.json()).toMatchObject({ result: Number(golden.at.slot) - 32 });
});

async function listen(url: string) {
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  const received: { method?: string }[] = [];
  socket.on('message', (data) => received.push(JSON.parse(data.toString())));
  await once(socket, 'open');
  socket.send(call('slotSubscribe'));
  await once(socket, 'message');
  return { socket, slots: () => received.filter(({ method }) => method === 'slotNotification') };
}

test('WebSockets can be dropped and new ones rejected', async () => {
  const net = await startGoldenLocalnet();
  const [one, two] = await Promise.all([listen(net.wsUrl), listen(net.wsUrl)]);
  await setFaults(net, { webSockets: 'refuse' });
  const closed = Promise.all([once(one.socket, 'close'), once(two.socket, 'close')]);
  expect(await net.result('tidegate_dropWebSockets')).toBe(2);
  await closed;
  await expect(listen(net.wsUrl)).rejects.toThrow('503');
  await setFaults(net, {});
  await listen(net.wsUrl);
  expect(await net.result('tidegate_dropWebSockets')).toBe(1);
});

test('WebSockets can be muted; skipped notifications are lost', async () => {
  const net = await startGoldenLocalnet();
  const { socket, slots } = await listen(net.wsUrl);
  await setFaults(net, { webSockets: 'mute' });
  net.advanceSlots(3);
  await setFaults(net, {});
  const received = once(socket, 'message');
  net.advanceSlots(1);
  await received;
  expect(slots()).toMatchObject([{ params: { result: { slot: Number(golden.at.slot) + 4 } } }]);
});

test('subscriptions of a lagging node pause until it catches up', async () => {
  const net = await startGoldenLocalnet();
  const { socket, slots } = await listen(net.wsUrl);
  await setFaults(net, { lagSlots: 3 });
  net.advanceSlots(3);
  const received = once(socket, 'message');
  net.advanceSlots(1);
  await received;
  expect(slots()).toMatchObject([{ params: { result: { slot: Number(golden.at.slot) + 1 } } }]);
});
