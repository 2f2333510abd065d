import type { Address } from '#core/base/encoding/address.ts';
import type { Slot } from '#core/base/time.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { type Cluster, type Clusters, createClusters } from '#server/clusters/served-clusters.ts';
import { CodedError } from '#server/errors.ts';
import { emptyRegistry } from '#server/registry/registry.ts';
import { goldenCluster } from './golden.ts';
import { goldenReader } from './golden-reader.ts';

/** The blockhash of the static cluster. It never expires. */
const STATIC_BLOCKHASH = 'GfVcyD4kkTrj4bKc7WA9sZCin9JDbdT4Zkd3EittNR1W';

/** A static cluster with optional changes. */
export function staticCluster(changes: Partial<Cluster> = {}): Cluster {
  const reader = changes.reader ?? goldenReader();
  return {
    env: 'localnet',
    commitment: 'confirmed',
    reader,
    registry: emptyRegistry,
    status: () => ({
      waitingFor: undefined,
      slot: reader.at().slot,
      lagSlots: 0,
      endpoints: [],
      source: {
        step: 'polling',
        since: 0,
        reason: 'It is the preferred source.',
        steps: [],
      },
      alarms: [],
      missing: [],
      scans: { refused: [], retryInMs: undefined },
      undecodedAccounts: 0,
    }),
    marketTables: { tableOf: () => undefined, request: () => undefined },
    ageMs: () => 0,
    loadWallet: async () => undefined,
    loadObligation: async () => undefined,
    waitForSlot: async (slot) => slot <= reader.at().slot,
    listEpochs: async () => ({ epochs: [], missing: [] }),
    ...requestsOf(reader),
    ...changes,
  };
}

/** Endpoint requests, served from the accounts of the golden cluster at the slot of the reader. */
function requestsOf(
  reader: ClusterReader,
): Pick<
  Cluster,
  'readAccounts' | 'latestBlockhash' | 'recentPriorityFees' | 'simulateTransaction'
> {
  let golden: ReturnType<typeof goldenCluster> | undefined;
  const source = 'the static cluster';
  return {
    async readAccounts(addresses: readonly Address[], minSlot?: Slot) {
      const { slot } = reader.at();
      if (minSlot !== undefined && minSlot > slot) {
        throw new CodedError('SOURCE_LAGS', { source, slot, minSlot });
      }
      golden ??= goldenCluster();
      const { accounts } = golden;
      return { slot, accounts: new Map(addresses.map((each) => [each, accounts.get(each)])) };
    },
    async latestBlockhash() {
      const { slot } = reader.at();
      return { slot, blockhash: STATIC_BLOCKHASH, lastValidBlockHeight: slot + 150n };
    },
    async recentPriorityFees() {
      return [];
    },
    async simulateTransaction() {
      throw new CodedError('SOURCE_REFUSES', {
        source,
        reason: 'it does not simulate transactions',
      });
    },
  };
}

/** Clusters with the golden cluster as localnet. */
export const goldenClusters = (changes: Partial<Cluster> = {}): Clusters =>
  createClusters([staticCluster(changes)]);
