import { expect, onTestFinished, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import { CLOCK_SYSVAR } from '#core/base/solana/clock-sysvar.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { FakeNode } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const SLOT_HASHES = toAddress('SysvarS1otHashes111111111111111111111111111');
const OTHER_GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const soon = { interval: 5 };

const listener = { onAccount: () => undefined, onSlot: () => undefined, onGap: () => undefined };

/** A source that reads from one node, and whose WebSocket is of another. */
async function setUp(prepare: (http: FakeNode, ws: FakeNode) => void) {
  const [http, ws] = [await FakeNode.start(), await FakeNode.start()];
  prepare(http, ws);
  const source = createClusterSource({
    rpcUrls: [http.url],
    wsUrls: [ws.wsUrl],
    commitment: 'confirmed',
    clock: Date.now,
    random: () => 0,
    log: silentLog,
    timing: {
      ladder: { failAfterMs: 200, firstRetryMs: 20, maxRetryMs: 20 },
      cluster: { everyMs: 20 },
    },
  });
  onTestFinished(async () => {
    source.close();
    await Promise.all([http.stop(), ws.stop()]);
  });
  const ticker = setInterval(() => {
    http.nextSlot();
    ws.nextSlot();
  }, 10);
  onTestFinished(() => clearInterval(ticker));
  const alarm = () => source.status().alarms.find(({ kind }) => kind === 'other-cluster');
  const step = () => source.status().updates.step;
  source.subscribe({ kind: 'slots' }, listener);
  return { http, ws, source, alarm, step };
}

const answerGenesis = (ws: FakeNode, genesis: () => string) => {
  ws.reply = ({ method }) => (method === 'getGenesisHash' ? { result: genesis() } : undefined);
};

/** Hashes of the blocks 990 to 999. */
function slotHashes(byte: number) {
  const data = new Uint8Array(8 + 10 * 40).fill(byte);
  const view = new DataView(data.buffer);
  view.setBigUint64(0, 10n, true);
  for (let i = 0; i < 10; i++) view.setBigUint64(8 + i * 40, BigInt(999 - i), true);
  return { owner: CLOCK_SYSVAR, lamports: 1n, data };
}

/** Announces the hashes to whoever subscribes to them. */
function announceHashes(ws: FakeNode, byte: number): void {
  const { data } = slotHashes(byte);
  const value = {
    ...{ owner: CLOCK_SYSVAR, lamports: 1, executable: false, rentEpoch: 0 },
    ...{ data: [encodeBase64(data), 'base64'], space: data.length },
  };
  const ticker = setInterval(() => ws.announce('accountSubscribe', SLOT_HASHES, value), 5);
  onTestFinished(() => clearInterval(ticker));
}

test('updates of a WebSocket of another cluster are not used, and it is named until it is right', async () => {
  let genesis = OTHER_GENESIS;
  const { http, ws, source, alarm, step } = await setUp((_, node) =>
    answerGenesis(node, () => genesis),
  );
  await expect.poll(step, soon).toBe('polling');
  expect(ws.countRequests('accountSubscribe')).toBe(0);
  expect(alarm()?.last).toMatchObject({
    source: `ws ${ws.wsUrl.host}`,
    reason: 'it belongs to another cluster than the HTTP endpoints',
  });
  expect(source.status().updates.reason).toMatch(/^websocket: .*another cluster/);
  genesis = http.genesisHash;
  await expect.poll(step, soon).toBe('websocket');
});

test('a WebSocket whose upstream moves to another cluster while it is open is left', async () => {
  let genesis: string | undefined;
  const { alarm, step, source } = await setUp((http, ws) =>
    answerGenesis(ws, () => genesis ?? http.genesisHash),
  );
  await expect.poll(() => source.status().updates.endpoints[0]?.slot, soon).toBeGreaterThan(1_000n);
  expect([step(), alarm()?.count]).toEqual(['websocket', 0]);
  genesis = OTHER_GENESIS;
  await expect.poll(step, soon).toBe('polling');
  expect(alarm()?.count).toBeGreaterThan(0);
});

test.each([
  ['the same blocks', { byte: 7, expected: 'websocket', alarms: 0 }],
  ['other blocks at the same slots', { byte: 8, expected: 'polling', alarms: 1 }],
] as const)(
  'a node that returns no genesis hash over WebSocket is compared by block hashes: %s',
  async (_, { byte, expected, alarms }) => {
    const { ws, alarm, step } = await setUp((http, node) => {
      http.accounts.set(SLOT_HASHES, slotHashes(7));
      announceHashes(node, byte);
    });
    await expect.poll(() => ws.countRequests('accountUnsubscribe'), soon).toBeGreaterThan(0);
    await expect.poll(step, soon).toBe(expected);
    expect(Math.min(1, alarm()?.count ?? 0)).toBe(alarms);
  },
);

test('without anything to compare, updates are used', async () => {
  const { source, alarm, step } = await setUp(() => undefined);
  await expect.poll(() => source.status().updates.endpoints[0]?.slot, soon).toBeGreaterThan(1_000n);
  expect([step(), alarm()?.count]).toEqual(['websocket', 0]);
});

test('a WebSocket that is 400,000 slots ahead delivers nothing of them', async () => {
  const { ws, source } = await setUp(() => undefined);
  const slots: bigint[] = [];
  source.subscribe({ kind: 'slots' }, { ...listener, onSlot: (slot) => slots.push(slot) });
  await expect.poll(() => slots.length, soon).toBeGreaterThan(2);
  ws.slot += 400_000;
  await expect
    .poll(() => source.status().alarms.find(({ kind }) => kind === 'leap')?.count, soon)
    .toBeGreaterThan(0);
  const before = slots.length;
  // polling goes on
  await expect.poll(() => slots.length, soon).toBeGreaterThan(before);
  expect(slots.filter((slot) => slot > 100_000n)).toEqual([]);
  ws.slot -= 400_000;
  await expect.poll(() => source.status().updates.step, soon).toBe('websocket');
});
