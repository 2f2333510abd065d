import type { StatePart } from '@tidegate/core/state';
import type { Cluster, Clusters } from './served-clusters.ts';

/**
 * Data that a response can depend on: parts of the state of its cluster, the history summaries of vaults, the newest
 * events, and the token catalogue. The registry has no version: only its seasons change while the process runs, and their rates depend on `slot`.
 * So does every figure that accrues, and a response about a wallet or a loan, because some sources read those only on
 * request.
 */
export type DataDependency = StatePart | 'vaultHistory' | 'recentEvents' | 'tokens';

/** Changes with every change of the data; never returns to an earlier value. */
export type DataVersion = () => number;

/** Version of some data of a cluster; `env` is its name or alias, by default the primary cluster. */
export type DataVersions = (
  dependencies: readonly DataDependency[],
  env: string | undefined,
) => DataVersion;

type Versioned = { version(): number };

export function createDataVersions(
  clusters: Pick<Clusters, 'find'>,
  tokens: Versioned,
): DataVersions {
  const bases = new WeakMap<Cluster, number>();
  let highest = 0;
  // a process that becomes the writer again opens its clusters again, and their counters start over
  const baseOf = (cluster: Cluster): number => {
    const known = bases.get(cluster);
    if (known !== undefined) return known;
    bases.set(cluster, highest + 1);
    return highest + 1;
  };
  return (dependencies, env) => () => {
    const cluster = clusters.find(env);
    let sum = cluster === undefined ? 0 : baseOf(cluster);
    if (dependencies.length > 0) sum += cluster?.unproven?.version() ?? 0;
    for (const dependency of dependencies) {
      if (dependency === 'tokens') sum += tokens.version();
      else if (dependency === 'recentEvents')
        sum += cluster?.recording?.recentEvents.version() ?? 0;
      else if (dependency === 'vaultHistory')
        sum += cluster?.recording?.vaultHistoryCache.version() ?? 0;
      else sum += cluster?.reader.versionOf(dependency) ?? 0;
    }
    if (sum > highest) highest = sum;
    return sum;
  };
}
