import { expect, test } from 'vitest';
import { bytesFromHex } from './bytes.ts';
import { decodeTexts, encodeTexts } from './texts.ts';

test('each text is its length in four bytes, then its UTF-8', () => {
  expect(encodeTexts(['ab', '', 'é'])).toEqual(
    bytesFromHex('020000006162' + '00000000' + '02000000c3a9'),
  );
});

test('decoding returns the encoded texts', () => {
  const texts = ['Vault shares', 'KVS', 'https://example.com/é'];
  expect(decodeTexts(encodeTexts(texts), 3)).toEqual(texts);
});

test.each([
  ['a missing length', '0200000061620000'],
  ['a length beyond the data', '0300000061620100000062'],
  ['bytes that are no UTF-8', '02000000c328' + '0100000061'],
])('%s decodes to nothing', (_, hex) => {
  expect(decodeTexts(bytesFromHex(hex), 2)).toBeUndefined();
});
