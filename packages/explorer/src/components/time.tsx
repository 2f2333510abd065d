import { formatAgo, formatClock, formatDateTime, formatUtc } from '../format/time.ts';
import { now } from './clock.ts';

type TimeProps = {
  /** ISO 8601, or milliseconds since 1970. */
  readonly value: string | number;
  readonly form?: 'date-time' | 'clock' | 'ago';
};

/** Local time, with UTC on hover. */
export function Time({ value, form = 'date-time' }: TimeProps) {
  const time = new Date(value).getTime();
  const text = {
    'date-time': () => formatDateTime(time),
    clock: () => formatClock(time),
    ago: () => formatAgo(Math.max(0, now.value - time)),
  }[form]();
  return (
    <time
      dateTime={new Date(time).toISOString()}
      data-hint={`${formatDateTime(time)} · ${formatUtc(time)}`}
    >
      {text}
    </time>
  );
}
