import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { RulesAt } from '#core/protocol/releases/index.ts';
import type { ProofReport } from '#server/clusters/proof-report.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import type { History } from '#server/history/open-history.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { startApi } from '../http/test-api.ts';
import type { ActiveCluster } from './active-cluster.ts';

const TIMING = {
  source: { timeoutMs: 20_000, scanTimeoutMs: 20_000, retryMs: 20 },
  indexer: { tickMs: 20, retryMs: 20 },
};
const OFTEN = { interval: 10 };
/** Everything is tried. */
const ALL_OF_A_CORE = 100;
/** Slots that a server may be behind the cluster. */
const MAX_BEHIND = 10n;

type Options = {
  readonly history: History;
  readonly rulesAt?: RulesAt;
  readonly dataDir?: string;
};

/** A folder that is removed after the test. */
function createProofFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-proof-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Follows, records and proves the cluster as `serve` does. */
export async function proveCluster(
  { rpcUrl, wsUrl, metadata, now, advance, cluster: { bank } }: ActiveCluster,
  { history, rulesAt, dataDir = createProofFolder() }: Options,
) {
  const config = {
    env: 'localnet' as const,
    rpcUrls: [new URL(rpcUrl)],
    wsUrls: [new URL(wsUrl)],
    registry: createLocalnetRegistry(metadata),
    history,
    ...(rulesAt && { rulesAt }),
  };
  const settings = { commitment: 'confirmed', maxLagSlots: 150, obligations: 'all' } as const;
  const opened = openCluster(config, {
    ...settings,
    clock: now,
    log: silentLog,
    timing: TIMING,
    proofCpuPercent: ALL_OF_A_CORE,
    dataDir,
  });
  const { cluster } = opened;
  const nextSlot = () => {
    advance();
    return cluster.reader.at().slot;
  };
  await expect.poll(nextSlot, OFTEN).toBeGreaterThan(0n);
  const api = await startApi({ clusters: createClusters([cluster]), clock: now });
  const report = () => {
    const current = cluster.proof?.report();
    if (current === undefined) throw new Error('the proof is off');
    return current;
  };
  let polls = 0;
  /** After a gap, the server follows only while the cluster goes on. */
  const isBehind = () => {
    if (++polls % 20 === 0) advance();
    return cluster.reader.at().slot + MAX_BEHIND < bank.slot;
  };
  /** Closes a number of slots with activity, and then more until the last of them is replayed. */
  const advanceSlots = async (slots: number) => {
    for (let i = 0; i < slots; i++) {
      advance('act');
      await expect.poll(isBehind, OFTEN).toBe(false);
    }
    const last = bank.slot;
    const replayed = () => {
      advance();
      return BigInt(report().slot ?? 0);
    };
    await expect.poll(replayed, { interval: 50 }).toBeGreaterThanOrEqual(last);
  };
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await opened.stop();
    isStopped = true;
  };
  onTestFinished(stop);
  return { cluster, api, dataDir, report, advance: advanceSlots, stop };
}

export const provenTransactions = ({ transactions }: ProofReport): number =>
  transactions.sinceStart.proven;
