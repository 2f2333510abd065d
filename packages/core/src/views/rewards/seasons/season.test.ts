import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { repeatedByteAddress } from '../../../../../../test/support/vaults/example-vault.ts';
import { formatRatio, parseDecimal, type Ratio, ratio } from '../../../base/numbers/decimal.ts';
import {
  addFixedDecimals,
  type FixedDecimal,
  fixedDecimalFromRatio,
  fixedDecimalToRatio,
  ZERO_FIXED_DECIMAL,
} from '../../../base/numbers/fixed-decimal.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import {
  accrueSeasonInterval,
  boostAt,
  type Season,
  type SeasonEarnings,
  type SeasonReward,
  ZERO_SEASON_EARNINGS,
} from './season.ts';

const at = (seconds: number) => toUnixSeconds(BigInt(seconds));
const WALLET = repeatedByteAddress(1);
const OTHER = repeatedByteAddress(2);
const whole = (value: number): Ratio => ratio(BigInt(value), 1n);

const reward = (from: number, to: number, tokensPerSecond = '2'): SeasonReward => ({
  vault: repeatedByteAddress(9),
  rewardToken: repeatedByteAddress(8),
  tokensPerSecond: parseDecimal(tokensPerSecond),
  from: at(from),
  to: at(to),
});

const season = (changes: Partial<Season> = {}): Season => ({
  source: 'Season1',
  start: at(0),
  end: at(1000),
  rewards: [],
  boosts: [],
  maxBoost: whole(1),
  ...changes,
});

const interval = (start: number, end: number, [walletUsd, eligibleUsd]: [number, number]) => ({
  start: at(start),
  end: at(end),
  walletUsd: whole(walletUsd),
  eligibleUsd: whole(eligibleUsd),
});

const texts = ({ base, boosted }: SeasonEarnings): string[] =>
  [base, boosted].map((value) => formatRatio(fixedDecimalToRatio(value), 40));

test('a wallet earns its share of the rewards in each interval', () => {
  const input = { season: season(), reward: reward(0, 1000), wallet: WALLET };
  const first = accrueSeasonInterval(ZERO_SEASON_EARNINGS, interval(0, 100, [25, 100]), input);
  const second = accrueSeasonInterval(first, interval(100, 150, [30, 40]), input);
  // 200 tokens at a quarter, 100 at three quarters
  expect(texts(first)).toEqual(['50', '50']);
  expect(texts(second)).toEqual(['125', '125']);
});

test('nothing is earned outside of the time of the reward and the season', () => {
  const earned = (times: { from: number; to: number; start: number; end: number }) =>
    texts(
      accrueSeasonInterval(ZERO_SEASON_EARNINGS, interval(100, 200, [1, 1]), {
        season: season({ start: at(times.start), end: at(times.end) }),
        reward: reward(times.from, times.to),
        wallet: WALLET,
      }),
    )[0];
  expect(earned({ from: 150, to: 180, start: 0, end: 1000 })).toBe('60');
  expect(earned({ from: 0, to: 1000, start: 190, end: 1000 })).toBe('20');
  expect(earned({ from: 0, to: 1000, start: 0, end: 105 })).toBe('10');
  expect(earned({ from: 200, to: 300, start: 0, end: 1000 })).toBe('0');
  expect(earned({ from: 0, to: 100, start: 0, end: 1000 })).toBe('0');
});

test('nothing is earned without eligible value', () => {
  const input = { season: season(), reward: reward(0, 1000), wallet: WALLET };
  expect(
    texts(accrueSeasonInterval(ZERO_SEASON_EARNINGS, interval(0, 100, [0, 0]), input)),
  ).toEqual(['0', '0']);
});

const boost = (wallet: typeof WALLET, from: number, stakingBoost: string) => ({
  wallet,
  from: at(from),
  stakingBoost: parseDecimal(stakingBoost),
});

test("the effective boost is the wallet's latest one, capped by the season", () => {
  const boosts = [boost(WALLET, 200, '3'), boost(WALLET, 100, '0.5'), boost(OTHER, 150, '0.9')];
  const boostsAt = (seconds: number) => {
    const found = boostAt(season({ boosts }), WALLET, at(seconds));
    return [found.stakingBoost, found.effectiveStakingBoost].map((v) => formatRatio(v, 9));
  };
  expect(boostsAt(99)).toEqual(['0', '0']);
  expect(boostsAt(100)).toEqual(['0.5', '0.5']);
  expect(boostsAt(199)).toEqual(['0.5', '0.5']);
  expect(boostsAt(200)).toEqual(['3', '1']);
});

test('a boost applies from its second, even within an interval', () => {
  const boosts = [boost(WALLET, 50, '0.5'), boost(WALLET, 90, '7'), boost(OTHER, 10, '1')];
  const input = { season: season({ boosts }), reward: reward(0, 1000), wallet: WALLET };
  const earned = accrueSeasonInterval(ZERO_SEASON_EARNINGS, interval(0, 100, [1, 2]), input);
  // 100 tokens; 40 s at +50 % and 10 s at the maximum, of one token a second
  expect(texts(earned)).toEqual(['100', '130']);
  const later = accrueSeasonInterval(ZERO_SEASON_EARNINGS, interval(60, 80, [1, 2]), input);
  expect(texts(later)).toEqual(['20', '30']);
  const earlier = accrueSeasonInterval(ZERO_SEASON_EARNINGS, interval(20, 40, [1, 2]), input);
  expect(texts(earlier)).toEqual(['20', '20']);
});

test('of two boosts at the same second the last one in the list applies', () => {
  const boosts = [boost(WALLET, 5, '0.5'), boost(WALLET, 5, '0.25')];
  const { stakingBoost } = boostAt(season({ boosts }), WALLET, at(5));
  expect(formatRatio(stakingBoost, 9)).toBe('0.25');
});

test('property: all wallets together earn what was paid while somebody was eligible', () => {
  const values = fc.array(fc.bigInt(0n, 1n << 70n), { minLength: 5, maxLength: 5 });
  const steps = fc.array(fc.record({ values, seconds: fc.nat(500) }), { maxLength: 20 });
  const rate = fc.bigInt(1n, 1n << 70n).map((bits) => ratio(bits, 1n << 60n));
  assertProperty(
    fc.property(steps, rate, (found, tokensPerSecond) => {
      const paid = { ...reward(100, 3000), tokensPerSecond };
      let time = 0;
      let paidSeconds = 0n;
      const earned = zeroEarnings(5);
      for (const { values: usd, seconds } of found) {
        const [start, end] = [time, time + seconds];
        time = end;
        const total = usd.reduce((sum, value) => sum + value, 0n);
        const from = Math.max(start, 100);
        const to = Math.min(end, 1000);
        if (total > 0n && to > from) paidSeconds += BigInt(to - from);
        for (const [i, value] of usd.entries()) {
          const walletUsd = ratio(value, 1n << 60n);
          const eligibleUsd = ratio(total, 1n << 60n);
          const step = { start: at(start), end: at(end), walletUsd, eligibleUsd };
          const input = { season: season(), reward: paid, wallet: WALLET };
          earned[i] = accrueSeasonInterval(earned[i] ?? ZERO_SEASON_EARNINGS, step, input);
        }
      }
      const all = earned.reduce<FixedDecimal>(
        (sum, { base }) => addFixedDecimals(sum, base),
        ZERO_FIXED_DECIMAL,
      );
      const distributed = ratio(
        tokensPerSecond.numerator * paidSeconds,
        tokensPerSecond.denominator,
      );
      // Each step of each wallet rounds off less than 10^-60.
      const dropped = fixedDecimalFromRatio(distributed) - all;
      expect(dropped).toBeGreaterThanOrEqual(0n);
      expect(dropped).toBeLessThanOrEqual(BigInt(5 * found.length));
    }),
    100,
  );
});

const zeroEarnings = (count: number): SeasonEarnings[] =>
  Array.from({ length: count }, () => ZERO_SEASON_EARNINGS);
