import { expect, test } from 'vitest';
import type { ActionName, BuildFields } from '../../../routing/build-fields.ts';
import type { Choices } from '../form-props.ts';
import { paidMint } from './paid-token.ts';

const choices = {
  markets: [{ reserves: undefined }, { reserves: [{ reserve: 'r', liquidityTokenMint: 'USDC' }] }],
  vaults: [{ address: 'v', state: { tokenMint: 'SOL' } }],
} as unknown as Choices;

const mintOf = (action: ActionName, fields: Partial<BuildFields> = {}) =>
  paidMint({ action, reserve: 'r', vault: 'v', ...fields } as BuildFields, choices);

test('deposits and repayments pay the token of the reserve, a vault takes its own', () => {
  expect((['deposit', 'repay', 'vault-deposit'] as const).map((each) => mintOf(each))).toEqual([
    'USDC',
    'USDC',
    'SOL',
  ]);
});

test('what the wallet receives or pays in shares has no balance', () => {
  for (const action of ['borrow', 'withdraw', 'vault-withdraw', 'claim'] as const) {
    expect(mintOf(action), action).toBeUndefined();
  }
  expect(mintOf('deposit', { reserve: '' })).toBeUndefined();
});
