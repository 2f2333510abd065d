import type { IncomingHttpHeaders } from 'node:http';
import { toSlot } from '@tidegate/core/base';
import type { Clusters } from '../clusters/served-clusters.ts';
import { CodedError } from '../errors.ts';
import type { Operation } from './operation.ts';
import { readQueryParameter } from './query-parameter.ts';

const WAIT_MS = 1_000;
const RETRY_SECONDS = 1;
const HEADER = 'x-min-context-slot';
const WHOLE_NUMBER = /^\d{1,20}$/;

/**
 * Waits until the cluster of a request has the slot that the request requires, and its events if the operation reads
 * them; throws if it is not served.
 */
export type MinContextSlotWait = (
  url: string,
  headers: IncomingHttpHeaders,
  operation: Pick<Operation, 'readsEnv' | 'readsEvents' | 'ignoresMinContextSlot'> | undefined,
) => Promise<void>;

export function createMinContextSlotWait(clusters: Clusters): MinContextSlotWait {
  return async (url, headers, operation) => {
    if (clusters.all.length === 0) return;
    const named = clusters.byName(readQueryParameter(url, 'env'));
    if (operation?.ignoresMinContextSlot === true) return;
    const cluster = operation?.readsEnv === true ? named : clusters.byName(undefined);
    const minSlot = readMinContextSlot(url, headers);
    if (minSlot === undefined) return;
    const hasSlot = await cluster.waitForSlot(minSlot, WAIT_MS);
    const recording = operation?.readsEvents === true ? cluster.recording : undefined;
    if (hasSlot && recording === undefined) return;
    if (hasSlot && (await recording?.waitForEvents(toSlot(minSlot), WAIT_MS))) return;
    const slot = cluster.status().checks?.completeTo ?? cluster.reader.at().slot;
    throw new CodedError('STALE_READ', { slot, minSlot, retryAfterSeconds: RETRY_SECONDS });
  };
}

/** Such a request must wait, so the fast path does not serve it. */
export const hasMinContextSlot = (url: string, headers: IncomingHttpHeaders): boolean =>
  headers[HEADER] !== undefined || url.includes('minContextSlot=');

function readMinContextSlot(url: string, headers: IncomingHttpHeaders): bigint | undefined {
  const text = headers[HEADER] ?? readQueryParameter(url, 'minContextSlot');
  if (text === undefined) return undefined;
  if (typeof text === 'string' && WHOLE_NUMBER.test(text)) return BigInt(text);
  const message = 'minContextSlot must be a slot number';
  throw new CodedError('INVALID_QUERY', {
    issues: [{ path: ['minContextSlot'], code: 'invalid_format', message }],
  });
}
