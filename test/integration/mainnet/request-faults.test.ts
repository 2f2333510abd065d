import { describe, expect, test } from 'vitest';
import {
  expectFollowed,
  readClusterStatus,
  readVaultFee,
  waitForReady,
} from '../../support/recorded-mainnet/expect-followed.ts';
import type { NodeFaults } from '../../support/recorded-mainnet/node-faults.ts';
import {
  MAIN_MARKET,
  MAIN_SOL_RESERVE,
  MAIN_USDC_RESERVE,
  USDC_DEPOSIT_LOAN,
  USDC_VAULT,
} from '../../support/recorded-mainnet/recorded-addresses.ts';
import { startRecordedMainnet } from '../../support/recorded-mainnet/recorded-mainnet.ts';
import { startServer } from '../../support/recorded-mainnet/start-server.ts';

describe('becomes ready and follows changes', () => {
  const faults: readonly [string, NodeFaults][] = [
    ['a node that rejects minContextSlot', { minContextSlot: 'rejected' }],
    ['a node that ignores minContextSlot', { minContextSlot: 'ignored' }],
    ['slow answers', { delayMs: 300 }],
    ['a rate limit', { rateLimited: { requests: 5, retryAfterSeconds: 1 } }],
    ['no performance samples', { unknownMethods: ['getRecentPerformanceSamples'] }],
    ['no block times', { unknownMethods: ['getBlockTime'] }],
  ];

  test.for(faults)('%s', async ([, fault]) => {
    const node = await startRecordedMainnet({ faults: fault });
    const api = await startServer(node);
    await waitForReady(api);
    expect(await readVaultFee(api)).toBe(0);
    await expectFollowed(node, api);
  });
});

describe('getProgramAccounts is refused', () => {
  const cases = [
    ['excluded', 'all'],
    ['not-available', 'all'],
    ['gone', 'all'],
    ['excluded', 'on-demand'],
  ] as const;

  test.for(cases)('%s, loans %s: works from known addresses', async ([scans, obligations]) => {
    const node = await startRecordedMainnet({ faults: { scans } });
    const api = await startServer(node, { obligations });
    await waitForReady(api);
    const { body } = await api.get(`/svc-market/${MAIN_MARKET}/reserves/metrics`);
    const reserves = (body as { readonly reserve: string }[]).map(({ reserve }) => reserve);
    expect(new Set(reserves)).toEqual(new Set([MAIN_SOL_RESERVE, MAIN_USDC_RESERVE]));
    expect((await api.get(`/klend/loans/${USDC_DEPOSIT_LOAN}`)).status).toBe(200);
    expect(await api.get(`/kvaults/vaults/${USDC_VAULT}/metrics`)).toMatchObject({
      status: 200,
      body: { tokenPrice: '0.9998' },
    });
    expect((await readClusterStatus(api)).missing.join(' ')).toMatch(/getProgramAccounts/);
    expect(api.clusterLog.join('\n')).toMatch(/getProgramAccounts/);
  });
});

test('getProgramAccounts that is served later is used without a restart', async () => {
  const node = await startRecordedMainnet({ faults: { scans: 'excluded' } });
  const api = await startServer(node);
  await waitForReady(api);
  const { scans } = await readClusterStatus(api);
  expect(scans.refused).toContain('obligation');
  expect(scans.retryAt).toMatch(/^\d{4}-.*Z$/);
  node.faults.set({});
  await expect.poll(async () => (await readClusterStatus(api)).scans.refused).toEqual([]);
  expect(await readClusterStatus(api)).toMatchObject({ missing: [], scans: { retryAt: null } });
  await expectFollowed(node, api);
});

test('a node of another cluster is never served, and reported once', async () => {
  const devnet = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
  const node = await startRecordedMainnet({ faults: { genesisHash: devnet } });
  const api = await startServer(node);
  const readStatus = async () => JSON.stringify((await api.get('/status')).body);
  await expect.poll(readStatus).toContain('CLUSTER');
  // a server with the same pauses probes its node many times, so this one would have tried again
  const right = await startRecordedMainnet();
  await startServer(right);
  const probes = () => right.requests.filter((method) => method === 'getSlot').length;
  await expect.poll(probes).toBeGreaterThan(30);
  expect((await api.get('/ready')).status).toBe(503);
  expect(node.requests).not.toContain('getProgramAccounts');
  expect(api.clusterLog).toHaveLength(1);
  expect(api.clusterLog[0]).toContain('another cluster');
  expect(await readStatus()).toContain('CLUSTER');
});
