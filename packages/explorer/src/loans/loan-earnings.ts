import { compareDecimals, multiplyDecimals, subtractDecimals } from '@tidegate/client';
import { divide, sum } from '../format/decimal.ts';
import type { PairReward, PositionRates, ReserveRates } from './reserve-rates.ts';

/** A deposit or a debt of a loan. */
type EarningPosition = {
  readonly symbol: string;
  /** In USD; undefined if the price is not known. */
  readonly value: string | undefined;
  /** Undefined if the reserve is not known. */
  readonly reserve: string | undefined;
};

export type EarningLoan = {
  readonly deposits: readonly EarningPosition[];
  readonly borrows: readonly EarningPosition[];
};

/** What a loan earns and costs in a year at the rates of now, in USD. All sums are exact. */
export type LoanEarnings = {
  readonly interestEarned: string;
  readonly interestPaid: string;
  /** What the deposited tokens earn by themselves, less what the borrowed ones do. */
  readonly staking: string;
  readonly rewards: string;
  /** Interest and staking, and the same with rewards. */
  readonly withoutRewards: string;
  readonly withRewards: string;
  readonly netValue: string;
  /** The sums over the net value, as fractions; undefined unless the net value is positive. */
  readonly apy: string | undefined;
  readonly apyWithRewards: string | undefined;
  /** What is not in the figures, such as `season rewards of SOL`. */
  readonly missing: readonly string[];
};

type RatesOf = (reserve: string | undefined) => ReserveRates | undefined;

/** Undefined if the value or the interest of a position is not known. */
export function loanEarnings(
  { deposits, borrows }: EarningLoan,
  ratesOf: RatesOf,
): LoanEarnings | undefined {
  const earning = deposits.map((each) => rated(each, ratesOf(each.reserve)?.deposit));
  const owing = borrows.map((each) => rated(each, ratesOf(each.reserve)?.debt));
  if (!areKnown(earning) || !areKnown(owing)) return undefined;
  const interestEarned = yearly(earning, ({ interest }) => interest);
  const interestPaid = yearly(owing, ({ interest }) => interest);
  const staked = (list: readonly Rated[]) => yearly(list, ({ staking = '0' }) => staking);
  const staking = subtractDecimals(staked(earning), staked(owing));
  const rewards = sum([
    yearly(earning, (rates) => rates.rewards),
    yearly(owing, (rates) => rates.rewards),
    pairRewards({ deposits, borrows }, ratesOf),
  ]);
  const netValue = subtractDecimals(totalOf(earning), totalOf(owing));
  const withoutRewards = sum([subtractDecimals(interestEarned, interestPaid), staking]);
  const withRewards = sum([withoutRewards, rewards]);
  const isPositive = compareDecimals(netValue, '0') > 0;
  return {
    interestEarned,
    interestPaid,
    staking,
    rewards,
    withoutRewards,
    withRewards,
    netValue,
    apy: isPositive ? divide(withoutRewards, netValue) : undefined,
    apyWithRewards: isPositive ? divide(withRewards, netValue) : undefined,
    missing: missingOf([...earning, ...owing]),
  };
}

type Rated = {
  readonly symbol: string;
  readonly value: string;
  readonly rates: PositionRates;
};

const rated = (
  { symbol, value }: EarningPosition,
  rates: PositionRates | undefined,
): Rated | undefined =>
  value === undefined || rates === undefined ? undefined : { symbol, value, rates };

const areKnown = (list: readonly (Rated | undefined)[]): list is readonly Rated[] =>
  list.every((each) => each !== undefined);

const yearly = (list: readonly Rated[], rateOf: (rates: PositionRates) => string): string =>
  sum(list.map(({ value, rates }) => multiplyDecimals(value, rateOf(rates))));

const totalOf = (list: readonly Rated[]): string => sum(list.map(({ value }) => value));

/** Rewards for a deposit of one reserve with a debt of another, which are paid on the deposit. */
function pairRewards({ deposits, borrows }: EarningLoan, ratesOf: RatesOf): string {
  const owed = new Set(borrows.map(({ reserve }) => reserve));
  return sum(
    deposits.flatMap(({ reserve, value = '0' }) =>
      (ratesOf(reserve)?.pairs ?? [])
        .filter((pair) => isFor(pair, reserve, owed))
        .map(({ apy }) => multiplyDecimals(value, apy)),
    ),
  );
}

const isFor = (
  { depositReserve, borrowReserve }: PairReward,
  reserve: string | undefined,
  owed: ReadonlySet<string | undefined>,
): boolean => depositReserve === reserve && owed.has(borrowReserve);

const missingOf = (list: readonly Rated[]): string[] => [
  ...new Set(
    list.flatMap(({ symbol, rates: { staking, missing } }) =>
      [...missing, ...(staking === undefined ? ['the staking yield'] : [])].map(
        (what) => `${what} of ${symbol}`,
      ),
    ),
  ),
];
