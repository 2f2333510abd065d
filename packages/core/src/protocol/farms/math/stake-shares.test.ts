import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorCode } from '../../../../../../test/support/errors/catch-error.ts';
import {
  delegatedFarm,
  farmWith,
  userWith,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { amountOfShares, displayedStake, sharesOfAmount, stakedAmount } from './stake-shares.ts';

test('the first stake gets a share for each lamport', () => {
  expect(sharesOfAmount({ sharesScaled: 0n, amount: 0n }, 5n)).toBe(5n * WAD);
  expect(sharesOfAmount({ sharesScaled: 0n, amount: 9n }, 5n)).toBe(5n * WAD);
});

test('later stakes get shares at the price of the pool, rounded down', () => {
  expect(sharesOfAmount({ sharesScaled: 2n * WAD, amount: 3n }, 5n)).toBe(3_333333333333333333n);
});

test('shares pay their part of the tokens, rounded down', () => {
  const pool = { sharesScaled: 3n * WAD, amount: 10n };
  expect(amountOfShares(pool, WAD)).toBe(3n);
  expect(amountOfShares(pool, 3n * WAD)).toBe(10n);
  expect(amountOfShares(pool, 0n)).toBe(0n);
});

test('shares of a pool that has tokens and no shares are worth all of them', () => {
  expect(amountOfShares({ sharesScaled: 0n, amount: 10n }, 1n)).toBe(10n);
});

test('a pool with shares and no tokens takes no stake: the program stops there', () => {
  const emptied = { sharesScaled: WAD, amount: 0n };
  expect(errorCode(() => sharesOfAmount(emptied, 1n))).toBe('MALFORMED_DATA');
});

test('a normal farm shows shares over 10^18, a delegated one the stake itself', () => {
  const user = userWith({ activeStakeScaled: 1_500000000000000000n });
  expect(displayedStake(farmWith(), user)).toEqual({
    numerator: 1_500000000000000000n,
    denominator: WAD,
  });
  expect(displayedStake(delegatedFarm(), user)).toEqual({
    numerator: 1_500000000000000000n,
    denominator: 1n,
  });
});

test('what a stake is worth follows the tokens in the farm, not the number of shares', () => {
  const farm = farmWith({ totalActiveStakeScaled: 4n * WAD, totalStakedAmount: toLamports(6n) });
  expect(stakedAmount({ farm, user: userWith({ activeStakeScaled: 3n * WAD }) })).toBe(4n);
  const delegated = delegatedFarm({
    totalActiveStakeScaled: 4n,
    totalStakedAmount: toLamports(4n),
  });
  expect(stakedAmount({ farm: delegated, user: userWith({ activeStakeScaled: 3n }) })).toBe(3n);
});

test('property: staking and unstaking at once never pays more than was staked', () => {
  const pools = fc.record({
    sharesScaled: fc.bigInt(1n, 2n ** 110n),
    amount: fc.bigInt(1n, 2n ** 60n),
  });
  fc.assert(
    fc.property(pools, fc.bigInt(1n, 2n ** 17n), (pool, amount) => {
      const gained = sharesOfAmount(pool, amount);
      const after = { sharesScaled: pool.sharesScaled + gained, amount: pool.amount + amount };
      expect(amountOfShares(after, gained)).toBeLessThanOrEqual(amount);
    }),
  );
});
