import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { formatRatio } from '../../base/numbers/decimal.ts';
import { toUnixSeconds } from '../../base/time.ts';
import { ratioOfFloat64, scaledUiMultiplierAt } from './scaled-ui-amount.ts';

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
  fc.assert(
    fc.property(
      doubles.filter((x) => Math.abs(x) > 2 ** -400),
      (x) => {
        const { numerator, denominator } = ratioOfFloat64(bitsOf(x));
        expect(Number(numerator) / Number(denominator)).toBe(x);
      },
    ),
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
