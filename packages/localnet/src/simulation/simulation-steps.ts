const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = 24 * MINUTES_PER_HOUR;

/**
 * How much of the end is simulated by the minute. A step takes CPU time, so a shorter simulation, whose start somebody
 * waits for, has fewer of them.
 */
const BY_MINUTE = [
  { below: 90 * MINUTES_PER_DAY, minutes: MINUTES_PER_HOUR },
  { below: Number.POSITIVE_INFINITY, minutes: MINUTES_PER_DAY },
];

export type SimulationStep = {
  /** Minutes since the full hour before genesis. */
  readonly minutes: number;
  /** How long the step is. */
  readonly length: 'minute' | 'hour';
};

/** Full hours, and at the end all minutes. */
export function* simulationSteps(totalMinutes: number): Iterable<SimulationStep> {
  const byMinute = BY_MINUTE.find(({ below }) => totalMinutes < below)?.minutes ?? 0;
  for (let minutes = 1; minutes <= totalMinutes; minutes++) {
    if (minutes > totalMinutes - byMinute) yield { minutes, length: 'minute' };
    else if (minutes % MINUTES_PER_HOUR === 0) yield { minutes, length: 'hour' };
  }
}
