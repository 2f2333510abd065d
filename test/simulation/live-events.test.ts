import { expect, onTestFinished, test } from 'vitest';
import { toUnixSeconds } from '#core/base/time.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import type { History } from '#server/history/open-history.ts';
import { loadOwnerIndex } from '#server/indexer/events/load-owner-index.ts';
import { programDeployments } from '#server/indexer/follow/account-sets.ts';
import { backfillEvents } from '#server/indexer/jobs/backfill-events.ts';
import { createDemoSender } from '../support/clusters/demo-sender.ts';
import { startGenesisApi } from '../support/clusters/genesis-api.ts';
import { openRpcSource } from '../support/clusters/rpc-source.ts';
import { startProxy } from '../support/fakes/breakable-proxy.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { onPglite } from '../support/history/history-engines.ts';
import { startApi } from '../support/http/test-api.ts';

const SEED = 'tidegate';
const TIMING = {
  source: { timeoutMs: 20_000, scanTimeoutMs: 20_000, retryMs: 20 },
  indexer: { tickMs: 20, retryMs: 20 },
};
const HALF_HOUR_MS = 1_800_000;
const PATIENTLY = { interval: 25 };

type Genesis = Awaited<ReturnType<typeof startGenesisApi>>;

/** The slot after a leap confirms it. */
function leap({ advanceTime }: Genesis, ms: number): void {
  advanceTime(ms);
  advanceTime();
}

/** Follows and records the cluster through a proxy that can be disconnected. */
async function recorder({ rpcUrl, metadata, now, advanceTime }: Genesis, history: History) {
  const proxy = await startProxy(rpcUrl);
  const config = {
    env: 'localnet' as const,
    rpcUrls: [proxy.rpcUrl],
    wsUrls: [proxy.wsUrl],
    registry: createLocalnetRegistry(metadata),
    history,
  };
  const settings = { commitment: 'confirmed', maxLagSlots: 150, obligations: 'all' } as const;
  const { cluster, stop } = openCluster(config, {
    ...settings,
    clock: now,
    log: silentLog,
    timing: TIMING,
  });
  onTestFinished(stop);
  const loaded = () => {
    advanceTime();
    return cluster.reader.at().slot;
  };
  await expect.poll(loaded, PATIENTLY).toBeGreaterThan(0n);
  const api = await startApi({ clusters: createClusters([cluster]), clock: now });
  return { proxy, api };
}

type VaultTx = { readonly transaction: string; readonly instruction: string };
type Loans = Record<string, { transactionSignature: string; transactionDisplayName: string }[]>;

onPglite('transactions in a cluster that is read over RPC', ({ fresh }) => {
  test('are served over HTTP, and a backfill adds those of an outage exactly once', async () => {
    const genesis = await startGenesisApi(SEED);
    const { metadata, advanceTime } = genesis;
    const { wallet, vault, market, deposit, borrow } = metadata.demo;
    const send = createDemoSender(genesis, SEED);
    const history = await (await fresh()).open();
    const { proxy, api } = await recorder(genesis, history);

    const inVaults = async () => {
      advanceTime();
      const { body } = await api.get(`/kvaults/users/${wallet}/transactions`);
      return (body as VaultTx[]).map((each) => `${each.instruction} ${each.transaction}`);
    };
    const inLoans = async () => {
      advanceTime();
      const { body } = await api.get(`/v2/svc-market/${market}/users/${wallet}/transactions`);
      expect(body).not.toHaveProperty('error');
      const transactions = Object.values(body as Loans).flat();
      return transactions.map(
        (each) => `${each.transactionDisplayName} ${each.transactionSignature}`,
      );
    };

    const first = await send('kvault/deposit', { kvault: vault, amount: '10' });
    const deposited = await send('klend/deposit', { market, ...deposit });
    await expect.poll(inVaults, PATIENTLY).toEqual([`deposit ${first}`]);
    await expect.poll(inLoans, PATIENTLY).toEqual([`Deposit ${deposited}`]);

    await proxy.disconnect();
    leap(genesis, HALF_HOUR_MS);
    const second = await send('kvault/deposit', { kvault: vault, amount: '5' });
    const borrowed = await send('klend/borrow', { market, ...borrow });
    leap(genesis, HALF_HOUR_MS);
    expect(await inVaults()).toEqual([`deposit ${first}`]);

    const source = openRpcSource(genesis);
    const { klend, kvault, farms } = programDeployments;
    const runBackfill = async () =>
      await backfillEvents({
        source,
        history,
        log: silentLog,
        random: () => 0,
        oldest: toUnixSeconds(0n),
        addresses: [...klend, ...kvault, ...farms],
        signal: new AbortController().signal,
        ownerIndex: await loadOwnerIndex(source, programDeployments),
      });
    expect((await runBackfill()).missing).toBe(0);
    const vaults = [`deposit ${second}`, `deposit ${first}`];
    const loans = [`Deposit ${deposited}`, `Borrow ${borrowed}`];
    expect(await inVaults()).toEqual(vaults);
    expect(await inLoans()).toEqual(loans);
    expect((await runBackfill()).events).toBe(0);

    // following continues after the backfill
    await proxy.reconnect();
    const third = await send('kvault/deposit', { kvault: vault, amount: '1' });
    await expect.poll(inVaults, PATIENTLY).toEqual([`deposit ${third}`, ...vaults]);
    expect(await inLoans()).toEqual(loans);
  });
});
