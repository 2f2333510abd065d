import type { NetValuePoint, Portfolio, UserEarnTotalsPoint } from '@tidegate/client';
import { compareDecimals } from '@tidegate/client';
import type { ChartData } from '../../charts/chart-data.ts';
import { sum } from '../../format/decimal.ts';
import { healthOf, loansOf } from '../../loans/wallet-loans.ts';
import { positionsOf } from '../../positions/own-positions.ts';

/** In USD; undefined if the value of a part is not known. */
type WalletTotals = {
  readonly total: string | undefined;
  /** Deposits less debts. */
  readonly loans: string | undefined;
  readonly vaults: string | undefined;
  /** Staked tokens, and deposits that secure no loan. */
  readonly others: string | undefined;
  /** Of the loan that is closest to liquidation; undefined if no loan has debt. */
  readonly lowestHealth: string | undefined;
};

export function walletTotals(portfolio: Portfolio): WalletTotals {
  const { staking, ctokens = [] } = portfolio;
  const loans = sumKnown(loansOf(portfolio).map(({ netValue }) => netValue));
  const vaults = sumKnown(positionsOf(portfolio).map(({ netValue }) => netValue));
  const others = sumKnown([...staking, ...ctokens].map(({ value }) => value));
  return {
    total: sumKnown([loans ?? null, vaults ?? null, others ?? null]),
    loans,
    vaults,
    others,
    lowestHealth: loansOf(portfolio)
      .flatMap((loan) => healthOf(loan) ?? [])
      .sort(compareDecimals)[0],
  };
}

/** Undefined if one value is not known. */
function sumKnown(values: readonly (string | null)[]): string | undefined {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? undefined : sum(known);
}

export const isEmptyWallet = (portfolio: Portfolio): boolean =>
  [
    loansOf(portfolio),
    positionsOf(portfolio),
    portfolio.staking,
    portfolio.ctokens ?? [],
    portfolio.liquidity,
  ].every((list) => list.length === 0);

/** Value of a wallet over time. What it has staked is not recorded. */
export const netValueChart = (points: readonly NetValuePoint[]): ChartData => ({
  positions: points.map(({ createdOn }) => Date.parse(createdOn)),
  unit: 'usd',
  series: [
    { label: 'Vaults', color: 1, values: points.map(({ kvaultsUsd }) => kvaultsUsd) },
    { label: 'Loans, net', color: 3, values: points.map(({ klendUsd }) => klendUsd) },
  ],
});

/** Areas can be on top of each other only if none is below zero. */
export const isStackable = ({ series }: ChartData): boolean =>
  series.every(({ values }) => values.every((value) => Number(value) >= 0));

/** Interest of all vaults since the first deposit, over time. */
export const interestChart = (points: readonly UserEarnTotalsPoint[]): ChartData => ({
  positions: points.map(({ createdOn }) => Date.parse(createdOn)),
  unit: 'usd',
  series: [
    {
      label: 'Interest so far',
      color: 1,
      isArea: true,
      values: points.map(({ cumulativeInterestEarnedUsd }) => cumulativeInterestEarnedUsd),
    },
  ],
});
