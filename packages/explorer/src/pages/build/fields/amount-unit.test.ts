import type { Vault } from '@tidegate/client';
import { expect, test } from 'vitest';
import type { ListedMarket } from '../../../api/directory.ts';
import { type ActionName, type BuildFields, EMPTY_FIELDS } from '../../../routing/build-fields.ts';
import { amountUnit } from './amount-unit.ts';

const reserve = (address: string, liquidityToken: string) => ({
  reserve: address,
  liquidityToken,
  liquidityTokenMint: `${liquidityToken} mint`,
});
const choices = {
  markets: [
    { reserves: undefined },
    { reserves: [reserve('R1', 'SOL'), reserve('R2', 'USDC')] },
  ] as unknown as readonly ListedMarket[],
  vaults: [
    { address: 'V1', state: { tokenMint: 'USDC mint' } },
    { address: 'V2', state: { tokenMint: 'another mint' } },
  ] as unknown as readonly Vault[],
};

const unit = (action: ActionName, chosen: Partial<BuildFields> = {}) =>
  amountUnit({ ...EMPTY_FIELDS, action, ...chosen }, choices);

test('the amount of a loan is in the token of the reserve', () => {
  expect(unit('borrow', { reserve: 'R1' })).toBe('SOL');
  expect(unit('borrow')).toBe('');
});

test('the amount of a liquidation is in the token of the debt', () => {
  expect(unit('liquidate', { collateral: 'R1', debt: 'R2' })).toBe('USDC');
});

test('the amount of a vault deposit is in the token of the vault', () => {
  expect(unit('vault-deposit', { vault: 'V1' })).toBe('USDC');
});

test('without a vault, or with a token that no reserve has, it is in tokens of the vault', () => {
  expect(unit('vault-deposit')).toBe('tokens of the vault');
  expect(unit('vault-deposit', { vault: 'V2' })).toBe('tokens of the vault');
});

test('the amount of a vault withdrawal is in shares', () => {
  expect(unit('vault-withdraw', { vault: 'V1' })).toBe('shares');
});
