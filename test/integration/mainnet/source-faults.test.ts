import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import type { RunningApi } from '../../support/http/test-api.ts';
import { editAccount, findAccount } from '../../support/recorded-mainnet/edit-account.ts';
import type { NodeFaults } from '../../support/recorded-mainnet/node-faults.ts';
import {
  MAIN_MARKET,
  MAIN_SOL_RESERVE,
  MAIN_USDC_RESERVE,
  USDC_DEPOSIT_LOAN,
  USDC_VAULT,
} from '../../support/recorded-mainnet/recorded-addresses.ts';
import {
  type RecordedMainnet,
  startRecordedMainnet,
} from '../../support/recorded-mainnet/recorded-mainnet.ts';
import { completeCluster } from '../../support/recorded-mainnet/scenarios.ts';
import { startServer } from '../../support/recorded-mainnet/start-server.ts';

/** Far above the usual time, for slow machines. */
const READY_POLL = { timeout: 25_000, interval: 50 };
const TEST_TIMEOUT_MS = 60_000;

type SourceStatus = { readonly step: string; readonly reason: string | null };
type ClusterStatus = {
  readonly waitingFor: string | null;
  readonly source: SourceStatus;
  readonly missing: readonly string[];
};
type Status = { readonly clusters: readonly [ClusterStatus] };

async function clusterStatus({ get }: RunningApi): Promise<ClusterStatus> {
  return ((await get('/status')).body as Status).clusters[0];
}

const waitForReady = ({ get }: RunningApi): Promise<void> =>
  expect.poll(async () => (await get('/ready')).status, READY_POLL).toBe(200);

type Vault = { readonly state: { readonly performanceFeeBps: number } };

async function readVaultFee({ get }: RunningApi): Promise<number> {
  const { body } = await get(`/kvaults/vaults/${USDC_VAULT}`);
  return (body as Vault).state.performanceFeeBps;
}

/** A change on the node is served. Only tests change the fee, so no other update delivers it. */
async function expectFollowed(node: RecordedMainnet, api: RunningApi): Promise<void> {
  const account = findAccount(completeCluster(), USDC_VAULT);
  const changed = editAccount(vaultState, account, (value) => ({
    ...value,
    performanceFeeBps: 777n,
  }));
  node.state.setAccount(USDC_VAULT, changed);
  await expect.poll(() => readVaultFee(api), READY_POLL).toBe(777);
}

describe('becomes ready and follows changes', { timeout: TEST_TIMEOUT_MS }, () => {
  const faults: readonly [string, NodeFaults][] = [
    ['no fault', {}],
    ['no notifications of the clock account', { withoutClockNotifications: true }],
    ['a WebSocket that answers 404', { webSocket: 'not-found' }],
    ['a WebSocket that is refused', { webSocket: 'refused' }],
    ['subscriptions that are confirmed but silent', { silentSubscriptions: true }],
    ['a node that rejects minContextSlot', { minContextSlot: 'rejected' }],
    ['a node that ignores minContextSlot', { minContextSlot: 'ignored' }],
    ['slow answers', { delayMs: 300 }],
    ['a rate limit', { rateLimited: { requests: 5, retryAfterSeconds: 1 } }],
    ['5 addresses per request', { maxAddresses: 5 }],
    ['no batches', { withoutBatches: true }],
    ['no performance samples', { unknownMethods: ['getRecentPerformanceSamples'] }],
    ['no block times', { unknownMethods: ['getBlockTime'] }],
    ['no program subscriptions', { unknownMethods: ['programSubscribe'] }],
    ['no account subscriptions', { unknownMethods: ['accountSubscribe'] }],
  ];

  test.for(faults)('%s', async ([, fault]) => {
    const node = await startRecordedMainnet({ faults: fault });
    const api = await startServer(node);
    await waitForReady(api);
    expect(await readVaultFee(api)).toBe(0);
    await expectFollowed(node, api);
  });
});

describe('a stream that fails while it is followed', { timeout: TEST_TIMEOUT_MS }, () => {
  const faults: readonly [string, NodeFaults][] = [
    ['no notifications of the clock account', { withoutClockNotifications: true }],
    ['subscriptions that become silent', { silentSubscriptions: true }],
  ];

  test.for(faults)('%s', async ([, fault]) => {
    const node = await startRecordedMainnet();
    const api = await startServer(node);
    await waitForReady(api);
    node.faults.set(fault);
    await expectFollowed(node, api);
  });
});

test('polling replaces a missing WebSocket within 10 s', { timeout: TEST_TIMEOUT_MS }, async () => {
  const node = await startRecordedMainnet({ faults: { webSocket: 'not-found' } });
  const startedAt = performance.now();
  const api = await startServer(node, { sourceTiming: 'default' });
  await waitForReady(api);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('the status names the active step and why', { timeout: TEST_TIMEOUT_MS }, async () => {
  const node = await startRecordedMainnet({ faults: { webSocket: 'not-found' } });
  const api = await startServer(node);
  await waitForReady(api);
  const { source } = await clusterStatus(api);
  expect(source.step).toBe('polling');
  expect(source.reason).toMatch(/404/);
});

test('a WebSocket that recovers is used again', { timeout: TEST_TIMEOUT_MS }, async () => {
  const node = await startRecordedMainnet({ faults: { webSocket: 'not-found' } });
  const api = await startServer(node);
  await waitForReady(api);
  node.faults.set({});
  await expect
    .poll(async () => (await clusterStatus(api)).source.step, { timeout: 40_000, interval: 100 })
    .toBe('websocket');
  await expectFollowed(node, api);
});

describe('getProgramAccounts is refused', { timeout: TEST_TIMEOUT_MS }, () => {
  const refusals = ['excluded', 'not-available', 'gone'] as const;
  const modes = ['all', 'on-demand'] as const;
  const cases = refusals.flatMap((scans) => modes.map((mode) => [scans, mode] as const));

  test.for(cases)('%s, loans %s: works from known addresses', async ([scans, obligations]) => {
    const node = await startRecordedMainnet({ faults: { scans } });
    const api = await startServer(node, { obligations });
    await waitForReady(api);
    const { body } = await api.get(`/svc-market/${MAIN_MARKET}/reserves/metrics`);
    const reserves = (body as { readonly reserve: string }[]).map(({ reserve }) => reserve);
    expect(new Set(reserves)).toEqual(new Set([MAIN_SOL_RESERVE, MAIN_USDC_RESERVE]));
    expect((await api.get(`/klend/loans/${USDC_DEPOSIT_LOAN}`)).status).toBe(200);
    expect((await clusterStatus(api)).missing.join(' ')).toMatch(/getProgramAccounts/);
    expect(api.clusterLog.filter((line) => line.includes('getProgramAccounts'))).toHaveLength(1);
  });
});

describe('responses that are too large', { timeout: TEST_TIMEOUT_MS }, () => {
  // all reserves together exceed it, every single account of the market does not
  const bytes = 100_000;

  test.for(['status', 'error'] as const)('as an %s', async (as) => {
    const node = await startRecordedMainnet({ faults: { maxResponse: { bytes, as } } });
    const api = await startServer(node);
    await waitForReady(api);
    expect(await readVaultFee(api)).toBe(0);
  });
});

test('slots that stop are reported, and the state stays', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const node = await startRecordedMainnet();
  const api = await startServer(node);
  await waitForReady(api);
  node.faults.set({ stoppedSlots: true });
  await expect.poll(async () => (await api.get('/ready')).status, READY_POLL).toBe(503);
  expect(await readVaultFee(api)).toBe(0);
  node.faults.set({});
  await waitForReady(api);
});

test('a node of another cluster is never served', { timeout: TEST_TIMEOUT_MS }, async () => {
  const devnet = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
  const node = await startRecordedMainnet({ faults: { genesisHash: devnet } });
  const api = await startServer(node);
  await expect.poll(() => node.requests).toContain('getGenesisHash');
  // longer than the pause between two attempts
  await sleep(3_000);
  expect((await api.get('/ready')).status).toBe(503);
  expect(node.requests).not.toContain('getProgramAccounts');
  expect(api.clusterLog.filter((line) => line.includes(devnet))).toHaveLength(1);
});
