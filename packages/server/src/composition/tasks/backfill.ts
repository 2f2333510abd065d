import { type Address, type Logger, parseAddress, type UnixSeconds } from '@tidegate/core/base';
import { type ClusterSource, createClusterSource } from '../../chain/cluster-source.ts';
import { createServerLog } from '../../cli/logging/server-log.ts';
import type { Config } from '../../cli/settings/settings.ts';
import { createBackfillReporter } from '../../cli/terminal/progress-reporter.ts';
import { CodedError } from '../../errors.ts';
import { requireSameCluster } from '../../history/cluster-identity.ts';
import type { History } from '../../history/open-history.ts';
import { loadOwnerIndex } from '../../indexer/events/load-owner-index.ts';
import { programDeployments } from '../../indexer/follow/account-sets.ts';
import {
  type BackfillReport,
  backfillEvents,
  parseBackfillStart,
} from '../../indexer/jobs/backfill-events.ts';
import { readClusterIdentity } from '../clusters/read-cluster-identity.ts';
import { genesisHashOf, verifyCluster } from '../clusters/verify-cluster.ts';
import { openClusterHistory } from '../recording/open-cluster-history.ts';

export type BackfillFlags = {
  readonly until?: string | undefined;
  readonly days?: string | undefined;
  /** Accounts to fetch transactions of. Empty for all programs. */
  readonly addresses: readonly string[];
};

/** Fetches historical events of a cluster into its history. Returns a summary. */
export async function runBackfill(config: Config, flags: BackfillFlags): Promise<string> {
  const until = parseBackfillStart(flags, Date.now());
  const addresses = flags.addresses.map(requireAddress);
  if (config.rpcUrl.length === 0) {
    const reason =
      'Set RPC_URL to a cluster. The history of the embedded cluster is already complete.';
    throw new CodedError('INVALID_USAGE', { reason, command: 'backfill' });
  }
  const { log, close } = createServerLog(config);
  const history = await openClusterHistory(config, config.cluster, log);
  const source = createClusterSource({
    rpcUrls: config.rpcUrl,
    wsUrls: [],
    commitment: config.commitment,
    genesisHash: genesisHashOf(config.cluster),
    clock: Date.now,
    random: Math.random,
    budget: config.rpcBudget.value,
    log,
  });
  try {
    await verifyCluster({ env: config.cluster, rpcSetting: 'RPC_URL', source, log });
    const cluster = { env: config.cluster, rpcUrls: config.rpcUrl, source };
    const identity = await readClusterIdentity(cluster);
    if (identity !== undefined) await requireSameCluster(history.db, identity);
    return await fetchEvents({ history, source, log, until, addresses });
  } finally {
    source.close();
    await history.close();
    close();
  }
}

type BackfillJob = {
  readonly history: History;
  readonly source: ClusterSource;
  readonly log: Logger;
  readonly until: UnixSeconds;
  readonly addresses: readonly Address[];
};

async function fetchEvents({
  history,
  source,
  log,
  until,
  addresses,
}: BackfillJob): Promise<string> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    const { klend, kvault, farms } = programDeployments;
    const report = await backfillEvents({
      history,
      source,
      log,
      oldest: until,
      random: Math.random,
      signal: abort.signal,
      ownerIndex: await loadOwnerIndex(source, programDeployments),
      addresses: addresses.length > 0 ? addresses : [...klend, ...kvault, ...farms],
      isAllPrograms: addresses.length === 0,
      onProgress: createBackfillReporter(),
    });
    return describe(report, abort.signal.aborted);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

function describe(
  { transactions, events, missing, undecodable }: BackfillReport,
  isAborted: boolean,
) {
  const lines = [`Added ${events} events of ${transactions} transactions.`];
  if (missing > 0) lines.push(`The node lists ${missing} transactions that it does not return.`);
  if (undecodable > 0) lines.push(`${undecodable} transactions cannot be decoded. See the log.`);
  if (isAborted) lines.push('Stopped. Run the same command to continue.');
  return lines.join('\n');
}

function requireAddress(text: string): Address {
  const address = parseAddress(text);
  if (address !== undefined) return address;
  const accepts = 'base58 addresses of accounts';
  throw new CodedError('INVALID_SETTING', { name: '--address', value: text, accepts });
}
