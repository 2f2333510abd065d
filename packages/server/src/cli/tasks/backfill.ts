import {
  type Address,
  CodedError,
  type Logger,
  parseAddress,
  type UnixSeconds,
} from '@tidegate/core/base';
import { type ClusterSource, createClusterSource } from '../../chain/cluster-source.ts';
import type { History } from '../../history/open-history.ts';
import { loadOwnerIndex } from '../../indexer/events/load-owner-index.ts';
import { programDeployments } from '../../indexer/follow/account-sets.ts';
import {
  type BackfillReport,
  backfillEvents,
  parseBackfillStart,
} from '../../indexer/jobs/backfill-events.ts';
import { verifyGenesisHash } from '../clusters/open-cluster.ts';
import { openClusterHistory } from '../clusters/open-cluster-history.ts';
import { createServerLog } from '../logging/server-log.ts';
import type { Config } from '../settings/settings.ts';
import { createBackfillProgressBar } from '../terminal/progress-bar.ts';

export type BackfillFlags = {
  readonly until?: string | undefined;
  readonly days?: string | undefined;
  /** Instead of the programs. */
  readonly addresses: readonly string[];
};

/** Brings the events of the past of a cluster into its history; says what it brought. */
export async function runBackfill(config: Config, flags: BackfillFlags): Promise<string> {
  const until = parseBackfillStart(flags, Date.now());
  const addresses = flags.addresses.map(readAddress);
  if (config.rpcUrl.length === 0) {
    const reason = 'Set RPC_URL to a cluster; the past of the embedded one is complete.';
    throw new CodedError('INVALID_USAGE', { reason });
  }
  const { log, close } = createServerLog(config);
  const history = await openClusterHistory(config, config.cluster, log);
  const source = createClusterSource({
    ...{ rpcUrls: config.rpcUrl, wsUrls: [], commitment: config.commitment },
    ...{ clock: Date.now, random: Math.random, log },
  });
  try {
    if (!(await verifyGenesisHash(config.cluster, source, log))) {
      const accepts = 'the name of the cluster that RPC_URL serves';
      throw new CodedError('INVALID_SETTING', { name: 'CLUSTER', value: config.cluster, accepts });
    }
    return await bring({ history, source, log, until, addresses });
  } finally {
    source.close();
    await history.close();
    close();
  }
}

type Work = {
  readonly history: History;
  readonly source: ClusterSource;
  readonly log: Logger;
  readonly until: UnixSeconds;
  readonly addresses: readonly Address[];
};

async function bring({ history, source, log, until, addresses }: Work): Promise<string> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    const { klend, kvault, farms } = programDeployments;
    const report = await backfillEvents({
      ...{ history, source, log, until, random: Math.random, signal: abort.signal },
      facts: await loadOwnerIndex(source, programDeployments),
      addresses: addresses.length > 0 ? addresses : [...klend, ...kvault, ...farms],
      isOfAll: addresses.length === 0,
      onProgress: createBackfillProgressBar(),
    });
    return describe(report, abort.signal.aborted);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

function describe({ transactions, events, missing, undecoded }: BackfillReport, isCut: boolean) {
  const lines = [`${events} events of ${transactions} transactions were new.`];
  if (missing > 0)
    lines.push(`${missing} transactions are listed, but the node does not have them.`);
  if (undecoded > 0) lines.push(`${undecoded} transactions could not be read; the log has them.`);
  if (isCut) lines.push('It was stopped; the same command goes on from there.');
  return lines.join('\n');
}

function readAddress(text: string): Address {
  const address = parseAddress(text);
  if (address !== undefined) return address;
  const accepts = 'base58 addresses of accounts';
  throw new CodedError('INVALID_SETTING', { name: '--address', value: text, accepts });
}
