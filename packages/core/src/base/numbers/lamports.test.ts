import { expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
import { toLamports, U64_MAX } from './lamports.ts';

test('an amount is what 64 bits hold', () => {
  expect(U64_MAX).toBe(2n ** 64n - 1n);
  expect(toLamports(0n)).toBe(0n);
  expect(toLamports(U64_MAX)).toBe(18_446_744_073_709_551_615n);
});

test('an amount below zero or beyond 64 bits is refused', () => {
  expect(errorCode(() => toLamports(-1n))).toBe('MATH_OVERFLOW');
  expect(errorCode(() => toLamports(2n ** 64n))).toBe('MATH_OVERFLOW');
});
