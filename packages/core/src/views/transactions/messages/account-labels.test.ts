import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';
import { AccountLabels, quoteName } from './account-labels.ts';

const MINT = numberedAddress(1);

test('what is said first stays', () => {
  const book = new AccountLabels();
  book.label(MINT, 'the wallet');
  book.label(MINT, 'the price feed');
  book.holding(MINT, { mint: numberedAddress(2), owner: undefined });
  book.holding(MINT, { mint: numberedAddress(3), owner: MINT });
  expect(book.nameOf(MINT)).toBe('the wallet');
  expect(book.holdingOf(MINT)).toEqual({ mint: numberedAddress(2), owner: undefined });
});

test('amounts are exact, and in smallest units where the decimals are not known', () => {
  const book = new AccountLabels();
  const tokenProgram = undefined;
  expect(book.amountOf(1n, undefined)).toBe('1 smallest units of a token that is not known');
  expect(book.amountOf(1n, MINT)).toBe(`1 smallest units of the token ${MINT}`);
  book.token(MINT, { unit: 'USDC', decimals: 6, tokenProgram });
  expect(book.amountOf(1n, MINT)).toBe('0.000001 USDC');
  expect(book.amountOf(18_446_744_073_709_551_615n, MINT)).toBe('18446744073709.551615 USDC');
  const labelled = numberedAddress(2);
  book.token(labelled, { unit: 'X', decimals: undefined, tokenProgram });
  expect(book.amountOf(7n, labelled)).toBe('7 smallest units of X');
});

test('a name of strangers cannot leave its quotes, break the line or turn the writing', () => {
  expect(quoteName('  Main Market ')).toBe('“Main Market”');
  expect(quoteName('A”, to the wallet’s “B')).toBe('“A, to the wallet’s B”');
  expect(quoteName('a\nb\u2028c\u202ed\u200be\u0000f')).toBe('“abcdef”');
});
