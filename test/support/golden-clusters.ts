import { type Cluster, type Clusters, createClusters } from '../../src/api/clusters.ts';
import { emptyRegistry } from '../../src/registry/registry.ts';
import { goldenReader } from './golden-reader.ts';

/** A cluster that stands still, with what a test changes about it. */
export function stillCluster(changes: Partial<Cluster> = {}): Cluster {
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
      undecodedAccounts: 0,
    }),
    updatedAt: () => Date.now(),
    ensureWallet: async () => undefined,
    ensureObligation: async () => undefined,
    reaches: async (slot) => slot <= reader.at().slot,
    ...changes,
  };
}

/** A deployment that serves the golden cluster as its localnet. */
export const goldenClusters = (changes: Partial<Cluster> = {}): Clusters =>
  createClusters([stillCluster(changes)]);
