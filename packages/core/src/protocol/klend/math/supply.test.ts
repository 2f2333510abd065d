import { expect, test } from 'vitest';
import { exampleReserve } from '../../../../../../test/support/lending/lending-accounts.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { totalSupply, utilization } from './supply.ts';

test('computes the reference example', () => {
  const { liquidity } = exampleReserve();
  expect(totalSupply(liquidity)).toBe(1_729_381_103_988_765_857_153_024_000_000n);
  expect(utilization(liquidity)).toBe(384_307_424_407_231_930n);
});

test('the supply excludes all three kinds of fees', () => {
  const { liquidity } = exampleReserve();
  const more = {
    ...liquidity,
    accumulatedReferrerFeesSf: sfFromInt(3n),
    pendingReferrerFeesSf: sfFromInt(4n),
  };
  expect(totalSupply(liquidity) - totalSupply(more)).toBe(sfFromInt(7n));
});

test('the utilization of an empty reserve is zero', () => {
  const { liquidity } = exampleReserve();
  const empty = {
    ...liquidity,
    totalAvailableAmount: toLamports(0n),
    borrowedAmountSf: sfFromBits(0n),
    accumulatedProtocolFeesSf: sfFromBits(0n),
  };
  expect(utilization(empty)).toBe(0n);
});
