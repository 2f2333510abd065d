import { Percent } from '../../components/number.tsx';
import type { Column } from '../../components/table.tsx';
import type { PositionRates } from '../../loans/reserve-rates.ts';
import { reserveOfToken } from './loan-actions.ts';
import type { LoanResources } from './loan-resources.ts';

type Position = { readonly tokenMint: string };
type Side = 'deposit' | 'debt';
type RateSource = Pick<LoanResources, 'reserves' | 'rates'>;

/** A yearly rate of a position. */
type Rate = {
  readonly key: string;
  readonly title: string;
  readonly hint: string;
  readonly of: (rates: PositionRates) => string | undefined;
};

const interest: Readonly<Record<Side, Rate>> = {
  deposit: {
    key: 'apy',
    title: 'Supply APY',
    hint: 'Interest at the rate of now, without rewards',
    of: (rates) => rates.interest,
  },
  debt: {
    key: 'apy',
    title: 'Borrow APY',
    hint: 'Interest at the rate of now, before rewards',
    of: (rates) => rates.interest,
  },
};

const staking: Rate = {
  key: 'staking',
  title: 'Staking yield',
  hint: 'What the token earns by itself, in the newest epoch',
  of: (rates) => rates.staking,
};

const rewards: Rate = {
  key: 'rewards',
  title: 'Rewards',
  hint: 'Yearly rate of reward tokens, without those for pairs of tokens',
  of: (rates) => rates.rewards,
};

/** What a position earns or costs in a year; the staking yield only if a token has one. */
export function rateColumns<Row extends Position>(
  side: Side,
  rows: readonly Row[],
  { reserves, rates }: RateSource,
): Column<Row>[] {
  const ratesOf = ({ tokenMint }: Row): PositionRates | undefined =>
    rates.of(reserveOfToken(tokenMint, reserves)?.reserve)?.[side];
  const column = ({ of, ...texts }: Rate): Column<Row> => {
    const read = (row: Row): string | undefined => {
      const known = ratesOf(row);
      return known && of(known);
    };
    return {
      ...texts,
      isNumber: true,
      sortBy: read,
      cell: (row) =>
        rates.isLoading ? (
          <span class="weak">…</span>
        ) : (
          <Percent value={read(row)} reason="the rate cannot be read" />
        ),
    };
  };
  const isStaked = rows.some((row) => (ratesOf(row)?.staking ?? '0') !== '0');
  return [column(interest[side]), ...(isStaked ? [column(staking)] : []), column(rewards)];
}
