import { expect, test } from 'vitest';
import { decodeBase58, decodeBase64, encodeBase58, encodeBase64 } from './bytes.ts';

/** Of the specification of base58 (draft-msporny-base58). */
const vectors: readonly [hex: string, text: string][] = [
  ['48656c6c6f20576f726c6421', '2NEpo7TZRRrLZSi2U'],
  [
    '54686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e',
    'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
  ],
  ['0000287fb4cd', '11233QC4'],
];

test.each(vectors)('%s in base58', (hex, text) => {
  const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
  expect(encodeBase58(bytes)).toBe(text);
  expect(decodeBase58(text)).toEqual(bytes);
});

test('zeros are ones in base58', () => {
  expect(encodeBase58(new Uint8Array(32))).toBe('1'.repeat(32));
  expect(decodeBase58('1'.repeat(32))).toEqual(new Uint8Array(32));
});

test('other characters are not base58', () => {
  for (const text of ['0', 'O', 'I', 'l', 'a b', 'a+']) expect(decodeBase58(text)).toBeUndefined();
});

test('base64 as Node has it', () => {
  const bytes = Uint8Array.from({ length: 1232 }, (_, index) => (index * 37) % 256);
  const text = Buffer.from(bytes).toString('base64');
  expect(encodeBase64(bytes)).toBe(text);
  expect(decodeBase64(text)).toEqual(bytes);
});
