import type { ReserveStats } from '@tidegate/client';
import { expect, test } from 'vitest';
import { loanEarnings } from './loan-earnings.ts';
import { type ReserveRates, reserveRates } from './reserve-rates.ts';

type Rates = {
  readonly supply?: readonly [lending: string, incentives: string, seasons: string | null];
  readonly borrow?: readonly [borrow: string, incentives: string, seasons: string | null];
  readonly staking?: string | null;
  readonly pairs?: ReserveRates['pairs'];
};

function ratesOf({ supply, borrow, staking = '0', pairs = [] }: Rates): ReserveRates {
  const [lending, incentives, seasonRewards] = supply ?? ['0', '0', '0'];
  const [cost, paid, seasons] = borrow ?? ['0', '0', '0'];
  const stats = {
    supplyApyBreakdown: { lending, incentives, seasonRewards, underlying: staking },
    borrowApyBreakdown: { borrow: cost, incentives: paid, seasonRewards: seasons },
    pairIncentives: pairs,
  };
  return reserveRates(stats as unknown as ReserveStats, '0.001');
}

const position = (reserve: string, value: string | undefined) => ({
  symbol: reserve,
  value,
  reserve,
});

type Values = readonly [deposit: string, debt: string | undefined];

const earnings = (reserves: Readonly<Record<string, Rates>>, values: Values) =>
  loanEarnings(
    { deposits: [position('JitoSOL', values[0])], borrows: [position('SOL', values[1])] },
    (reserve = '') => {
      const rates = reserves[reserve];
      return rates && ratesOf(rates);
    },
  );

const pair = { depositReserve: 'JitoSOL', borrowReserve: 'SOL', apy: '0.05' };

test('a net APY is made of interest, staking yield and rewards, each times its value', () => {
  const reserves = {
    JitoSOL: { supply: ['0.01', '0.02', '0.003'], staking: '0.07', pairs: [pair] },
    SOL: { borrow: ['0.06', '0.004', '0'] },
  } as const;
  expect(earnings(reserves, ['10000', '6000'])).toEqual({
    interestEarned: '100',
    interestPaid: '360',
    staking: '700',
    // 10000 * (0.02 + 0.003 + 0.001 + 0.05) + 6000 * 0.004
    rewards: '764',
    withoutRewards: '440',
    withRewards: '1204',
    netValue: '4000',
    apy: '0.11',
    apyWithRewards: '0.301',
    missing: [],
  });
});

test('a borrowed token that earns by itself costs that yield too', () => {
  const reserves = { JitoSOL: {}, SOL: { staking: '0.07' } };
  expect(earnings(reserves, ['1000', '500'])).toMatchObject({ staking: '-35', apy: '-0.07' });
});

test('what is not known is left out and named', () => {
  const reserves = {
    JitoSOL: { supply: ['0.01', '0', null], staking: null },
    SOL: { borrow: ['0.06', '0', null] },
  } as const;
  const { missing, apy } = earnings(reserves, ['1000', '0']) ?? {};
  expect(missing).toEqual([
    'season rewards of JitoSOL',
    'the staking yield of JitoSOL',
    'season rewards of SOL',
  ]);
  expect(apy).toBe('0.01');
});

test('rewards for a pair need both of its positions', () => {
  const other = { ...pair, borrowReserve: 'USDC' };
  const reserves = { JitoSOL: { pairs: [other] }, SOL: {} };
  expect(earnings(reserves, ['1000', '500'])?.rewards).toBe('1');
});

test('without a value or a rate there is nothing, and without net value no APY', () => {
  const reserves = { JitoSOL: {}, SOL: {} };
  expect(earnings(reserves, ['1000', undefined])).toBeUndefined();
  expect(earnings({ JitoSOL: {} }, ['1000', '1'])).toBeUndefined();
  expect(earnings(reserves, ['1000', '1000'])).toMatchObject({ apy: undefined, netValue: '0' });
});
