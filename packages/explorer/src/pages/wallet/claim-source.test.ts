import type { Portfolio } from '@tidegate/client';
import { expect, test } from 'vitest';
import { claimSource } from './claim-source.ts';

const portfolio = {
  lending: [{ obligation: 'plain loan', market: 'main', tag: 'Vanilla' }],
  multiply: [{ obligation: 'multiply loan', market: 'main', tag: 'Multiply' }],
  leverage: [],
} as unknown as Portfolio;

test('a reward for shares is claimed from the vault', () => {
  const farm = { vault: 'earn vault', delegatee: 'wallet' };
  expect(claimSource(farm, portfolio)).toEqual({ vault: 'earn vault' });
  expect(claimSource(farm, undefined)).toEqual({ vault: 'earn vault' });
});

test('a reward for a plain loan is claimed from its market', () => {
  expect(claimSource({ delegatee: 'plain loan' }, portfolio)).toEqual({ market: 'main' });
});

test('no builder claims a reward for another loan, or for staked tokens', () => {
  expect(claimSource({ delegatee: 'multiply loan' }, portfolio)).toBeUndefined();
  expect(claimSource({ delegatee: 'wallet' }, portfolio)).toBeUndefined();
  expect(claimSource({ delegatee: 'plain loan' }, undefined)).toBeUndefined();
});
