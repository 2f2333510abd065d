import { type ReadonlySignal, signal } from '@preact/signals';
import { ApiError } from './api-error.ts';
import { send } from './client.ts';
import type { Freshness } from './freshness.ts';
import type { Readiness } from './generated/operations.ts';
import { apiRequest } from './resource.ts';

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
const request = apiRequest('GET /ready');
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
  try {
    const { data, freshness } = await send(request);
    const waitingFor = data?.waitingFor ?? [];
    if (freshness.slot === undefined) {
      return { kind: 'starting', waitingFor, progress: data?.progress };
    }
    return { kind: 'connected', waitingFor, freshness };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const since = previous.kind === 'lost' ? previous.since : Date.now();
    const freshness = 'freshness' in previous ? previous.freshness : undefined;
    const reason = navigator.onLine ? error.message : 'This device is offline.';
    return { kind: 'lost', reason, since, freshness };
  }
}

const delayMs = (): number => (current.peek().kind === 'connected' ? POLL_MS : STARTING_POLL_MS);
