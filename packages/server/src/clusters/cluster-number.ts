import type { Cluster } from './served-clusters.ts';

const numbers = new WeakMap<Cluster, number>();
let last = 0;

/** Differs between a cluster and the one that replaces it when it is opened again, whose versions start over. */
export function clusterNumber(cluster: Cluster): number {
  const known = numbers.get(cluster);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(cluster, last);
  return last;
}
