import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import {
  bandOf,
  type CrossingDirection,
  crossingBetween,
  reportsCrossing,
  type Side,
  sideOf,
} from './crossing.ts';

/** A value in hundredths. */
const hundredths = (value: number) => ({ numerator: BigInt(value), denominator: 100n });

/** The crossings of a series of values in hundredths. */
function crossingsOf(options: Parameters<typeof bandOf>[0], values: readonly number[]) {
  const band = bandOf(options);
  const found: string[] = [];
  let side: Side | undefined;
  for (const value of values) {
    const after = sideOf(band, side, hundredths(value));
    const crossing = crossingBetween(side, after);
    if (crossing !== undefined && reportsCrossing(options.direction, crossing)) {
      found.push(`${crossing} at ${value}`);
    }
    side = after;
  }
  return found;
}

test('a rising alert comes at the threshold, and the way back needs the hysteresis', () => {
  const options = { threshold: '0.75', hysteresis: '0.05' };
  const values = [70, 74, 75, 74, 70, 69, 74, 75, 10];
  expect(crossingsOf(options, values)).toEqual([
    'rising at 75',
    'falling at 69',
    'rising at 75',
    'falling at 10',
  ]);
  expect(crossingsOf({ ...options, direction: 'rising' }, values)).toEqual([
    'rising at 75',
    'rising at 75',
  ]);
});

test('a falling alert comes below the threshold, and the way back needs the hysteresis above it', () => {
  const options = { threshold: '0.10', hysteresis: '0.02', direction: 'falling' } as const;
  expect(crossingsOf(options, [50, 10, 9, 10, 11, 9, 12, 9])).toEqual([
    'falling at 9',
    'falling at 9',
  ]);
});

test('the first value is a side and no crossing; the default hysteresis is 1 % of the threshold', () => {
  expect(crossingsOf({ threshold: '1' }, [150])).toEqual([]);
  expect(crossingsOf({ threshold: '1' }, [100, 99, 98, 99, 100])).toEqual([
    'falling at 98',
    'rising at 100',
  ]);
  expect(crossingsOf({ threshold: '-1', direction: 'falling' }, [0, -101, -100, -99])).toEqual([
    'falling at -101',
  ]);
});

test('comparisons are exact where a double is not', () => {
  const band = bandOf({ threshold: '0.1', hysteresis: '0' });
  const just = { numerator: 10n ** 40n - 1n, denominator: 10n ** 41n };
  expect(sideOf(band, 'below', just)).toBe('below');
  expect(sideOf(band, 'below', { numerator: 1n, denominator: 10n })).toBe('above');
});

/**
 * A process that evaluates each value or not, and may end at any time: between the comparison and the commit nothing is
 * stored, after it the side and the crossing are. A restart begins with what is stored.
 */
const steps = fc.array(
  fc.record({
    value: fc.integer({ min: 0, max: 200 }),
    end: fc.constantFrom('none', 'before the comparison', 'before the commit', 'after the commit'),
  }),
  { maxLength: 60 },
);

const options = fc.record({
  threshold: fc.constantFrom('0.5', '1', '1.5'),
  hysteresis: fc.constantFrom('0', '0.1', '0.4'),
  direction: fc.constantFrom<'rising' | 'falling' | 'both'>('rising', 'falling', 'both'),
});

test('property: no crossing comes twice in a row, and none is lost over restarts', () => {
  assertProperty(
    fc.property(options, steps, (given, all) => {
      const band = bandOf(given);
      let stored: { side: Side | undefined; crossings: CrossingDirection[] } = {
        side: undefined,
        crossings: [],
      };
      let memory = stored.side;
      const committed: Side[] = [];
      for (const { value, end } of all) {
        if (end !== 'before the comparison') {
          const after = sideOf(band, memory, hundredths(value));
          const crossing = crossingBetween(memory, after);
          if (end !== 'before the commit' && after !== memory) {
            const crossings = crossing ? [...stored.crossings, crossing] : stored.crossings;
            stored = { side: after, crossings };
            committed.push(after);
            memory = after;
          }
        }
        // a new process
        if (end !== 'none') memory = stored.side;
      }
      const { crossings } = stored;
      crossings.forEach((crossing, index) => {
        expect(crossing).not.toBe(crossings[index - 1]);
      });
      // each stored change of side but the first has its crossing
      expect(crossings).toEqual(
        committed.slice(1).map((side) => (side === 'above' ? 'rising' : 'falling')),
      );
      // a last evaluation finds what is still missing: the stored side is that of the value
      const last = all.at(-1)?.value;
      if (last === undefined) return;
      const final = sideOf(band, stored.side, hundredths(last));
      const expected =
        last >= Number(band.rise.numerator * 100n) / Number(band.rise.denominator)
          ? 'above'
          : last < Number(band.fall.numerator * 100n) / Number(band.fall.denominator)
            ? 'below'
            : undefined;
      if (expected !== undefined) expect(final).toBe(expected);
    }),
    100,
  );
});
