import { ageAt } from '../api/freshness.ts';
import type { Connection } from '../api/readiness.ts';
import { formatDuration } from '../format/time.ts';

export type PulseTone = 'live' | 'slow' | 'lost' | 'unknown';

export type PulseState = {
  readonly tone: PulseTone;
  /** Age of the newest slot. */
  readonly ageMs: number | undefined;
  readonly reason: string;
};

const LIVE_MS = 3_000;
const SLOW_MS = 30_000;

/** How fresh the data is at a time, and why. */
export function pulseOf(connection: Connection, now: number): PulseState {
  const freshness = 'freshness' in connection ? connection.freshness : undefined;
  const ageMs = freshness === undefined ? undefined : ageAt(freshness, now);
  switch (connection.kind) {
    case 'unknown':
      return { tone: 'unknown', ageMs, reason: 'Connecting to the server.' };
    case 'starting':
      return { tone: 'unknown', ageMs, reason: connection.waitingFor.join(', ') };
    case 'lost':
      return {
        tone: ageMs !== undefined && ageMs < SLOW_MS ? 'slow' : 'lost',
        ageMs,
        reason: connection.reason,
      };
    case 'connected':
      return connectedPulse(connection.waitingFor, ageMs ?? 0);
  }
}

function connectedPulse(waitingFor: readonly string[], ageMs: number): PulseState {
  const waits = waitingFor.length === 0 ? '' : ` The server waits for: ${waitingFor.join(', ')}.`;
  if (ageMs < LIVE_MS) return { tone: 'live', ageMs, reason: `New slots arrive.${waits}` };
  const reason = `No new slot for ${formatDuration(ageMs)}.${waits}`;
  return { tone: ageMs < SLOW_MS ? 'slow' : 'lost', ageMs, reason };
}
