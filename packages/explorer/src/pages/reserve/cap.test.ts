import { expect, test } from 'vitest';
import { capOf } from './cap.ts';

test('a limit in lamports is shown in whole tokens, with what is left', () => {
  expect(capOf('400000000000000', 9, '100000.5')).toEqual({
    limit: '400000',
    left: '299999.5',
    fraction: 0.25000125,
  });
});

test('nothing is left of a limit that is exceeded', () => {
  expect(capOf('10000000', 6, '15')).toEqual({ limit: '10', left: '0', fraction: 1.5 });
});

test('a limit of zero has no part that is used', () => {
  expect(capOf('0', 6, '0')).toEqual({ limit: '0', left: '0', fraction: undefined });
});

test('the largest amount of the program is no limit', () => {
  expect(capOf('18446744073709551615', 6, '15')).toBeUndefined();
});
