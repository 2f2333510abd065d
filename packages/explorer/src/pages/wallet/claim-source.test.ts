import type { Portfolio } from '@tidegate/client';
import { expect, test } from 'vitest';
import { claimSource } from './claim-source.ts';

const portfolio = {
  lending: [{ obligation: 'plain loan', market: 'main', tag: 'Vanilla' }],
  multiply: [{ obligation: 'multiply loan', market: 'main', tag: 'Multiply' }],
  leverage: [],
} as unknown as Portfolio;

test('a reward for shares is claimed from the vault', () => {
  const farm = { vault: 'earn vault', delegatee: 'wallet', positionType: 'Lend' };
  expect(claimSource(farm, portfolio)).toEqual({ vault: 'earn vault' });
  expect(claimSource(farm, undefined)).toEqual({ vault: 'earn vault' });
});

test('a reward for a loan of any kind is claimed with the loan', () => {
  const plain = { delegatee: 'plain loan', positionType: 'Borrow Markets' };
  expect(claimSource(plain, portfolio)).toEqual({ market: 'main', obligation: 'plain loan' });
  const multiply = { delegatee: 'multiply loan', positionType: 'Multiply' };
  expect(claimSource(multiply, portfolio)).toEqual({ market: 'main', obligation: 'multiply loan' });
});

test('of a reward that no builder claims, the page says why', () => {
  const staked = { delegatee: 'wallet', positionType: 'Liquidity' };
  expect(claimSource(staked, portfolio)).toMatchObject({ reason: expect.stringMatching(/staked/) });
  const unknown = { delegatee: 'closed loan', positionType: 'Lend' };
  expect(claimSource(unknown, portfolio)).toMatchObject({ reason: expect.stringMatching(/vault/) });
  const loan = { delegatee: 'plain loan', positionType: 'Borrow Markets' };
  expect(claimSource(loan, undefined)).toMatchObject({ reason: expect.stringMatching(/loans/) });
});
