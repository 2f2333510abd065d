import { inspect } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { Logger } from '#core/base/logger.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import type { SourceTiming } from '#server/chain/cluster-source.ts';
import { ClusterTokens } from '#server/clusters/cluster-tokens.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import type { ClusterSettings } from '#server/composition/clusters/cluster-config.ts';
import { selectRegistry } from '#server/composition/clusters/cluster-registry.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { type History, openHistory } from '#server/history/open-history.ts';
import { parseRegistry, type Registry } from '#server/registry/registry.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { createPgliteFolder } from '../history/test-databases.ts';
import { type RunningApi, startApi } from '../http/test-api.ts';
import {
  LENDING_LOOKUP_TABLE,
  MAIN_MARKET,
  USDC_VAULT,
  VAULT_MARKET,
} from './recorded-addresses.ts';
import type { RecordedMainnet } from './recorded-mainnet.ts';

type ServerSettings = {
  /** Markets that the registry lists before the main market and the vault's market, as primary. */
  readonly primary?: readonly Address[];
  readonly obligations?: ClusterSettings['obligations'];
  /** How long sources may be silent, and when they are tried again. By default short. */
  readonly sourceTiming?: 'default';
  /** A gRPC endpoint, used before the WebSocket. */
  readonly geyserUrl?: URL;
  /** Loans are not scanned periodically, so that other scans can be counted. */
  readonly withoutRescans?: boolean;
  /** By default no history is recorded. */
  readonly recordsHistory?: boolean;
  /**
   * `built-in`: that of mainnet-beta, as without `REGISTRY`. `without-tables`: no market has a lookup table. By default a
   * small one with the recorded market and vault.
   */
  readonly registry?: 'built-in' | 'without-tables';
};

export type RecordedMainnetApi = RunningApi & {
  /** Warnings and errors of the cluster, with their context. */
  readonly clusterLog: readonly string[];
};

/** `/ready` fails beyond this lag. */
const MAX_LAG_SLOTS = 100;

/** In real time. */
const SHORT_SOURCE_TIMING: SourceTiming = {
  timeoutMs: 2_000,
  scanTimeoutMs: 2_000,
  probeMs: 100,
  retryMs: 20,
  ladder: { failAfterMs: 1_500, firstRetryMs: 1_000, maxRetryMs: 2_000 },
  clock: { silentMs: 500, readEveryMs: 200, settleMs: 200, updatesMs: 2_000 },
};

/** Serves a node as mainnet-beta, with short pauses after failures. Stops with the test. */
export async function startServer(
  node: RecordedMainnet,
  settings: ServerSettings = {},
): Promise<RecordedMainnetApi> {
  const { obligations = 'all', recordsHistory, sourceTiming, geyserUrl } = settings;
  const clusterLog: string[] = [];
  const history = recordsHistory ? { history: await openTestHistory() } : {};
  const config = {
    env: 'mainnet-beta' as const,
    rpcUrls: [node.rpcUrl],
    wsUrls: [node.wsUrl],
    ...(geyserUrl !== undefined && { geyser: { url: geyserUrl } }),
    registry: selectTestRegistry(settings),
    ...history,
  };
  const timing = {
    source: sourceTiming === 'default' ? {} : SHORT_SOURCE_TIMING,
    indexer: {
      tickMs: 20,
      retryMs: 20,
      waitMs: 10_000,
      scanRetryMs: 2_000,
      ...(settings.withoutRescans && { rescanObligationsMs: 600_000 }),
    },
  };
  const opened = openCluster(config, {
    commitment: 'confirmed',
    maxLagSlots: MAX_LAG_SLOTS,
    obligations,
    clock: node.clock,
    log: createMessageLog(clusterLog),
    timing,
  });
  onTestFinished(() => opened.stop());
  const clusters = createClusters([opened.cluster]);
  const tokens = settings.registry === 'built-in' ? { tokens: new ClusterTokens(clusters) } : {};
  const api = await startApi({ clusters, ...tokens, clock: node.clock });
  return { ...api, clusterLog };
}

function selectTestRegistry({ registry, primary = [] }: ServerSettings): Registry {
  if (registry === 'built-in') return selectRegistry('mainnet-beta', undefined);
  return createListing(primary, registry !== 'without-tables');
}

function createListing(primary: readonly Address[], hasTables: boolean): Registry {
  const markets = [...primary, MAIN_MARKET, VAULT_MARKET].map((address) => ({
    address,
    programId: KLEND_PROGRAM,
    name: address === MAIN_MARKET ? 'Main Market' : `Market ${address.slice(0, 4)}`,
    description: '',
    isPrimary: address === MAIN_MARKET || primary.includes(address),
    isCurated: false,
    ...(hasTables && address === MAIN_MARKET && { lookupTable: LENDING_LOOKUP_TABLE }),
  }));
  return parseRegistry({ markets, vaults: [USDC_VAULT] }, 'the registry of the test');
}

function createMessageLog(messages: string[]): Logger {
  const add = (context: object, message: string) => {
    messages.push(`${message} ${inspect(context)}`);
  };
  return { ...silentLog, warn: add, error: add };
}

async function openTestHistory(): Promise<History> {
  const { location, remove } = await createPgliteFolder();
  onTestFinished(remove);
  return openHistory({ ...location, log: silentLog });
}
