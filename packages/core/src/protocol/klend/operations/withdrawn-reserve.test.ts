import { expect, test } from 'vitest';
import {
  exampleLendingContext,
  exampleObligation,
  exampleReserves,
  NOW,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { releaseRules } from '../../../../../../test/support/lending/release-rules.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import type { LendingRules } from '../lending-rules.ts';
import { NEWEST_LENDING_RULES } from '../releases.ts';
import { deposit } from './deposit.ts';
import { type ObligationPosition, reserveOf } from './position.ts';
import { refreshObligation } from './refresh/refresh-obligation.ts';
import { withdraw, withdrawCollateral } from './withdraw.ts';

const request = { reserve: SOL_RESERVE, collateral: 1_000_000n, limit: 'max ltv' } as const;

/** The refreshed example loan, whose SOL price was loaded at an age. */
function loan(rules: LendingRules, priceAge = 0n) {
  const context = { ...exampleLendingContext(), rules };
  const reserves = exampleReserves();
  const position = refreshObligation({ obligation: exampleObligation(), reserves }, context);
  const { liquidity, ...rest } = reserveOf(position.reserves, SOL_RESERVE);
  const sol = {
    ...rest,
    liquidity: { ...liquidity, marketPriceLastUpdatedTs: toUnixSeconds(NOW - priceAge) },
  };
  return {
    context,
    position: { ...position, reserves: new Map(position.reserves).set(SOL_RESERVE, sol) },
  };
}

const lastUpdate = ({ reserves }: ObligationPosition) =>
  reserveOf(reserves, SOL_RESERVE).lastUpdate;

test('withdrawn cTokens leave the reserve stale, so that a deposit needs a refresh', () => {
  const { position, context } = loan(NEWEST_LENDING_RULES);
  const after = withdrawCollateral(position, context, request);
  expect(lastUpdate(after).stale).toBe(1);
  expect(() => deposit(after, context, { reserve: SOL_RESERVE, amount: 1_000n })).toThrow(
    /ReserveStale/,
  );
});

test('before release 1.24 they leave it fresh', () => {
  const { position, context } = loan(releaseRules('1.23'));
  expect(lastUpdate(withdrawCollateral(position, context, request)).stale).toBe(0);
});

test('redeemed cTokens leave it stale in every release', () => {
  for (const rules of [NEWEST_LENDING_RULES, releaseRules('1.23')]) {
    const { position, context } = loan(rules);
    expect(lastUpdate(withdraw(position, context, request)).stale).toBe(1);
  }
});

test('a price that is too old loses its checks between a withdrawal and its redemption', () => {
  const statusAfter = (rules: LendingRules, priceAge: bigint) => {
    const { position, context } = loan(rules, priceAge);
    return lastUpdate(withdraw(position, context, request)).priceStatus;
  };
  expect(statusAfter(NEWEST_LENDING_RULES, 59n)).toBe(63);
  expect(statusAfter(NEWEST_LENDING_RULES, 60n)).toBe(0);
  expect(statusAfter(releaseRules('1.23'), 60n)).toBe(63);
});

test('the amounts of a withdrawal do not depend on the refresh in between', () => {
  const run = (rules: LendingRules) => {
    const { position, context } = loan(rules);
    const { collateral, liquidity } = withdraw(position, context, request);
    return { collateral, liquidity };
  };
  expect(run(NEWEST_LENDING_RULES)).toEqual(run(releaseRules('1.23')));
  const { position, context } = loan(NEWEST_LENDING_RULES);
  const after = withdraw(position, context, request);
  expect(reserveOf(after.reserves, USDC_RESERVE)).toBe(reserveOf(position.reserves, USDC_RESERVE));
});
