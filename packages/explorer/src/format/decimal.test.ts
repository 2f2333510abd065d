import { expect, test } from 'vitest';
import { compare, divide, minimum, multiply, ratio, subtract, sum } from './decimal.ts';

test('sums and differences have all digits', () => {
  expect(sum(['0.1', '0.2', '1080519.0230099190086'])).toBe('1080519.3230099190086');
  expect(sum([])).toBe('0');
  expect(subtract('6390.5062266098737898', '1257.1309288269691645')).toBe('5133.3752977829046253');
});

test('the smaller value is compared as a number', () => {
  expect(minimum('9', '10')).toBe('9');
  expect(minimum('-1', '-2')).toBe('-2');
});

test('a part of nothing is not known', () => {
  expect(ratio('1', '4')).toBe(0.25);
  expect(ratio('1', '0')).toBeUndefined();
});

test('products have all digits, quotients twenty places', () => {
  expect(multiply('1080519.0230099190086', '0.5')).toBe('540259.5115049595043');
  expect(divide('2', '3')).toBe('0.66666666666666666667');
  expect(divide('1', '0')).toBeUndefined();
});

test('values are compared as numbers', () => {
  expect(compare('9', '10')).toBe(-1);
  expect(compare('1.0', '1')).toBe(0);
});
