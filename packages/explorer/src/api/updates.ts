import { type PathOf, streamUpdates } from '@tidegate/client';
import { type Freshness, received } from './freshness.ts';
import { type ApiRequest, server } from './server.ts';

/** New data, or what is known of the data that is already there. */
export type StreamUpdate = {
  /** Undefined if the data has not changed. */
  readonly data: unknown;
  readonly freshness: Freshness;
};

/** The server sends something every 15 s. */
const SILENCE_MS = 40_000;

/**
 * Calls back with each change of the data, until the stream ends or the server cannot give the data. Returns whether the
 * server streams it at all.
 */
export async function followUpdates(
  { operation, parameters }: ApiRequest,
  onUpdate: (update: StreamUpdate) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const path = operation.slice('GET '.length) as PathOf<'GET'>;
  const options = { ...parameters, signal, idleTimeoutMs: SILENCE_MS, retries: 0 };
  let hasStreamed = false;
  // the compiler does not relate the parameters of any operation to those of this one
  for await (const update of streamUpdates(server, path, options as never)) {
    if (update.kind !== 'update' && update.kind !== 'unchanged') return hasStreamed;
    hasStreamed = true;
    const data: unknown = update.kind === 'update' ? update.data : undefined;
    onUpdate({ data, freshness: received(update.freshness) });
  }
  return hasStreamed;
}
