import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { toLamports, U64_MAX } from './lamports.ts';

test('accepts amounts of up to 64 bits', () => {
  expect(U64_MAX).toBe(2n ** 64n - 1n);
  expect(toLamports(0n)).toBe(0n);
  expect(toLamports(U64_MAX)).toBe(18_446_744_073_709_551_615n);
});

test('rejects negative amounts and amounts above 64 bits', () => {
  expect(catchError(() => toLamports(-1n))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => toLamports(2n ** 64n))?.code).toBe('MATH_OVERFLOW');
});
