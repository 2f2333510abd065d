import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { addressFromBytes, toAddress } from '../../base/encoding/address.ts';
import { drawShareMintIcon, type ShareMintIconInput } from './share-mint-icon.ts';

const input: ShareMintIconInput = {
  sharesMint: toAddress('HTsFozPLmFdKUSYRh3PNU3YHX5sDEcEen2oSWUN3r4rz'),
  ticker: 'USDC',
  vaultName: 'Steady Harbor USDC',
};

/** Text elements, and tags without attribute values. */
const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((m) => m[1]);
const tagsOf = (svg: string) =>
  svg
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/>[^<]*</g, '><')
    .replaceAll(/[a-z-]+=""/gi, '');

test('the icon shows the ticker and the initials of the vault', () => {
  const svg = drawShareMintIcon(input);
  expect(textsOf(svg)).toEqual(['USDC', 'SH']);
  expect(svg).toContain('<title>kV-USDC Steady Harbor USDC</title>');
  expect(textsOf(drawShareMintIcon({ ...input, vaultName: 'USDC' }))).toEqual(['USDC', 'kV']);
  expect(textsOf(drawShareMintIcon({ ...input, ticker: '<>' }))).toEqual(['?', 'SH']);
});

test('the same input gives the same icon; another mint has other colours', () => {
  const svg = drawShareMintIcon(input);
  expect(drawShareMintIcon({ ...input })).toBe(svg);
  const other = toAddress('2Mym5fSPhmJrri6f4Y61GhUfiDfEHxPGVS5bSdsEWwTt');
  const colours = (text: string) => text.match(/#[0-9a-f]{6}/g);
  expect(colours(drawShareMintIcon({ ...input, sharesMint: other }))).not.toEqual(colours(svg));
});

test('markup in names is escaped', () => {
  const hostile = '</title><script>alert("1")</script>&lt;\u0000\u202e\'';
  const svg = drawShareMintIcon({ ...input, ticker: hostile, vaultName: hostile });
  expect(svg).not.toContain('<script');
  expect(svg).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(svg).toContain('&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)');
  expect(svg).toContain('&amp;lt;');
});

test('property: names never change the markup', () => {
  const names = fc.string({ unit: 'binary', maxLength: 60 });
  const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });
  assertProperty(
    fc.property(names, names, keys, (ticker, vaultName, key) => {
      const sharesMint = addressFromBytes(key);
      const svg = drawShareMintIcon({ sharesMint, ticker, vaultName });
      const harmless = drawShareMintIcon({ sharesMint, ticker: 'A', vaultName: 'B' });
      expect(tagsOf(svg)).toBe(tagsOf(harmless));
      // Every ampersand belongs to an entity, and no invalid XML character is left.
      expect(svg.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
      expect(svg).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\ufffe\uffff]/u);
    }),
    100,
  );
});
