import { expect, onTestFinished, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { emptyRegistry } from '#server/registry/registry.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenObligation, UNKNOWN_ADDRESS } from '../../support/golden/golden-accounts.ts';
import { startGoldenNode } from '../../support/golden/golden-node.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

const SLOT_MS = 25;
/** Each test loads a cluster. */
const TIMING = {
  source: { timeoutMs: 60_000, scanTimeoutMs: 60_000, retryMs: 5 },
  indexer: { tickMs: 20, retryMs: 20 },
};

/** A loaded cluster on a localnet whose slots advance. */
async function setUp() {
  const golden = await startGoldenLocalnet();
  const time = { now: 0 };
  const config = {
    env: 'localnet' as const,
    rpcUrls: [new URL(golden.rpcUrl)],
    wsUrls: [new URL(golden.wsUrl)],
    registry: emptyRegistry,
  };
  const { cluster, stop } = openCluster(config, {
    commitment: 'confirmed',
    maxLagSlots: 150,
    obligations: 'on-demand',
    clock: () => time.now,
    log: silentLog,
    timing: TIMING,
  });
  onTestFinished(() => stop());
  const ticker = setInterval(() => golden.advanceSlots(1), SLOT_MS);
  onTestFinished(() => clearInterval(ticker));
  await expect.poll(() => cluster.reader.at().slot, { interval: 20 }).toBeGreaterThan(0n);
  return { golden, cluster, time, stopSlots: () => clearInterval(ticker) };
}

test('accounts are read from the endpoint at the requested slot', async () => {
  const { cluster } = await setUp();
  const { slot: minSlot } = cluster.reader.at();
  const { slot, accounts } = await cluster.readAccounts(
    [goldenObligation.address, UNKNOWN_ADDRESS],
    minSlot,
  );
  expect(slot).toBeGreaterThanOrEqual(minSlot);
  expect([...accounts.keys()]).toEqual([goldenObligation.address, UNKNOWN_ADDRESS]);
  expect([...accounts.values()]).toEqual([goldenObligation.account, undefined]);
  const ahead = toSlot(slot + 100_000n);
  expect((await catchError(cluster.readAccounts([goldenObligation.address], ahead)))?.code).toBe(
    'SOURCE_LAGS',
  );
});

test('the blockhash is valid and no older than state', async () => {
  const { cluster, golden } = await setUp();
  const { slot: stateSlot } = cluster.reader.at();
  const { slot, blockhash, lastValidBlockHeight } = await cluster.latestBlockhash();
  expect(slot).toBeGreaterThanOrEqual(stateSlot);
  const confirmed = { commitment: 'confirmed' };
  const height = (await golden.result('getBlockHeight', [confirmed])) as number;
  expect(Number(lastValidBlockHeight) - height).toBeGreaterThan(0);
  expect(Number(lastValidBlockHeight) - height).toBeLessThanOrEqual(150);
  const { value } = (await golden.result('isBlockhashValid', [blockhash, confirmed])) as {
    value: boolean;
  };
  expect(value).toBe(true);
});

test('a cached blockhash needs no endpoint until it is too old', async () => {
  const { cluster, golden, time } = await setUp();
  const first = await cluster.latestBlockhash();
  const faults = { answer: { kind: 'status', status: 503 } };
  await golden.result('tidegate_setFaults', [faults]);
  expect((await cluster.latestBlockhash()).slot).toBeGreaterThanOrEqual(first.slot);
  time.now += 5_001;
  expect((await catchError(cluster.latestBlockhash()))?.code).toBe('SOURCE_UNAVAILABLE');
  await golden.result('tidegate_setFaults', [{}]);
  golden.advanceSlots(3);
  expect((await cluster.latestBlockhash()).slot).toBeGreaterThan(first.slot);
});

test('a wait for a slot ends when state reaches it, or with false at the timeout', async () => {
  const { cluster } = await setUp();
  const later = cluster.reader.at().slot + 40n;
  expect(await cluster.waitForSlot(later, 1)).toBe(false);
  expect(await cluster.waitForSlot(later, 120_000)).toBe(true);
  expect(cluster.reader.at().slot).toBeGreaterThanOrEqual(later);
  expect(await cluster.waitForSlot(later, 0)).toBe(true);
});

test('no blockhash is taken from an endpoint behind state', async () => {
  const { cluster, golden, stopSlots } = await setUp();
  golden.advanceSlots(90);
  const { slot } = golden.localnet.bank;
  expect(await cluster.waitForSlot(slot, 120_000)).toBe(true);
  stopSlots();
  await golden.result('tidegate_setFaults', [{ lagSlots: 80 }]);
  expect((await catchError(cluster.latestBlockhash()))?.code).toBe('SOURCE_LAGS');
});

test('simulation is rejected with a reason if no endpoint supports it', async () => {
  const node = await startGoldenNode();
  onTestFinished(() => node.stop());
  const { cluster, stop } = openCluster(
    { env: 'localnet', rpcUrls: [node.url], wsUrls: [], registry: emptyRegistry },
    {
      commitment: 'confirmed',
      maxLagSlots: 150,
      obligations: 'on-demand',
      clock: Date.now,
      log: silentLog,
      timing: TIMING,
    },
  );
  onTestFinished(() => stop());
  const failure = await catchError(cluster.simulateTransaction(new Uint8Array(200), []));
  expect(failure?.code).toBe('SOURCE_REFUSES');
  expect(failure?.message).toMatch(/it does not support simulateTransaction/);
});
