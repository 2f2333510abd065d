import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { largestAccepted, type Verdict } from './max-amounts.ts';

/** Accepts the amounts from `smallest` to `largest`. */
function interval(smallest: bigint, largest: bigint) {
  let attempts = 0;
  const attempt = (amount: bigint): Verdict => {
    attempts++;
    if (amount > largest) return 'too large';
    return amount < smallest ? 'too small' : 'accepted';
  };
  return { attempt, attempts: () => attempts };
}

const amounts = fc.bigInt(0n, 2n ** 64n - 2n);

test('property: finds the end of the interval from any estimate', () => {
  assertProperty(
    fc.property(amounts, amounts, amounts, (a, b, estimate) => {
      const [smallest, largest] = a < b ? [a, b] : [b, a];
      const found = largestAccepted(estimate, interval(smallest, largest).attempt);
      expect(found).toBe(largest);
    }),
    100,
  );
});

test('property: an empty interval gives 0', () => {
  assertProperty(
    fc.property(amounts, amounts, (largest, estimate) => {
      const { attempt } = interval(largest + 1n, largest);
      expect(largestAccepted(estimate, attempt)).toBe(0n);
    }),
    100,
  );
});

test('an exact estimate takes two attempts, one off by a few takes few', () => {
  const exact = interval(1n, 10n ** 18n);
  expect(largestAccepted(10n ** 18n, exact.attempt)).toBe(10n ** 18n);
  expect(exact.attempts()).toBe(2);
  for (const off of [-5n, -1n, 1n, 5n]) {
    const close = interval(1n, 10n ** 18n);
    expect(largestAccepted(10n ** 18n + off, close.attempt)).toBe(10n ** 18n);
    expect(close.attempts()).toBeLessThan(8);
  }
});

test('a rejection of every amount ends the search', () => {
  let attempts = 0;
  const never = (): Verdict => {
    attempts++;
    return 'never';
  };
  expect(largestAccepted(5n, never)).toBe(0n);
  expect(attempts).toBe(1);
});
