import { expect, test } from 'vitest';
import { farmWith, rewardWith, schedule } from '../../../../../test/support/farms/farm-accounts.ts';
import { toAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { formatRatio, type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { toSlot, toUnixSeconds } from '../../base/time.ts';
import { viewReserveIncentives } from './reserve-incentives.ts';

const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

const context = (price: Ratio | undefined) => ({
  at: { slot: toSlot(1000n), unix: toUnixSeconds(1000n) },
  slotMs: ratio(400n, 1n),
  prices: () => undefined,
  tokens: () => ({ symbol: 'USDC', price, quote: undefined }),
});

/** Pays lamports of a token with 6 decimals per second. */
const farmPaying = (lamportsPerSecond: bigint) =>
  farmWith({}, [
    rewardWith({
      token: { mint: USDC, decimals: 6n, tokenProgram: ZERO_ADDRESS, padding: new Uint8Array(48) },
      rewardsPerSecondDecimals: 0,
      rewardScheduleCurve: schedule([0n, lamportsPerSecond]),
    }),
  ]);

const oneDollar = ratio(1n, 1n);

/** The rewards and totals of the USDC reserve in an answer of the hosted API of 2 October 2026. */
test.each([
  {
    what: 'deposits',
    lamportsPerSecond: 2_894n,
    positions: '73173587.895743208137',
    recorded: '0.0012480181587784',
  },
  {
    what: 'debts',
    lamportsPerSecond: 6_752n,
    positions: '63841177.51181412276626',
    recorded: '0.0033408780425935',
  },
])('the rate of $what equals the recorded one', ({ lamportsPerSecond, positions, recorded }) => {
  const [whole = '', decimals = ''] = positions.split('.');
  const positionsUsd = ratio(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
  const farm = farmPaying(lamportsPerSecond);
  const [incentive, ...others] = viewReserveIncentives(farm, positionsUsd, context(oneDollar));
  expect(others).toEqual([]);
  expect(incentive?.rewardToken).toBe(USDC);
  // the recorded rates were computed with doubles
  expect(formatRatio(incentive?.apy ?? oneDollar, 30).slice(0, recorded.length)).toBe(recorded);
});

test('a token without a price and a reserve without positions have a rate of 0', () => {
  const farm = farmPaying(1_000n);
  for (const [positionsUsd, price] of [
    [ratio(1_000n, 1n), undefined],
    [ratio(0n, 1n), oneDollar],
  ] as const) {
    const [incentive] = viewReserveIncentives(farm, positionsUsd, context(price));
    expect(formatRatio(incentive?.apy ?? oneDollar, 20)).toBe('0');
    expect(formatRatio(incentive?.tokensPerSecond ?? oneDollar, 20)).toBe('0.001');
  }
});

test('a reward that is not paid now is absent', () => {
  expect(viewReserveIncentives(farmPaying(0n), oneDollar, context(oneDollar))).toEqual([]);
});

test('a rate above 10,000 % is not compounded', () => {
  const [incentive] = viewReserveIncentives(farmPaying(10n), ratio(1n, 1n), context(oneDollar));
  // 0.00001 tokens for 31,536,000 s on 1 USD: 315.36
  expect(formatRatio(incentive?.apy ?? oneDollar, 20)).toBe('315.36');
});
