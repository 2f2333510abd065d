import { expect, test } from 'vitest';
import { toAddress } from '../../base/encoding/address.ts';
import { isTrustedCall, TRUSTED_CALLERS } from './permissions.ts';
import { KLEND_PROGRAM } from './program.ts';

const KVAULT_PROGRAM = toAddress('KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd');

test('a transaction calls the program itself, a listed program calls it once', () => {
  expect(isTrustedCall(KLEND_PROGRAM, 1)).toBe(true);
  expect(isTrustedCall(KLEND_PROGRAM, 2)).toBe(false);
  expect(isTrustedCall(undefined, 2)).toBe(false);
  expect(isTrustedCall(KVAULT_PROGRAM, 2)).toBe(true);
  expect(isTrustedCall(KVAULT_PROGRAM, 3)).toBe(false);
});

test('two programs may call it through others', () => {
  const depths = [...TRUSTED_CALLERS.values()].filter((depth) => depth > 1);
  expect(depths).toEqual([2, 3]);
  const core = toAddress('ExponentnaRg3CQbW6dqQNZKXp7gtZ9DGMp1cwC4HAS7');
  expect([2, 3, 4, 5].map((height) => isTrustedCall(core, height))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(TRUSTED_CALLERS.size).toBe(16);
});
