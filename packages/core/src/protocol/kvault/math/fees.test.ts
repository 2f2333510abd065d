import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { sfFromBits, sfFromInt, ZERO_SF } from '../../../base/numbers/scaled-fraction.ts';
import { feeCharge } from './fees.ts';

const aum = sfFromBits(8_975_157_630_866_870_703_900_964n);
const DAY = 86_400n;
const terms = (prevAum: bigint) => ({
  prevAumSf: sfFromInt(prevAum),
  managementFeeBps: 100n,
  performanceFeeBps: 1000n,
});

test('after a loss only the management fee is charged: 219.032741022 per day on eight million', () => {
  expect(feeCharge(terms(8_000_000n), aum, DAY)).toEqual({
    earnedInterest: 0n,
    mgmtCharge: 252_527_557_336_936_000_000n,
    perfCharge: 0n,
    fees: 252_527_557_336_936_000_000n,
    aum: 8_974_905_103_309_533_767_900_964n,
  });
});

test('a gain is charged a tenth, and the management fee applies to the previous AUM', () => {
  expect(feeCharge(terms(7_000_000n), aum, DAY)).toEqual({
    earnedInterest: 904_707_098_618_941_871_900_964n,
    mgmtCharge: 220_961_612_669_819_000_000n,
    perfCharge: 90_470_709_861_894_186_719_271n,
    fees: 90_691_671_474_564_005_719_271n,
    aum: 8_884_465_959_392_306_698_181_693n,
  });
});

test('31556926 seconds charge the full yearly rate', () => {
  const onePercent = (1n << 60n) / 100n;
  const { mgmtCharge } = feeCharge(terms(1n), ZERO_SF, 31_556_926n);
  expect(mgmtCharge).toBe(onePercent);
  expect(feeCharge(terms(1n), ZERO_SF, 31_556_925n).mgmtCharge).toBeLessThan(onePercent);
});

test('zero seconds charge no management fee, but the gain is still charged', () => {
  const { mgmtCharge, perfCharge } = feeCharge(terms(7_000_000n), aum, 0n);
  expect(mgmtCharge).toBe(0n);
  expect(perfCharge).toBe(90_470_709_861_894_186_719_271n);
});

test('the charged fees never exceed the AUM', () => {
  const left = sfFromInt(10n);
  const charge = feeCharge(terms(8_000_000n), left, DAY);
  expect(charge.fees).toBe(left);
  expect(charge.mgmtCharge).toBe(252_527_557_336_936_000_000n);
  expect(charge.aum).toBe(0n);
});

test('property: fees and remaining AUM add up to the old AUM', () => {
  const amounts = fc.bigInt(0n, 1n << 120n).map(sfFromBits);
  const bps = fc.bigInt(0n, 10_000n);
  assertProperty(
    fc.property(amounts, amounts, fc.tuple(bps, bps, fc.bigInt(0n, DAY)), (prev, now, rest) => {
      const [managementFeeBps, performanceFeeBps, seconds] = rest;
      const vault = { prevAumSf: prev, managementFeeBps, performanceFeeBps };
      const charge = feeCharge(vault, now, seconds);
      expect(charge.fees + charge.aum).toBe(now);
      expect(charge.perfCharge).toBeLessThanOrEqual(charge.earnedInterest);
    }),
    100,
  );
});
