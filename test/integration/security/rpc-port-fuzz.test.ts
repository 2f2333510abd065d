import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { sendBytes, statusesIn } from '../../support/attacks/raw-socket.ts';
import { FUZZ_SEED_NUMBER } from '../../support/fuzz/fuzz-settings.ts';
import { createKeepAliveClient } from '../../support/fuzz/keep-alive-client.ts';
import { mutateBytes } from '../../support/fuzz/mutate-bytes.ts';
import { rpcCalls } from '../../support/fuzz/rpc-calls.ts';
import {
  type GoldenLocalnet,
  startGoldenLocalnet,
} from '../../support/localnet/golden-localnet.ts';
import { mutateJson, seededRandom } from '../../support/random/json-mutations.ts';

const SEED = `FUZZ_SEED=${FUZZ_SEED_NUMBER}`;
const INTERNAL_ERROR = -32603;

const callText = (call: object, id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, ...call });

async function expectAlive({ rpc, failures }: GoldenLocalnet): Promise<void> {
  expect(failures).toEqual([]);
  expect(await rpc('getHealth')).toMatchObject({ result: 'ok' });
}

test(`600 calls with mutated parameters get a result or an error of the caller, ${SEED}`, async () => {
  const node = await startGoldenLocalnet();
  const client = createKeepAliveClient(node.rpcUrl, 2);
  const random = seededRandom(FUZZ_SEED_NUMBER);
  // control methods return with the next slot
  const timer = setInterval(() => node.advanceSlots(1), 20);
  onTestFinished(() => clearInterval(timer));
  const headers = { 'content-type': 'application/json' };
  const internal: string[] = [];
  const sendOne = async (id: number) => {
    const { method, params } = rpcCalls[random(rpcCalls.length)] ?? { method: '', params: [] };
    let changed: unknown = params;
    for (let times = random(3); times > 0; times--) changed = mutateJson(changed, random);
    const body = callText({ method, params: changed }, id);
    const { status, text } = await client.send({ method: 'POST', target: '/', headers, body });
    expect(status, body).toBe(200);
    const answer = JSON.parse(text) as { error?: { code: number } };
    if (answer.error?.code === INTERNAL_ERROR) internal.push(body);
  };
  for (let id = 0; id < 600; id++) await sendOne(id);
  client.close();
  expect(internal).toEqual([]);
  await expectAlive(node);
});

test(`300 mutated requests on the port do not stop the node, ${SEED}`, async () => {
  const node = await startGoldenLocalnet();
  const random = seededRandom(FUZZ_SEED_NUMBER);
  for (let run = 0; run < 300; run++) {
    const body = callText(rpcCalls[random(rpcCalls.length)] ?? {}, run);
    const head = `POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
    const response = await sendBytes(node.rpcUrl, mutateBytes(head + body, random), {
      endsStream: true,
    });
    expect(statusesIn(response).filter((status) => status >= 500)).toEqual([]);
  }
  await expectAlive(node);
});

const UPGRADE =
  'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** A masked text frame; the key is zeros. */
function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const length =
    body.length < 126 ? [0x80 | body.length] : [0x80 | 126, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), body]);
}

/** Opens a WebSocket by hand, sends the bytes and closes it. */
async function sendFrames(url: string, frames: Buffer): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => socket.destroy());
  socket.write(UPGRADE);
  await once(socket, 'data');
  socket.end(frames);
  socket.resume();
  if (!socket.destroyed) await once(socket, 'close');
}

test(`300 mutated WebSocket frames do not stop the node, ${SEED}`, async () => {
  const node = await startGoldenLocalnet();
  const random = seededRandom(FUZZ_SEED_NUMBER);
  const subscriptions = [
    { method: 'slotSubscribe', params: [] },
    {
      method: 'accountSubscribe',
      params: ['So11111111111111111111111111111111111111112', { encoding: 'base64' }],
    },
    {
      method: 'logsSubscribe',
      params: [{ mentions: ['So11111111111111111111111111111111111111112'] }, {}],
    },
    { method: 'slotUnsubscribe', params: [1] },
  ];
  for (let run = 0; run < 300; run++) {
    const { method, params } = subscriptions[random(subscriptions.length)] ?? {
      method: '',
      params: [],
    };
    const text = callText({ method, params: mutateJson(params, random) }, run);
    const frames = Buffer.concat([frameOf(text), frameOf(callText({ method, params }, run))]);
    if (random(2) === 0) frames[random(Math.min(8, frames.length))] = random(256);
    await sendFrames(node.wsUrl, frames);
  }
  node.advanceSlots(2);
  await expectAlive(node);
  const socket = new WebSocket(node.wsUrl);
  await once(socket, 'open');
  socket.terminate();
});
