import { expect, test } from 'vitest';
import { simulationSteps } from './simulation-steps.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

test.each([
  { days: 1, minutes: HOUR },
  { days: 35, minutes: HOUR },
  { days: 89, minutes: HOUR },
  { days: 90, minutes: DAY },
])(
  'the end of $days days is simulated by the minute, for $minutes minutes',
  ({ days, minutes }) => {
    const end = days * DAY;
    const steps = [...simulationSteps(end)];
    const long = steps.filter(({ length }) => length === 'hour').map((step) => step.minutes);
    const short = steps.filter(({ length }) => length === 'minute').map((step) => step.minutes);
    expect(short).toEqual(Array.from({ length: minutes }, (_, i) => end - minutes + 1 + i));
    expect(long).toEqual(Array.from({ length: (end - minutes) / HOUR }, (_, i) => (i + 1) * HOUR));
  },
);

test('minutes begin within an hour if the end is within one', () => {
  const steps = [...simulationSteps(3 * HOUR + 13)];
  expect(steps.slice(0, 4).map(({ minutes }) => minutes)).toEqual([60, 120, 134, 135]);
  expect(steps.at(-1)).toEqual({ minutes: 193, length: 'minute' });
});
