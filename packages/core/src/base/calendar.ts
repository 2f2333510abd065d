import { toUnixSeconds, type UnixSeconds } from './time.ts';

/** A day of the proleptic Gregorian calendar. Months and days start at 1. */
export type CalendarDay = { readonly year: number; readonly month: number; readonly day: number };

export const DAY_SECONDS = 86_400n;
const SECONDS_PER_DAY = 86_400;

const DAYS_PER_ERA = 146_097;
const DAYS_TO_1970 = 719_468;

/**
 * Days since 1970-01-01. The algorithm starts years in March, so the leap day is the last day of a year,
 * and groups them into eras of 400 years, after which the calendar repeats.
 */
export function daysSinceEpoch({ year, month, day }: CalendarDay): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * DAYS_PER_ERA + yearOfEra * 365 + leapDays + dayOfYear - DAYS_TO_1970;
}

export function dateFromDays(days: number): CalendarDay {
  const shifted = days + DAYS_TO_1970;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const daysBefore = 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - daysBefore;
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  return { year: era * 400 + yearOfEra + (month > 2 ? 0 : 1), month, day };
}

/** Whether the date exists. A day that its month does not have, such as April 31, falls into another month. */
export const isValidDate = (date: CalendarDay): boolean =>
  dateFromDays(daysSinceEpoch(date)).month === date.month;

/** `2024-02-29T13:00:00.000Z`, for the years 0 to 9999. */
export function formatInstant(unix: UnixSeconds): string {
  const seconds = Number(unix);
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const { year, month, day } = dateFromDays(days);
  const ofDay = seconds - days * SECONDS_PER_DAY;
  const date = `${padNumber(year, 4)}-${padNumber(month, 2)}-${padNumber(day, 2)}`;
  const hour = padNumber(Math.floor(ofDay / 3600), 2);
  const minute = padNumber(Math.floor(ofDay / 60) % 60, 2);
  return `${date}T${hour}:${minute}:${padNumber(ofDay % 60, 2)}.000Z`;
}

/** Midnight UTC. */
export const startOfDate = (date: CalendarDay): UnixSeconds =>
  toUnixSeconds(BigInt(daysSinceEpoch(date)) * DAY_SECONDS);

const padNumber = (value: number, digits: number): string => String(value).padStart(digits, '0');
