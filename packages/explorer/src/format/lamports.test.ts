import { expect, test } from 'vitest';
import { solOf } from './lamports.ts';

test('lamports are billionths of a SOL', () => {
  expect(solOf('5000')).toBe('0.000005');
  expect(solOf('-2039280')).toBe('-0.00203928');
  expect(solOf('18446744073709551615')).toBe('18446744073.709551615');
  expect(solOf('0')).toBe('0');
});
