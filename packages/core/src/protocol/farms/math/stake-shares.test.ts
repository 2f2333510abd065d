import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import {
  delegatedFarm,
  farmWith,
  userWith,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { formatRatio } from '../../../base/numbers/decimal.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import {
  amountOfShares,
  displayedStake,
  sharesOfAmount,
  stakedAmount,
  stakedTokens,
} from './stake-shares.ts';

test('the first stake gets one share per lamport', () => {
  expect(sharesOfAmount({ sharesScaled: 0n, amount: 0n }, 5n)).toBe(5n * WAD);
  expect(sharesOfAmount({ sharesScaled: 0n, amount: 9n }, 5n)).toBe(5n * WAD);
});

test('later stakes get shares at the pool price, rounded down', () => {
  expect(sharesOfAmount({ sharesScaled: 2n * WAD, amount: 3n }, 5n)).toBe(3_333333333333333333n);
});

test('shares are worth their part of the tokens, rounded down', () => {
  const pool = { sharesScaled: 3n * WAD, amount: 10n };
  expect(amountOfShares(pool, WAD)).toBe(3n);
  expect(amountOfShares(pool, 3n * WAD)).toBe(10n);
  expect(amountOfShares(pool, 0n)).toBe(0n);
});

test('shares of a pool with tokens but no shares are worth all tokens', () => {
  expect(amountOfShares({ sharesScaled: 0n, amount: 10n }, 1n)).toBe(10n);
});

test('staking into a pool with shares but no tokens throws, as in the program', () => {
  const emptied = { sharesScaled: WAD, amount: 0n };
  expect(catchError(() => sharesOfAmount(emptied, 1n))?.code).toBe('MALFORMED_DATA');
});

test('displays shares divided by 10^18 for a normal farm and the plain stake for a delegated farm', () => {
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

test('the value of a stake depends on the tokens in the farm, not on the number of shares', () => {
  const farm = farmWith({ totalActiveStakeScaled: 4n * WAD, totalStakedAmount: toLamports(6n) });
  expect(stakedAmount({ farm, user: userWith({ activeStakeScaled: 3n * WAD }) })).toBe(4n);
  const delegated = delegatedFarm({
    totalActiveStakeScaled: 4n,
    totalStakedAmount: toLamports(4n),
  });
  expect(stakedAmount({ farm: delegated, user: userWith({ activeStakeScaled: 3n }) })).toBe(3n);
});

test('the tokens of a stake are exact and include those in warmup and cooldown', () => {
  const farm = farmWith({
    totalActiveStakeScaled: 4n * WAD,
    totalStakedAmount: toLamports(6n),
    totalPendingStakeScaled: 8n * WAD,
    totalPendingAmount: toLamports(4n),
  });
  const active = { activeStakeScaled: 3n * WAD };
  const pending = {
    pendingDepositStakeScaled: WAD,
    pendingWithdrawalUnstakeScaled: 4n * WAD,
  };
  const tokens = stakedTokens({ farm, user: userWith({ ...active, ...pending }) });
  expect(formatRatio(tokens.active, 4)).toBe('4.5');
  expect(formatRatio(tokens.total, 4)).toBe('7');
  const cooling = stakedTokens({ farm, user: userWith(pending) });
  expect(formatRatio(cooling.active, 4)).toBe('0');
  expect(formatRatio(cooling.total, 4)).toBe('2.5');
  const delegated = stakedTokens({
    farm: delegatedFarm(),
    user: userWith({ activeStakeScaled: 3n }),
  });
  expect(formatRatio(delegated.total, 4)).toBe('3');
});

test('shares in a pool without shares have no known tokens', () => {
  const user = userWith({ activeStakeScaled: WAD });
  expect(catchError(() => stakedTokens({ farm: farmWith(), user }))?.code).toBe('MALFORMED_DATA');
});

test('property: staking and immediately unstaking never returns more than the stake', () => {
  const pools = fc.record({
    sharesScaled: fc.bigInt(1n, 2n ** 110n),
    amount: fc.bigInt(1n, 2n ** 60n),
  });
  assertProperty(
    fc.property(pools, fc.bigInt(1n, 2n ** 17n), (pool, amount) => {
      const gained = sharesOfAmount(pool, amount);
      const after = { sharesScaled: pool.sharesScaled + gained, amount: pool.amount + amount };
      expect(amountOfShares(after, gained)).toBeLessThanOrEqual(amount);
    }),
    100,
  );
});
