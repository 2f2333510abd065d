import { type Connection, connection } from '../api/readiness.ts';
import { now } from '../components/clock.ts';
import { formatCount } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { type PulseTone, pulseOf } from './pulse-tone.ts';
import './pulse.css';

const names: Readonly<Record<PulseTone, string>> = {
  live: 'live',
  slow: 'delayed',
  lost: 'stale',
  unknown: 'connecting',
};

/** The cluster, its slot and how old it is: green below 3 seconds, amber below 30, red beyond. */
export function Pulse() {
  const state = connection.value;
  const { tone, ageMs, reason } = pulseOf(state, now.value);
  const slot = slotOf(state);
  return (
    <div class={`pulse ${tone}`} data-hint={reason} role="status">
      <span class="pulse-env">{envOf(state)}</span>
      <span class="pulse-dot" aria-hidden="true" />
      <span class="visually-hidden">{names[tone]}, </span>
      <span class="pulse-slot">{slot === undefined ? '—' : formatCount(slot)}</span>
      <span class="pulse-age">{ageMs === undefined ? '' : formatDuration(ageMs)}</span>
    </div>
  );
}

const slotOf = (state: Connection): string | undefined =>
  'freshness' in state ? state.freshness?.slot?.toString() : undefined;

const envOf = (state: Connection): string =>
  ('freshness' in state ? state.freshness?.env : undefined) ?? '…';
