import { expect, test } from 'vitest';
import { divide, minimum, ratio, sum } from './decimal.ts';

test('sums have all digits', () => {
  expect(sum(['0.1', '0.2', '1080519.0230099190086'])).toBe('1080519.3230099190086');
  expect(sum([])).toBe('0');
});

test('the smaller value is compared as a number', () => {
  expect(minimum('9', '10')).toBe('9');
  expect(minimum('-1', '-2')).toBe('-2');
});

test('a part of nothing is not known', () => {
  expect(ratio('1', '4')).toBe(0.25);
  expect(ratio('1', '0')).toBeUndefined();
});

test('quotients have twenty places', () => {
  expect(divide('2', '3')).toBe('0.66666666666666666667');
  expect(divide('1', '0')).toBeUndefined();
});
