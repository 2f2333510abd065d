import { expect, test } from 'vitest';
import { vaultLabel, viewShareMint } from './share-mint.ts';

test('the ticker is said once, and the vault’s name in full in the description', () => {
  expect(viewShareMint('USDC', 'Harbor USDC')).toEqual({
    name: 'kVault USDC Harbor',
    symbol: 'kV-USDC',
    description: 'Receipt token of the Harbor USDC earn vault',
  });
});

test('a vault without a name, or with nothing but the ticker in it, is named by the ticker', () => {
  expect(viewShareMint('SOL', '').name).toBe('kVault SOL');
  expect(viewShareMint('SOL', 'SOL').name).toBe('kVault SOL');
  expect(viewShareMint('SOL', '').description).toBe('Receipt token of the SOL earn vault');
});

test('only whole words are the ticker, upper and lower case alike', () => {
  expect(vaultLabel('SOL', 'Solid  sol\tEarn')).toBe('Solid Earn');
});
