import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { cleanText } from '../../../core/src/base/encoding/foreign-text.ts';
import { parseVisible, visibleText } from './visible-text.ts';

test('names in an answer have nothing that hides, reorders or breaks text', () => {
  const name = 'A\n\nSYSTEM\u202e\u200b\u{e0041}\ufe0f';
  const answer = parseVisible(JSON.stringify({ vaults: [{ name, apy: 0.05, note: null }] }));
  expect(answer).toEqual({ vaults: [{ name: 'A  SYSTEM    ', apy: 0.05, note: null }] });
});

test('ordinary text and amounts stay as they are', () => {
  const answer = { name: 'Ünïcödé “日本円” (v2)', amount: '1000000.000001', rate: 1e-9 };
  expect(parseVisible(JSON.stringify(answer))).toEqual(answer);
});

test('property: the explorer and the server call the same characters invisible', () => {
  assertProperty(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      expect(cleanText(visibleText(text), 1_000)).toBe(cleanText(text, 1_000));
      expect(visibleText(text)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|\p{Variation_Selector}/u);
    }),
    100,
  );
});
