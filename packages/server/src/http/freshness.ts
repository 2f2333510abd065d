import type { Cluster, Clusters } from '../clusters/served-clusters.ts';
import { readQueryParameter } from './query-parameter.ts';
import { formatHeaderLines } from './response-headers.ts';

/** Headers that identify the data behind a response. */
export type Freshness = {
  /** As a flat list: name, value, name, value. */
  headers(url: string): readonly string[];
  /** As header lines of the HTTP message. */
  lines(url: string): string;
};

/** Describes the cluster that the `env` parameter names, by default the primary one. */
export function createFreshness(clusters: Clusters, clock: () => number): Freshness {
  const slots = new Map(clusters.all.map((cluster) => [cluster, createSlotHeaders(cluster)]));
  const age = (cluster: Cluster) => Math.max(0, Math.round(clock() - cluster.updatedAt()));
  return {
    headers(url) {
      const cluster = findCluster(clusters, url);
      if (cluster === undefined) return [];
      return [...(slots.get(cluster)?.().headers ?? []), 'x-data-age', String(age(cluster))];
    },
    lines(url) {
      const cluster = findCluster(clusters, url);
      if (cluster === undefined) return '';
      return `${slots.get(cluster)?.().lines ?? ''}x-data-age: ${age(cluster)}\r\n`;
    },
  };
}

type SlotHeaders = { readonly headers: readonly string[]; readonly lines: string };

/** Slot, block time and commitment, formatted once per slot. */
function createSlotHeaders(cluster: Cluster): () => SlotHeaders {
  let slot = -1n;
  let formatted: SlotHeaders = { headers: [], lines: '' };
  return () => {
    const at = cluster.reader.at();
    if (at.slot !== slot) {
      slot = at.slot;
      const time = new Date(Number(at.unix) * 1000).toISOString();
      const { commitment } = cluster;
      const headers = ['x-slot', String(slot), 'x-block-time', time, 'x-commitment', commitment];
      formatted = { headers, lines: formatHeaderLines(headers) };
    }
    return formatted;
  };
}

/** Error responses carry the headers too, so an unknown cluster falls back to the primary one. */
function findCluster({ all }: Clusters, url: string): Cluster | undefined {
  const env = url.includes('env=') ? readQueryParameter(url, 'env') : undefined;
  if (env === undefined) return all[0];
  return all.find((cluster) => cluster.env === env) ?? all[0];
}
