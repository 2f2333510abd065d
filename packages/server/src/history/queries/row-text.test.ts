import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { addressIdsIn, createFieldReader, splitRowText } from './row-text.ts';

const addressOf = numberedAddress;

test.each([
  ['count', '7', 7],
  ['config', '12', 12],
  ['seconds', '1790000000', 1_790_000_000n],
  ['slot', '380000000', 380_000_000n],
  ['integer', '-340282366920938463463374607431768211456', -(2n ** 128n)],
  ['integers', '{0,1152921504606846976}', [0n, 2n ** 60n]],
  ['integers', '{}', []],
  ['fraction', '5', { numerator: 5n, denominator: 10n ** 36n }],
  ['address', '3', numberedAddress(3)],
  ['addresses', '{3,4}', [numberedAddress(3), numberedAddress(4)]],
  ['bytes', '\\x00ff10', Uint8Array.of(0, 255, 16)],
  ['bytes', '\\x', Uint8Array.of()],
] as const)('a field of kind %s: %s', (kind, field, value) => {
  expect(createFieldReader(kind, addressOf)(field)).toEqual(value);
});

test('an empty field is null, also between equal values', () => {
  const read = createFieldReader('integer?', addressOf);
  expect(['5', '', '5', '5', '6'].map(read)).toEqual([5n, null, 5n, 5n, 6n]);
});

test('rows are lines, and trailing empty fields remain', () => {
  expect(splitRowText('1\t\t2\n3\t4\t')).toEqual([
    ['1', '', '2'],
    ['3', '4', ''],
  ]);
  expect(splitRowText('')).toEqual([]);
});

test('ids of an address column', () => {
  expect(['8', '{8,9}', '{}', ''].map(addressIdsIn)).toEqual([[8], [8, 9], [], []]);
});
