import type { Cluster, Clusters } from '../clusters/served-clusters.ts';
import type { Operation } from './operation.ts';
import { readQueryParameter } from './query-parameter.ts';
import { formatHeaderLines } from './response-headers.ts';

/** Headers that identify the data behind a response. */
export type Freshness = {
  /** As a flat list: name, value, name, value. */
  headers(url: string, operation: EnvReader): readonly string[];
  /** As header lines of the HTTP message. */
  lines(url: string, operation: EnvReader): string;
};

type EnvReader = Pick<Operation, 'readsEnv'> | undefined;

/** Describes the cluster of the data: the one of the `env` parameter if the operation has it, otherwise the primary one. */
export function createFreshness(clusters: Clusters, clock: () => number): Freshness {
  const slots = new Map<Cluster, () => SlotHeaders>();
  const slotHeaders = (cluster: Cluster): SlotHeaders => {
    let format = slots.get(cluster);
    if (format === undefined) {
      format = createSlotHeaders(cluster);
      slots.set(cluster, format);
    }
    return format();
  };
  const age = (cluster: Cluster) => Math.max(0, Math.round(clock() - cluster.updatedAt()));
  return {
    headers(url, operation) {
      const cluster = findCluster(clusters, url, operation);
      if (cluster === undefined) return [];
      const { headers, hasSlot } = slotHeaders(cluster);
      return hasSlot ? [...headers, 'x-data-age', String(age(cluster))] : headers;
    },
    lines(url, operation) {
      const cluster = findCluster(clusters, url, operation);
      if (cluster === undefined) return '';
      const { lines, hasSlot } = slotHeaders(cluster);
      return hasSlot ? `${lines}x-data-age: ${age(cluster)}\r\n` : lines;
    },
  };
}

type SlotHeaders = {
  readonly headers: readonly string[];
  readonly lines: string;
  /** Whether the first state is loaded. */
  readonly hasSlot: boolean;
};

/** Cluster, slot, block time and commitment, formatted once per slot. Without slot and time until the first state is loaded. */
function createSlotHeaders(cluster: Cluster): () => SlotHeaders {
  let slot = -1n;
  let formatted: SlotHeaders = { headers: [], lines: '', hasSlot: false };
  return () => {
    const at = cluster.reader.at();
    if (at.slot !== slot) {
      slot = at.slot;
      const time = new Date(Number(at.unix) * 1000).toISOString();
      const { env, commitment } = cluster;
      const hasSlot = slot > 0n;
      const data = hasSlot ? ['x-slot', String(slot), 'x-block-time', time] : [];
      const headers = ['x-env', env, ...data, 'x-commitment', commitment];
      formatted = { headers, lines: formatHeaderLines(headers), hasSlot };
    }
    return formatted;
  };
}

/** Error responses carry the headers too, so an unknown cluster falls back to the primary one. */
function findCluster(
  { all, find }: Clusters,
  url: string,
  operation: EnvReader,
): Cluster | undefined {
  const isNamed = operation?.readsEnv === true && url.includes('env=');
  return (isNamed ? find(readQueryParameter(url, 'env')) : undefined) ?? all[0];
}
