import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';
import { quoteName } from '../../../base/encoding/foreign-text.ts';
import { AccountLabels } from './account-labels.ts';

const MINT = numberedAddress(1);

test('the first label of an address stays', () => {
  const labels = new AccountLabels();
  labels.addLabel(MINT, 'the wallet');
  labels.addLabel(MINT, 'the price feed');
  labels.addTokenAccount(MINT, { mint: numberedAddress(2), owner: undefined });
  labels.addTokenAccount(MINT, { mint: numberedAddress(3), owner: MINT });
  expect(labels.nameOf(MINT)).toBe('the wallet');
  expect(labels.tokenAccountOf(MINT)).toEqual({ mint: numberedAddress(2), owner: undefined });
});

test('amounts are exact, and in smallest units if the decimals are unknown', () => {
  const labels = new AccountLabels();
  const tokenProgram = undefined;
  expect(labels.amountOf(1n, undefined)).toBe('1 smallest units of an unknown token');
  expect(labels.amountOf(1n, MINT)).toBe(`1 smallest units of the token ${MINT}`);
  labels.addToken(MINT, { unit: 'USDC', decimals: 6, tokenProgram });
  expect(labels.amountOf(1n, MINT)).toBe('0.000001 USDC');
  expect(labels.amountOf(18_446_744_073_709_551_615n, MINT)).toBe('18446744073709.551615 USDC');
  const unlisted = numberedAddress(2);
  labels.addToken(unlisted, { unit: 'X', decimals: undefined, tokenProgram });
  expect(labels.amountOf(7n, unlisted)).toBe('7 smallest units of X');
});

test('an on-chain name cannot escape its quotes, break the line or change the text direction', () => {
  expect(quoteName('  Main Market ')).toBe('“Main Market”');
  expect(quoteName('A”, to the wallet’s “B')).toBe("“A', to the wallet’s 'B”");
  expect(quoteName('a\nb\u2028c\u202ed\u200be\u0000f')).toBe('“a b c d e f”');
});
