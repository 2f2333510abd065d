import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { type Address, addressFromBytes, toAddress } from './address.ts';
import { compareAddresses } from './address-order.ts';
import { BASE58_ALPHABET } from './base58.ts';

/** The collator of `@solana/kit`. */
const collator = new Intl.Collator('en', {
  caseFirst: 'lower',
  ignorePunctuation: false,
  localeMatcher: 'best fit',
  numeric: false,
  sensitivity: 'variant',
  usage: 'sort',
});

const addresses = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressFromBytes);

/** Text of base58 characters, not necessarily addresses. */
const texts = (letters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), maxLength }).map((text) => text as Address);

/** Pairs that are often prefixes of each other or differ only in case. */
const lookalikes = fc.oneof(
  fc.tuple(texts('19aAbBzZ', 6), texts('19aAbBzZ', 6)),
  fc.tuple(texts('aA', 4), texts('aA', 4)),
);

test('orders every base58 character like English collation', () => {
  const letters = [...BASE58_ALPHABET].map((letter) => letter as Address);
  expect(letters.toSorted(compareAddresses).join('')).toBe(
    '123456789aAbBcCdDeEfFgGhHijJkKLmMnNopPqQrRsStTuUvVwWxXyYzZ',
  );
});

test('orders well-known programs like kit, not by bytes', () => {
  const programs = [
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'SysvarRent111111111111111111111111111111111',
    'ComputeBudget111111111111111111111111111111',
    'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s',
    '11111111111111111111111111111111',
    'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  ].map(toAddress);
  expect(programs.toSorted(compareAddresses).map((text) => text.slice(0, 6))).toEqual([
    '111111',
    'AToken',
    'Comput',
    'metaqb',
    'Sysvar',
    'Tokenk',
  ]);
});

test('property: compares two addresses like English collation', () => {
  const pairs = fc.oneof(fc.tuple(addresses, addresses), lookalikes);
  assertProperty(
    fc.property(pairs, ([a, b]) => {
      expect(Math.sign(compareAddresses(a, b))).toBe(Math.sign(collator.compare(a, b)));
    }),
    3000,
  );
});

test('property: sorts a list like English collation', () => {
  const lists = fc.array(fc.oneof(addresses, texts('19aAbBzZ', 6)), { maxLength: 40 });
  assertProperty(
    fc.property(lists, (list) => {
      expect(list.toSorted(compareAddresses)).toEqual(list.toSorted(collator.compare));
    }),
    100,
  );
});
