import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { formatRatio, parseDecimal, type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { toUnixSeconds } from '../../base/time.ts';
import { type SharePoint, trailingApy, trailingRates, windowStart } from './trailing-apy.ts';

const DAY = 86_400;
const END = 1_700_000_000;

/** A point some days before the end. */
const ago = (days: number, tokens: string): SharePoint => ({
  at: toUnixSeconds(BigInt(END - days * DAY)),
  tokensPerShare: parseDecimal(tokens),
});

const LIFETIME = ratio(7n, 100n);
const ACTUAL = ratio(3n, 100n);

/** A vault that was created some days before the end. */
const createdAgo = (days: number) => ({
  createdAt: ago(days, '1').at,
  lifetimeApy: LIFETIME,
  apyActual: ACTUAL,
});

/** Created when its history begins. */
const trailingApys = (points: readonly SharePoint[], now: SharePoint) => {
  const [first] = points;
  return trailingRates(points, now, { ...createdAgo(0), createdAt: first?.at }).apys;
};

const number = (value: Ratio): number => Number(formatRatio(value, 25));

test('growth over a year is the yearly rate', () => {
  expect(formatRatio(trailingApy(ago(365, '1'), ago(0, '1.05')), 30)).toMatch(
    /^(0\.05|0\.0499999999|0\.0500000000)/,
  );
  expect(number(trailingApy(ago(365, '2'), ago(0, '1')))).toBeCloseTo(-0.5, 15);
});

test('growth over a shorter time is annualized', () => {
  // 1.01 ^ (365 / 73)
  expect(number(trailingApy(ago(73, '1'), ago(0, '1.01')))).toBeCloseTo(0.0510100501, 12);
  // 1.0001 ^ 365 to thirty digits
  expect(formatRatio(trailingApy(ago(1, '1'), ago(0, '1.0001')), 30)).toBe(
    '0.0371724113025519299020280170563',
  );
});

test('each window uses the last point at or before its start', () => {
  const points = [
    ago(400, '1'),
    ago(365, '1.25'),
    ago(180, '1.5'),
    ago(91, '1.6'),
    ago(30, '1.75'),
    ago(7, '2'),
    ago(1, '2.25'),
    ago(0.5, '2.4'),
  ];
  const now = ago(0, '2.5');
  const found = trailingApys(points, now);
  const over = (then: number, days: number) => (2.5 / then) ** (365 / days) - 1;
  expect(number(found.apy365d)).toBeCloseTo(1, 12);
  expect(number(found.apy180d)).toBeCloseTo(over(1.5, 180), 9);
  expect(number(found.apy90d)).toBeCloseTo(over(1.6, 91), 9);
  expect(number(found.apy30d) / over(1.75, 30)).toBeCloseTo(1, 9);
  expect(number(found.apy7d) / over(2, 7)).toBeCloseTo(1, 9);
  expect(number(found.apy24h) / over(2.25, 1)).toBeCloseTo(1, 9);
});

test('a gap in the series does not distort the rate', () => {
  // No samples between day 20 and day 2; a share gains 0.1 % a day.
  const points = [ago(20, '1'), ago(2, '1.01815')];
  const { apy7d } = trailingApys(points, ago(0, '1.02019'));
  expect(number(apy7d)).toBeCloseTo(1.02019 ** (365 / 20) - 1, 9);
});

test('a vault younger than the window uses the growth since its creation', () => {
  const { apy30d, apy365d, apy24h } = trailingApys([ago(10, '1'), ago(3, '1.01')], ago(0, '1.02'));
  expect(apy30d).toEqual(LIFETIME);
  expect(apy365d).toEqual(LIFETIME);
  expect(number(apy24h)).toBeCloseTo((1.02 / 1.01) ** (365 / 3) - 1, 9);
});

test('a rate over less than a day counts as one of a day', () => {
  expect(number(trailingApy(ago(0.01, '1'), ago(0, '1.001')))).toBeCloseTo(1.001 ** 365 - 1, 9);
});

test('points without shares are ignored', () => {
  const points = [ago(400, '0'), ago(100, '1')];
  expect(number(trailingApys(points, ago(0, '1.1')).apy180d)).toBeCloseTo(1.1 ** 3.65 - 1, 9);
  expect(trailingApys([ago(50, '0')], ago(0, '1')).apy30d).toEqual(LIFETIME);
  expect(trailingApys([], ago(0, '1')).apy30d).toEqual(LIFETIME);
  expect(trailingApys([ago(50, '1')], ago(0, '0')).apy30d).toEqual(ZERO_RATIO);
});

test('windows start at their length before now', () => {
  const now = toUnixSeconds(BigInt(END));
  expect(windowStart('apy24h', now)).toBe(BigInt(END - DAY));
  expect(windowStart('apy365d', now)).toBe(BigInt(END - 365 * DAY));
});

test('property: a constant price has a zero rate, and a larger gain a larger rate', () => {
  const tokens = fc.bigInt(1n << 40n, 1n << 64n);
  const days = fc.integer({ min: 1, max: 1000 });
  assertProperty(
    fc.property(tokens, fc.bigInt(1n, 1n << 40n), days, (bits, more, age) => {
      const at = (value: bigint, before: number): SharePoint => ({
        at: toUnixSeconds(BigInt(END - before * DAY)),
        tokensPerShare: ratio(value, 1n << 60n),
      });
      expect(trailingApy(at(bits, age), at(bits, 0)).numerator).toBe(0n);
      const gain = number(trailingApy(at(bits, age), at(bits + more, 0)));
      const loss = number(trailingApy(at(bits + more, age), at(bits, 0)));
      expect(gain).toBeGreaterThan(0);
      expect(loss).toBeLessThan(0);
      const larger = number(trailingApy(at(bits, age), at(bits + 2n * more, 0)));
      expect(larger).toBeGreaterThan(gain);
    }),
    30,
  );
});

test('an instance of a few minutes shows the growth over the life of the vault', () => {
  const points = [ago(6 / 1440, '1.2')];
  const { apys, estimated } = trailingRates(points, ago(0, '1.2000001'), createdAgo(300));
  expect(new Set(Object.values(apys))).toEqual(new Set([LIFETIME]));
  // the vault is younger than a year, so its full age is what apy365d means
  expect(estimated).toEqual(['apy24h', 'apy7d', 'apy30d', 'apy90d', 'apy180d']);
});

test('without a creation time the current rate is the estimate', () => {
  const unknown = { createdAt: undefined, lifetimeApy: undefined, apyActual: ACTUAL };
  const { apys, estimated } = trailingRates([], ago(0, '1.1'), unknown);
  expect(new Set(Object.values(apys))).toEqual(new Set([ACTUAL]));
  expect(estimated).toHaveLength(6);
});

test('the oldest known price is used if it is half of the window back, and at least a day', () => {
  const now = ago(0, '1.01');
  const known = trailingRates([ago(20, '1')], now, createdAgo(1000));
  expect(known.apys.apy7d).toEqual(trailingApy(ago(20, '1'), now));
  expect(known.apys.apy30d).toEqual(trailingApy(ago(20, '1'), now));
  expect(known.apys.apy90d).toEqual(LIFETIME);
  const short = trailingRates([ago(14.9, '1')], now, createdAgo(1000));
  expect(short.apys.apy30d).toEqual(LIFETIME);
  const hours = trailingRates([ago(0.9, '1')], now, createdAgo(1000));
  expect(hours.apys.apy24h).toEqual(LIFETIME);
});

test('a rate over a longer time than its window is an estimate', () => {
  const now = ago(0, '1.01');
  const seen = (days: number) => trailingRates([ago(days, '1')], now, createdAgo(1000)).estimated;
  expect(seen(7.08)).not.toContain('apy7d');
  expect(seen(7.1)).toContain('apy7d');
});

test('a vault without shares has no rates', () => {
  const { apys, estimated } = trailingRates([ago(50, '1')], ago(0, '0'), createdAgo(100));
  expect([apys.apy7d, estimated]).toEqual([ZERO_RATIO, []]);
});
