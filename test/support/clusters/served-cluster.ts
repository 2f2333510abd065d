import { expect, onTestFinished } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { type Cluster, createClusters } from '#server/clusters/served-clusters.ts';
import type { ClusterSettings } from '#server/composition/clusters/cluster-config.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import type { History } from '#server/history/open-history.ts';
import type { DriftTiming } from '#server/indexer/drift/drift-check.ts';
import { emptyRegistry } from '#server/registry/registry.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { goldenCluster } from '../golden/golden.ts';
import { goldenVault } from '../golden/golden-addresses.ts';
import { type RunningApi, startApi } from '../http/test-api.ts';
import type { GoldenLocalnet } from '../localnet/golden-localnet.ts';
import { withValueAt } from './golden-indexer.ts';
import { responseSlot } from './response-checker.ts';

type Node = { readonly rpcUrl: string | URL; readonly wsUrl: string | URL };

export type ServedOptions = {
  /** Defaults to the localnet's first node. */
  readonly nodes?: readonly Node[];
  readonly obligations?: ClusterSettings['obligations'];
  readonly follow?: 'updates' | 'polling';
  /** Longest silence of a node, in real time. */
  readonly timeoutMs?: number;
  /** Records the cluster. It is closed with the cluster. */
  readonly history?: History;
  /** How often state is compared with the node; never if omitted. */
  readonly drift?: DriftTiming;
  /** Real time between two polls, if no updates arrive; the default of the server if omitted. */
  readonly pollSeconds?: number;
};

/** Real time per slot; a slot is 400 ms of cluster time. A busy machine polls less often than updates arrive. */
const REAL_SLOT_MS = { updates: 25, polling: 200 };

/** `/ready` fails beyond this lag. */
const MAX_LAG_SLOTS = 30;

/**
 * A running localnet, read and served as by `serve`, on the cluster's clock. Stops with the test.
 */
export async function serveLocalnet(
  golden: GoldenLocalnet,
  options: ServedOptions = {},
): Promise<RunningApi> {
  return (await serveCluster(golden, options)).api;
}

/** The same, with the cluster itself. */
export async function serveCluster(
  golden: GoldenLocalnet,
  options: ServedOptions = {},
): Promise<{ readonly api: RunningApi; readonly cluster: Cluster }> {
  const { nodes = [golden], obligations = 'all', follow = 'updates', timeoutMs = 20_000 } = options;
  const { history, drift, pollSeconds } = options;
  const clock = clockOf(golden);
  const plan = {
    env: 'localnet' as const,
    rpcUrls: nodes.map(({ rpcUrl }) => new URL(rpcUrl)),
    wsUrls: follow === 'polling' ? [] : nodes.map(({ wsUrl }) => new URL(wsUrl)),
    registry: emptyRegistry,
    ...(history && { history }),
  };
  // Timers run in real time, not in cluster time.
  const timing = {
    source: { timeoutMs, scanTimeoutMs: timeoutMs, probeMs: 100, retryMs: 20 },
    indexer: { tickMs: 20, retryMs: 20, waitMs: 25_000 },
    ...(drift && { drift }),
  };
  const settings = {
    commitment: 'confirmed',
    maxLagSlots: MAX_LAG_SLOTS,
    obligations,
    ...(pollSeconds !== undefined && { pollSeconds }),
  } as const;
  const opened = openCluster(plan, { ...settings, clock, log: silentLog, timing });
  onTestFinished(() => opened.stop());
  const ticker = setInterval(() => golden.advanceSlots(1), REAL_SLOT_MS[follow]);
  onTestFinished(() => clearInterval(ticker));
  const { cluster } = opened;
  return { cluster, api: await startApi({ clusters: createClusters([cluster]), clock }) };
}

/** The cluster time in milliseconds. */
function clockOf({ localnet: { bank } }: GoldenLocalnet): () => number {
  const { at } = goldenCluster();
  return () => Number(at.unix) * 1000 + Number(bank.slot - at.slot) * 400;
}

/** Changed only by tests, so that only an update or a re-read can deliver a change. */
const VAULT = goldenVault('Steady USDC').address;
export const VAULT_PATH = `/kvaults/vaults/${VAULT}`;

/** Sets the vault's fee, which its response contains; returns the slot of the change. */
export const setVaultFee = (golden: GoldenLocalnet, bps: number): Promise<bigint> =>
  setAccountValue(golden, { address: VAULT, offset: FEE, value: BigInt(bps) });

type AccountValue = { readonly address: Address; readonly offset: number; readonly value: bigint };

/** Sets eight bytes of an account, without a transaction; returns the slot of the change. */
export async function setAccountValue(
  { localnet, result }: GoldenLocalnet,
  { address, offset, value }: AccountValue,
): Promise<bigint> {
  const account = localnet.bank.account(address);
  if (account === undefined) throw new Error(`no golden account ${address}`);
  const { owner, lamports, data } = withValueAt(account, offset, value);
  const changed = { owner, lamports: Number(lamports), data: [encodeBase64(data), 'base64'] };
  const { slot } = (await result('tidegate_setAccount', [address, changed])) as { slot: number };
  return BigInt(slot);
}

const FEE = vaultState.offsets.performanceFeeBps;

export async function waitUntilReady({ get }: RunningApi): Promise<void> {
  await expect.poll(async () => (await get('/ready')).status, LONG_POLL).toBe(200);
}

/** Waits until the served slot reaches the given one. */
export async function waitForServedSlot({ get }: RunningApi, slot: bigint): Promise<void> {
  await expect
    .poll(async () => responseSlot(await get('/health')), LONG_POLL)
    .toBeGreaterThanOrEqual(slot);
}

/** How often a test polls; the limit is that of all tests. */
export const LONG_POLL = { interval: 20 };
