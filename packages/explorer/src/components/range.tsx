import { choice } from '../routing/location.ts';
import { now } from './clock.ts';
import { Tabs } from './tabs.tsx';

const DAY_MS = 86_400_000;

const ranges = [
  { value: '1y', title: '1 y', days: 365 },
  { value: '90d', title: '90 d', days: 90 },
  { value: '30d', title: '30 d', days: 30 },
  { value: '7d', title: '7 d', days: 7 },
] as const;

type RangeName = (typeof ranges)[number]['value'];

export type Range = {
  readonly name: RangeName;
  readonly days: number;
  /** First day, ISO 8601. The same until the day is over, so that responses can be reused. */
  readonly start: string;
  readonly set: (name: RangeName) => void;
};

/** A range of time up to now, which the URL holds as `<id>.range`. */
export function useRange(id: string): Range {
  const names = ranges.map(({ value }) => value);
  const { value: name, set } = choice(`${id}.range`, names);
  const days = ranges.find(({ value }) => value === name)?.days ?? 0;
  const today = Math.floor(now.peek() / DAY_MS);
  return { name, days, set, start: new Date((today - days) * DAY_MS).toISOString() };
}

export const RangeTabs = ({ range }: { readonly range: Range }) => (
  <Tabs label="Range of time" tabs={ranges} value={range.name} onChange={range.set} />
);
