import type { Cluster, Clusters } from '../clusters/served-clusters.ts';
import type { Operation } from './operation.ts';
import { readQueryParameter } from './query-parameter.ts';
import { formatHeaderLines } from './response-headers.ts';
import { createUnprovenHeader, type UnprovenHeader } from './unproven-header.ts';

/** Headers that identify the data behind a response. */
export type Freshness = {
  /** As a flat list: name, value, name, value. */
  headers(url: string, operation: DataReader): readonly string[];
  /** As header lines of the HTTP message. */
  lines(url: string, operation: DataReader): string;
};

type DataReader = Pick<Operation, 'readsEnv' | 'dependsOn' | 'computedFrom'> | undefined;

/** Describes the cluster of the data: the one of the `env` parameter if the operation has it, otherwise the primary one. */
export function createFreshness(clusters: Clusters): Freshness {
  const slots = new Map<Cluster, () => SlotHeaders>();
  const slotHeaders = (cluster: Cluster): SlotHeaders => {
    let format = slots.get(cluster);
    if (format === undefined) {
      format = createSlotHeaders(cluster);
      slots.set(cluster, format);
    }
    return format();
  };
  const unproven = new Map<Cluster, UnprovenHeader>();
  const unprovenHeader = (cluster: Cluster, operation: DataReader): readonly string[] => {
    const format = unproven.get(cluster) ?? createUnprovenHeader(cluster.unproven);
    unproven.set(cluster, format);
    return format(operation);
  };
  const age = (cluster: Cluster) => Math.round(cluster.ageMs());
  return {
    headers(url, operation) {
      const cluster = findCluster(clusters, url, operation);
      if (cluster === undefined) return [];
      const { headers, hasSlot } = slotHeaders(cluster);
      if (!hasSlot) return headers;
      const data = unprovenHeader(cluster, operation);
      return [...headers, 'x-data-age', String(age(cluster)), ...data];
    },
    lines(url, operation) {
      const cluster = findCluster(clusters, url, operation);
      if (cluster === undefined) return '';
      const { lines, hasSlot } = slotHeaders(cluster);
      if (!hasSlot) return lines;
      const data = formatHeaderLines(unprovenHeader(cluster, operation));
      return `${lines}x-data-age: ${age(cluster)}\r\n${data}`;
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
  operation: DataReader,
): Cluster | undefined {
  const isNamed = operation?.readsEnv === true && url.includes('env=');
  return (isNamed ? find(readQueryParameter(url, 'env')) : undefined) ?? all[0];
}
