import { expect, test } from 'vitest';
import { vaultLabel, viewShareMint } from './share-mint.ts';

test('the name contains the ticker once; the description contains the full vault name', () => {
  expect(viewShareMint('USDC', 'Harbor USDC')).toEqual({
    name: 'kVault USDC Harbor',
    symbol: 'kV-USDC',
    description: 'Receipt token of the Harbor USDC earn vault',
  });
});

test('a vault without a name, or named like the ticker, uses the ticker', () => {
  expect(viewShareMint('SOL', '').name).toBe('kVault SOL');
  expect(viewShareMint('SOL', 'SOL').name).toBe('kVault SOL');
  expect(viewShareMint('SOL', '').description).toBe('Receipt token of the SOL earn vault');
});

test('the ticker is removed as a whole word, ignoring case', () => {
  expect(vaultLabel('SOL', 'Solid  sol\tEarn')).toBe('Solid Earn');
});
