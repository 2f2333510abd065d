import { expect, test } from 'vitest';
import { seededBytes } from '../../../../test/support/random/seeded-bytes.ts';
import { addressFromBytes } from '../base/encoding/address.ts';
import { SeenAddresses } from './seen-addresses.ts';

const addressOf = (number: number) => addressFromBytes(seededBytes(number * 2 + 1, 32));

test('an address is seen after it was added, once, and until all are cleared', () => {
  const seen = new SeenAddresses();
  for (let i = 0; i < 1_000; i++) seen.add(addressOf(i));
  seen.add(addressOf(1));
  expect(seen.size).toBe(1_000);
  expect(seen.has(addressOf(999))).toBe(true);
  expect(seen.has(addressOf(1_000))).toBe(false);
  seen.clear();
  expect(seen.size).toBe(0);
  expect(seen.has(addressOf(1))).toBe(false);
});
