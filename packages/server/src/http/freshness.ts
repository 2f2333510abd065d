import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@tidegate/core/base';
import type { Cluster, Clusters } from '../clusters/served-clusters.ts';
import { formatHeaderLines } from './response-headers.ts';

/** How long a caller who asks for a slot waits for it. */
const WAIT_MS = 1_000;
const RETRY_SECONDS = 1;
const MIN_SLOT_HEADER = 'x-min-context-slot';
const WHOLE = /^\d{1,20}$/;

export type Freshness = {
  /** What data an answer to this URL is made from: name, value, name, value. */
  headers(url: string): readonly string[];
  /** The same as it is sent. */
  lines(url: string): string;
  /** Refuses a cluster that is not served, and a state older than the caller asks for. */
  check(url: string, headers: IncomingHttpHeaders): Promise<void>;
};

/** Freshness of the cluster that a request names by `env`, of the primary one if it names none. */
export function createFreshness(clusters: Clusters, clock: () => number): Freshness {
  const slots = new Map(clusters.all.map((cluster) => [cluster, slotHeaders(cluster)]));
  const age = (cluster: Cluster) => Math.max(0, Math.round(clock() - cluster.updatedAt()));
  return {
    headers(url) {
      const cluster = namedCluster(clusters, url);
      if (cluster === undefined) return [];
      return [...(slots.get(cluster)?.().headers ?? []), 'x-data-age', String(age(cluster))];
    },
    lines(url) {
      const cluster = namedCluster(clusters, url);
      if (cluster === undefined) return '';
      return `${slots.get(cluster)?.().lines ?? ''}x-data-age: ${age(cluster)}\r\n`;
    },
    async check(url, headers) {
      if (clusters.all.length === 0) return;
      const env = parameterOf(url, 'env');
      const cluster = clusters.named(env);
      const wanted = wantedSlot(url, headers);
      if (wanted === undefined || (await cluster.reaches(wanted, WAIT_MS))) return;
      const { slot } = cluster.reader.at();
      throw new CodedError('STALE_READ', { slot, wanted, retryAfterSeconds: RETRY_SECONDS });
    },
  };
}

/** Whether a request asks for a slot: it must not be answered before that is checked. */
export const hasMinContextSlot = (url: string, headers: IncomingHttpHeaders): boolean =>
  headers[MIN_SLOT_HEADER] !== undefined || url.includes('minContextSlot=');

type SlotHeaders = { readonly headers: readonly string[]; readonly lines: string };

/** Slot, its time and commitment, made once per slot. */
function slotHeaders(cluster: Cluster): () => SlotHeaders {
  let slot = -1n;
  let made: SlotHeaders = { headers: [], lines: '' };
  return () => {
    const at = cluster.reader.at();
    if (at.slot !== slot) {
      slot = at.slot;
      const time = new Date(Number(at.unix) * 1000).toISOString();
      const { commitment } = cluster;
      const headers = ['x-slot', String(slot), 'x-block-time', time, 'x-commitment', commitment];
      made = { headers, lines: formatHeaderLines(headers) };
    }
    return made;
  };
}

/** Errors have these headers too, so an unknown cluster is told as the primary one here. */
function namedCluster({ all }: Clusters, url: string): Cluster | undefined {
  const env = url.includes('env=') ? parameterOf(url, 'env') : undefined;
  if (env === undefined) return all[0];
  return all.find((cluster) => cluster.env === env) ?? all[0];
}

function wantedSlot(url: string, headers: IncomingHttpHeaders): bigint | undefined {
  const text = headers[MIN_SLOT_HEADER] ?? parameterOf(url, 'minContextSlot');
  if (text === undefined) return undefined;
  if (typeof text === 'string' && WHOLE.test(text)) return BigInt(text);
  const message = 'minContextSlot must be the number of a slot';
  throw new CodedError('INVALID_QUERY', {
    issues: [{ path: ['minContextSlot'], code: 'invalid_format', message }],
  });
}

/** The first value of a parameter; undefined where it is not given or cannot be read. */
function parameterOf(url: string, name: string): string | undefined {
  const mark = url.indexOf('?');
  if (mark === -1) return undefined;
  return new URLSearchParams(url.slice(mark + 1)).get(name) ?? undefined;
}
