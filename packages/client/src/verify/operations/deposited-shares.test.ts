import { expect, test } from 'vitest';
import { fewestShares } from './deposited-shares.ts';

const vault = {
  sharesIssued: '20000000',
  tokenAvailable: '10000000',
  pendingFeesSf: '0',
  depositCap: '0',
  crankFee: '0',
  allocations: [],
};

const fewest = (fields: Partial<typeof vault>, amount: bigint, mayBePartial = false) =>
  fewestShares({ ...vault, ...fields }, {}, { amount, mayBePartial });

test('a deposit buys its part of a vault that has gained a hundredth, less a thousandth', () => {
  // 20,000,000 shares for 10,100,001 tokens: 9,900,989 for 5,000,000 of them
  expect(fewest({}, 5_000_000n)).toBe(9_891_088n);
});

test('the first deposit buys one share per token', () => {
  expect(fewest({ sharesIssued: '0', tokenAvailable: '0' }, 1_000n)).toBe(999n);
});

test('a vault with shares and without assets accepts no deposit, so nothing is expected', () => {
  expect(fewest({ sharesIssued: '1', tokenAvailable: '0' }, 4n)).toBe(0n);
  expect(fewest({ sharesIssued: '1', tokenAvailable: '1' }, 4_000n)).toBeGreaterThan(0n);
});

test('only a deposit that may be partial is expected to be cut to the cap', () => {
  const capped = { depositCap: '10100101' };
  // 100 tokens of room: 198 shares, less a thousandth
  expect(fewest(capped, 5_000_000n, true)).toBe(197n);
  expect(fewest(capped, 5_000_000n)).toBe(9_891_088n);
});

test('nothing is known without the data of a reserve', () => {
  const allocations = [{ reserve: 'missing', ctokenVault: 'any', ctokens: '1' }];
  const terms = { amount: 5n, mayBePartial: false };
  expect(fewestShares({ ...vault, allocations }, {}, terms)).toBeUndefined();
});
