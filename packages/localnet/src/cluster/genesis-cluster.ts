import type { ClusterMetadata } from '../genesis/cluster-metadata.ts';
import { createGenesis, type GenesisPlan } from '../genesis/genesis.ts';
import type { Executor } from '../runtime/transactions/executor.ts';
import { createLocalCluster, type LocalCluster } from './cluster.ts';

/** The cluster of a plan at its genesis, without a simulated history. */
export function createGenesisCluster(
  plan: GenesisPlan,
  executor: Executor,
): { readonly cluster: LocalCluster; readonly metadata: ClusterMetadata } {
  const { accounts, metadata, state } = createGenesis(plan, executor.rulesAt);
  const { seed, startTime: origin } = state;
  return { cluster: createLocalCluster({ accounts, origin, seed, executor }), metadata };
}
