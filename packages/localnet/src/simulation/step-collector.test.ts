import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { StepCollector } from './step-collector.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
const startTime = { slot: toSlot(0n), unix: toUnixSeconds(0n) };

/** Samples of a cluster in which nothing happens, by their minute, counted from the end. */
function samplesOf(days: number): { readonly minutes: number[]; readonly hours: number[] } {
  const totalMinutes = days * DAY;
  const bank = { slot: startTime.slot, timeOf: () => startTime, changesBetween: () => [] };
  const transactions = { ledger: { between: () => [] } };
  const simulation = { bank, transactions, startTime } as never;
  const collector = new StepCollector(simulation);
  const samples = { minutes: [] as number[], hours: [] as number[] };
  for (let minutes = 1; minutes <= totalMinutes; minutes++) {
    const [step] = collector.collect({ minutes, totalMinutes, slot: startTime.slot });
    if (step?.sample === 'minute') samples.minutes.push(totalMinutes - minutes);
    if (step?.sample === 'hour') samples.hours.push(totalMinutes - minutes);
  }
  return samples;
}

test.each([
  { days: 1, minutes: HOUR },
  { days: 35, minutes: HOUR },
  { days: 89, minutes: HOUR },
  { days: 90, minutes: DAY },
])('the end of $days days is sampled by the minute, for $minutes minutes', ({ days, minutes }) => {
  const samples = samplesOf(days);
  expect([samples.minutes.length, samples.minutes[0], samples.minutes.at(-1)]).toEqual([
    minutes,
    minutes - 1,
    0,
  ]);
  expect(samples.hours).toHaveLength(days * 24 - minutes / HOUR);
  expect(samples.hours.at(-1)).toBe(minutes);
});
