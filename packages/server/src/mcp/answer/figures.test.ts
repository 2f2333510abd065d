import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { percent, short, shortRatio, sol, sum, usd } from './figures.ts';

test('figures are cut to eight digits, never rounded up', () => {
  expect(short('0.99986840606259796688')).toBe('0.9998684');
  expect(short('107.52606838252660065')).toBe('107.52606');
  expect(short('222724530371.5')).toBe('222724530371');
  expect(short(0.00000012345)).toBe('0.00000012345');
  expect(percent('0.7425714959312237')).toBe('74.257 %');
  expect(percent(0.05)).toBe('5 %');
});

test('lamports are whole SOL, exactly', () => {
  expect(sol('5000')).toBe('0.000005 SOL');
  expect(sol('-10005000')).toBe('-0.010005 SOL');
});

test('sums are exact, and an unknown value is not zero', () => {
  expect(shortRatio(sum(['0.1', '0.2']))).toBe('0.3');
  expect(usd(null)).toBe('an unknown value');
});

test('property: a shortened amount is never above the amount', () => {
  const amounts = fc.bigInt(0n, 10n ** 24n);
  assertProperty(
    fc.property(amounts, fc.integer({ min: 0, max: 12 }), (units, decimals) => {
      const digits = units.toString().padStart(decimals + 1, '0');
      const at = digits.length - decimals;
      const text = decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
      const [whole = '', fraction = ''] = short(text).split('.');
      expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBeLessThanOrEqual(units);
    }),
    100,
  );
});
