import { expect, test } from 'vitest';
import type { BuildFields } from '../../../routing/build-fields.ts';
import type { Choices } from '../form-props.ts';
import { excessiveBorrow } from './max-borrow.ts';

const choices = {
  markets: [{ lendingMarket: 'm', reserves: [{ reserve: 'r', totalSupply: '1234.56789' }] }],
} as unknown as Choices;
const wallet = '5htp31t9xJSZHo1Ct6ePGqHXzgw1Bfbiksk4GU3ibfE9';
const fields = { action: 'borrow', wallet, market: 'm', reserve: 'r' } as BuildFields;

test('more than all of a reserve is a whole number, which every token can have', () => {
  expect(excessiveBorrow(fields, choices)).toBe('1235');
});

test('nothing is requested before the form is complete, or for another action', () => {
  for (const change of [
    { wallet: '' },
    { market: 'other' },
    { reserve: '' },
    { action: 'repay' as const },
  ]) {
    expect(excessiveBorrow({ ...fields, ...change }, choices)).toBeUndefined();
  }
});
