import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { formatRatio, parseDecimal } from '../../base/numbers/decimal.ts';
import { toUnixSeconds } from '../../base/time.ts';
import {
  fromUiUnits,
  ratioOfFloat64,
  scaledUiMultiplierAt,
  toUiUnits,
  uiScalingOf,
} from './token-extensions.ts';

function bitsOf(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

test.each([
  [0, '0'],
  [1, '1'],
  [-2.5, '-2.5'],
  [0.1, '0.1000000000000000055511151231257827021181583404541015625'],
  [1.005, '1.00499999999999989341858963598497211933135986328125'],
  [2 ** 53 + 2, '9007199254740994'],
  [2 ** 70, '1180591620717411303424'],
])('converts the double %d exactly to %s', (value, text) => {
  expect(formatRatio(ratioOfFloat64(bitsOf(value)), 80)).toBe(text);
});

test('converts the smallest double to 2 ^ -1074', () => {
  const smallest = ratioOfFloat64(1n);
  expect(smallest.numerator << 1074n).toBe(smallest.denominator);
});

test('property: the exact value converts back to the double', () => {
  const doubles = fc.double({ min: -(2 ** 400), max: 2 ** 400, noNaN: true });
  assertProperty(
    fc.property(
      doubles.filter((x) => Math.abs(x) > 2 ** -400),
      (x) => {
        const { numerator, denominator } = ratioOfFloat64(bitsOf(x));
        expect(Number(numerator) / Number(denominator)).toBe(x);
      },
    ),
    100,
  );
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  'the multiplier %d throws',
  (value) => {
    expect(catchError(() => ratioOfFloat64(bitsOf(value)))?.code).toBe('MALFORMED_DATA');
  },
);

test('the new multiplier applies from its timestamp', () => {
  const config = {
    authority: ZERO_ADDRESS,
    multiplier: bitsOf(1.5),
    newMultiplierEffectiveTimestamp: 100n,
    newMultiplier: bitsOf(2),
  };
  expect(formatRatio(scaledUiMultiplierAt(config, toUnixSeconds(99n)), 5)).toBe('1.5');
  expect(formatRatio(scaledUiMultiplierAt(config, toUnixSeconds(100n)), 5)).toBe('2');
});

test('amounts are shown multiplied and rounded down', () => {
  const double = parseDecimal('2.5');
  expect(toUiUnits(3n, double)).toBe(7n);
  expect(fromUiUnits(7n, double)).toBe(3n);
  expect(fromUiUnits(8n, double)).toBe(4n);
  expect(fromUiUnits(8n, parseDecimal('0'))).toBeUndefined();
});

test('property: the smallest amount that is shown as something', () => {
  const multipliers = fc.tuple(fc.bigInt(1n, 10n ** 6n), fc.bigInt(1n, 10n ** 6n));
  assertProperty(
    fc.property(fc.bigInt(1n, 10n ** 12n), multipliers, (shown, [numerator, denominator]) => {
      const amount = fromUiUnits(shown, { numerator, denominator }) ?? 0n;
      expect(toUiUnits(amount, { numerator, denominator })).toBeGreaterThanOrEqual(shown);
      expect(toUiUnits(amount - 1n, { numerator, denominator })).toBeLessThan(shown);
    }),
    100,
  );
});

test('an announced multiplier is known before it applies', () => {
  const value = {
    authority: ZERO_ADDRESS,
    multiplier: bitsOf(1.5),
    newMultiplierEffectiveTimestamp: 100n,
    newMultiplier: bitsOf(2),
  };
  const extensions = {
    entries: [{ kind: 'scaledUiAmountConfig', value } as const],
    rest: new Uint8Array(),
  };
  const at = (unix: bigint) => {
    const { multiplier, next } = uiScalingOf({ extensions }, toUnixSeconds(unix)) ?? {};
    return [multiplier, next?.multiplier]
      .map((each) => each && formatRatio(each, 5))
      .concat(`${next?.from}`);
  };
  expect(at(99n)).toEqual(['1.5', '2', '100']);
  expect(at(100n)).toEqual(['2', undefined, 'undefined']);
  expect(uiScalingOf({ extensions: undefined }, toUnixSeconds(1n))).toBeUndefined();
});
