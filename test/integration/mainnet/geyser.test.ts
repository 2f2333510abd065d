import { expect, onTestFinished, test } from 'vitest';
import { responseSlot } from '../../support/clusters/response-checker.ts';
import { FakeGeyser } from '../../support/grpc/fake-geyser.ts';
import { bridgeNode } from '../../support/grpc/geyser-bridge.ts';
import {
  expectFollowed,
  readClusterStatus,
  readVaultFee,
  waitForReady,
} from '../../support/recorded-mainnet/expect-followed.ts';
import { startRecordedMainnet } from '../../support/recorded-mainnet/recorded-mainnet.ts';
import { startServer } from '../../support/recorded-mainnet/start-server.ts';

const POLL = { interval: 20 };

/** A server that follows a recorded node over gRPC. */
async function setUp() {
  const node = await startRecordedMainnet();
  const geyser = await FakeGeyser.start();
  onTestFinished(() => geyser.stop());
  bridgeNode(node.state, geyser);
  const api = await startServer(node, { geyserUrl: geyser.url, withoutRescans: true });
  await waitForReady(api);
  expect((await readClusterStatus(api)).source).toMatchObject({ step: 'grpc' });
  expect(await readVaultFee(api)).toBe(0);
  return { node, geyser, api };
}

/** Scans that were made before, too. Others may be made for the first time. */
const readAgain = (scans: readonly string[], before: number): string[] => {
  const known = new Set(scans.slice(0, before));
  return scans.slice(before).filter((scan) => known.has(scan));
};

test('a server follows a cluster over gRPC', async () => {
  const { node, api } = await setUp();
  await expectFollowed(node, api);
});

test('after a dropped stream a server serves what changed meanwhile, and reads nothing again', async () => {
  const { node, geyser, api } = await setUp();
  const reads = node.scans.length;
  const streams = geyser.metadata.length;
  geyser.drop();
  await expectFollowed(node, api);
  await expect.poll(() => geyser.metadata.length, POLL).toBeGreaterThan(streams);
  expect(geyser.requests.some(({ fromSlot }) => fromSlot !== undefined)).toBe(true);
  const { slot } = node.state;
  await expect.poll(async () => responseSlot(await api.get('/health')), POLL).toBeGreaterThan(slot);
  expect(readAgain(node.scans, reads)).toEqual([]);
  expect((await readClusterStatus(api)).source).toMatchObject({ step: 'grpc' });
});

test('if the server no longer has the slots, the programs are read again', async () => {
  const { node, geyser, api } = await setUp();
  const reads = node.scans.length;
  geyser.replay = 'refused';
  geyser.drop();
  await expectFollowed(node, api);
  await expect.poll(() => readAgain(node.scans, reads), POLL).not.toEqual([]);
});

test('without a gRPC endpoint the WebSocket takes over', async () => {
  const { node, geyser, api } = await setUp();
  geyser.stop();
  await expect.poll(async () => (await readClusterStatus(api)).source.step, POLL).toBe('websocket');
  await expectFollowed(node, api);
});
