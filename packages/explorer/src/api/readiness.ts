import { type ReadonlySignal, signal } from '@preact/signals';
import type { Readiness, Result } from '@tidegate/client';
import { type Freshness, received } from './freshness.ts';
import { server } from './server.ts';

export type StartProgress = NonNullable<Readiness['progress']>;

/** What the page knows about its server. */
export type Connection =
  | { readonly kind: 'unknown' }
  /** The server loads or simulates its first state and has no data yet. */
  | {
      readonly kind: 'starting';
      readonly waitingFor: readonly string[];
      readonly progress: StartProgress | undefined;
    }
  /** `waitingFor` is empty if everything is ready. */
  | {
      readonly kind: 'connected';
      readonly waitingFor: readonly string[];
      readonly freshness: Freshness;
    }
  | {
      readonly kind: 'lost';
      readonly reason: string;
      /** Milliseconds since 1970. */
      readonly since: number;
      /** Of the last response. */
      readonly freshness: Freshness | undefined;
    };

const POLL_MS = 2_000;
/** A start is watched more closely. */
const STARTING_POLL_MS = 1_000;
const current = signal<Connection>({ kind: 'unknown' });

export const connection: ReadonlySignal<Connection> = current;

/** Requests `/ready`, which is not charged, while the page is visible. */
export async function watchConnection(): Promise<void> {
  for (;;) {
    if (!document.hidden) current.value = await readConnection(current.peek());
    await new Promise((resolve) => setTimeout(resolve, delayMs()));
  }
}

async function readConnection(previous: Connection): Promise<Connection> {
  const result = await server.get('/ready');
  const readiness = readinessOf(result);
  if (readiness !== undefined) {
    const { data, freshness } = readiness;
    const { waitingFor, progress } = data;
    if (freshness.slot === undefined) return { kind: 'starting', waitingFor, progress };
    return { kind: 'connected', waitingFor, freshness };
  }
  const since = previous.kind === 'lost' ? previous.since : Date.now();
  const freshness = 'freshness' in previous ? previous.freshness : undefined;
  const message = result.ok ? '' : result.error.message;
  const reason = navigator.onLine ? message : 'This device is offline.';
  return { kind: 'lost', reason, since, freshness };
}

type ReadReadiness = { readonly data: Readiness; readonly freshness: Freshness };

/** A server that is not ready answers in the same form with 503. */
function readinessOf(result: Result<Readiness>): ReadReadiness | undefined {
  if (result.ok) return { data: result.data, freshness: received(result.freshness) };
  const { error } = result;
  if (error.kind !== 'http' || error.status !== 503 || !isReadiness(error.body)) return undefined;
  return { data: error.body, freshness: received(error.freshness) };
}

const isReadiness = (body: unknown): body is Readiness =>
  typeof body === 'object' && body !== null && 'waitingFor' in body;

const delayMs = (): number => (current.peek().kind === 'connected' ? POLL_MS : STARTING_POLL_MS);
