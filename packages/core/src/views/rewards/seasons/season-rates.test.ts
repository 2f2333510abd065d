import { expect, test } from 'vitest';
import { repeatedByteAddress } from '../../../../../../test/support/vaults/example-vault.ts';
import { formatRatio, parseDecimal, type Ratio } from '../../../base/numbers/decimal.ts';
import { fixedDecimalFromRatio } from '../../../base/numbers/fixed-decimal.ts';
import { ZERO_RATIO } from '../../../base/numbers/ratio.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import {
  averageRates,
  combineWalletRewards,
  eligibleUsdOfLoan,
  viewSeasonRate,
  viewWalletReward,
} from './season-rates.ts';

const at = (seconds: number) => toUnixSeconds(BigInt(seconds));
const text = (value: Ratio): string => formatRatio(value, 30);

const WALLET = repeatedByteAddress(1);
const reward = {
  depositReserve: repeatedByteAddress(3),
  rewardToken: repeatedByteAddress(8),
  tokensPerSecond: parseDecimal('0.5'),
  from: at(100),
  to: at(200),
};
const season = {
  source: 'Season1',
  start: at(0),
  end: at(1000),
  rewards: [reward],
  boosts: [{ wallet: WALLET, stakingBoost: parseDecimal('0.3'), from: at(0) }],
  maxBoost: parseDecimal('1'),
};
const input = {
  season,
  at: at(150),
  rewardPrice: parseDecimal('0.05'),
  eligibleUsd: parseDecimal('15768000'),
};

test('the rate is a year of rewards over the eligible value, not compounded', () => {
  const { tokensPerSecond, apy, eligibleUsd } = viewSeasonRate([reward], input);
  expect(text(tokensPerSecond)).toBe('0.5');
  expect(text(eligibleUsd)).toBe('15768000');
  // 0.5 * 31,536,000 * 0.05 / 15,768,000
  expect(text(apy)).toBe('0.05');
});

test('a reward has no rate outside of its time range', () => {
  const rateAt = (seconds: number) =>
    text(viewSeasonRate([reward], { ...input, at: at(seconds) }).apy);
  expect([99, 100, 199, 200].map(rateAt)).toEqual(['0', '0.05', '0.05', '0']);
  const over = { ...input, season: { start: at(0), end: at(120) } };
  expect(text(viewSeasonRate([reward], over).tokensPerSecond)).toBe('0');
});

test('simultaneous rewards add up', () => {
  const later = { ...reward, tokensPerSecond: parseDecimal('1'), from: at(160) };
  const rateAt = (seconds: number) => {
    const rate = viewSeasonRate([reward, later], { ...input, at: at(seconds) });
    return [text(rate.tokensPerSecond), text(rate.apy)];
  };
  expect(rateAt(150)).toEqual(['0.5', '0.05']);
  expect(rateAt(160)).toEqual(['1.5', '0.15']);
});

test('without eligible value or a price the rate is zero', () => {
  expect(text(viewSeasonRate([reward], { ...input, eligibleUsd: ZERO_RATIO }).apy)).toBe('0');
  expect(text(viewSeasonRate([reward], { ...input, rewardPrice: ZERO_RATIO }).apy)).toBe('0');
});

const earned = (base: string, boosted: string) => ({
  base: fixedDecimalFromRatio(parseDecimal(base)),
  boosted: fixedDecimalFromRatio(parseDecimal(boosted)),
});

test('a wallet reward has base, boosted and maximum rates', () => {
  const walletInput = {
    wallet: WALLET,
    walletUsd: parseDecimal('1576.8'),
    earned: earned('200', '260'),
  };
  const found = viewWalletReward([reward], input, walletInput);
  expect(text(found.tokensEarned)).toBe('200');
  // a ten-thousandth of the eligible value
  expect(text(found.tokensPerSecond)).toBe('0.00005');
  expect(text(found.stakingBoost)).toBe('0.3');
  expect(text(found.effectiveStakingBoost)).toBe('0.3');
  expect(text(found.baseApy)).toBe('0.05');
  expect(text(found.boostedApy)).toBe('0.065');
  expect(text(found.maxApy)).toBe('0.1');
  expect(text(found.usdAmount)).toBe('10');
  expect(text(found.usdAmountBoosted)).toBe('13');
});

test('averages are weighted by the value of the positions', () => {
  const one = viewWalletReward([reward], input, {
    wallet: WALLET,
    walletUsd: parseDecimal('100'),
    earned: earned('0', '0'),
  });
  const other = viewWalletReward([{ ...reward, tokensPerSecond: parseDecimal('1') }], input, {
    wallet: WALLET,
    walletUsd: parseDecimal('300'),
    earned: earned('0', '0'),
  });
  const means = averageRates([one, other]);
  // a quarter at 5 % and three quarters at 10 %
  expect(text(means.avgBaseApy)).toBe('0.0875');
  expect(text(means.avgBoostedApy)).toBe('0.11375');
  expect(text(means.avgMaxApy)).toBe('0.175');
  expect(text(averageRates([]).avgBaseApy)).toBe('0');
});

test('several rewards of one token are summed, with averaged rates', () => {
  const rewardOf = (usd: string, rate: string, tokens: ReturnType<typeof earned>) =>
    viewWalletReward([{ ...reward, tokensPerSecond: parseDecimal(rate) }], input, {
      wallet: WALLET,
      walletUsd: parseDecimal(usd),
      earned: tokens,
    });
  const both = combineWalletRewards([
    rewardOf('1576.8', '0.5', earned('200', '260')),
    rewardOf('4730.4', '1', earned('40', '40')),
  ]);
  expect(text(both.tokensEarned)).toBe('240');
  // 0.5 and 1 a second, times a ten-thousandth and three of them
  expect(text(both.tokensPerSecond)).toBe('0.00035');
  expect(text(both.walletUsd)).toBe('6307.2');
  expect(text(both.baseApy)).toBe('0.0875');
  expect(text(both.maxApy)).toBe('0.175');
  expect(text(both.usdAmount)).toBe('12');
  expect(text(both.usdAmountBoosted)).toBe('15');
  expect(text(both.stakingBoost)).toBe('0.3');
});

test('a target counts its deposits or debts; with both, the deposits of loans with the debt', () => {
  const [deposit, other, debt] = [
    repeatedByteAddress(3),
    repeatedByteAddress(4),
    repeatedByteAddress(5),
  ];
  const position = (address: typeof deposit, usd: bigint) => ({
    reserve: { address },
    value: sfFromInt(usd),
  });
  const loan = {
    deposits: [position(deposit, 70n), position(other, 5n)],
    borrows: [position(debt, 40n)],
  };
  const usdOf = (target: { depositReserve?: typeof deposit; borrowReserve?: typeof deposit }) =>
    eligibleUsdOfLoan(loan, target) >> 60n;
  expect(usdOf({ depositReserve: deposit })).toBe(70n);
  expect(usdOf({ borrowReserve: debt })).toBe(40n);
  expect(usdOf({ depositReserve: deposit, borrowReserve: debt })).toBe(70n);
  expect(usdOf({ depositReserve: deposit, borrowReserve: other })).toBe(0n);
  expect(usdOf({ depositReserve: debt, borrowReserve: debt })).toBe(0n);
  expect(usdOf({})).toBe(0n);
});
