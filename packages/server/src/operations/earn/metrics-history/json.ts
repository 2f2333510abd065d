import { formatInstant, type UnixSeconds } from '@tidegate/core/base';
import type { UserVaultPoint as Point, UserEarnPoint } from '@tidegate/core/views/series';
import type { Static } from 'typebox';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import type { UserEarnTotalsPoint, UserVaultPoint } from './schema.ts';

export function userVaultPointJson(at: UnixSeconds, point: Point): Static<typeof UserVaultPoint> {
  const { interestEarned, interestPerSecond } = point;
  return {
    createdOn: formatInstant(at),
    sharesAmount: formatSeriesRatio(point.shares),
    usdAmount: formatSeriesRatio(point.usdAmount),
    solAmount: formatSeriesRatio(point.solAmount),
    apy: formatSeriesRatio(point.apy),
    cumulativeInterestEarned: formatSeriesRatio(interestEarned.tokens),
    cumulativeInterestEarnedUsd: formatSeriesRatio(interestEarned.usd),
    cumulativeInterestEarnedSol: formatSeriesRatio(interestEarned.sol),
    interestEarnedPerSecond: formatSeriesRatio(interestPerSecond.tokens),
    interestEarnedPerSecondUsd: formatSeriesRatio(interestPerSecond.usd),
    interestEarnedPerSecondSol: formatSeriesRatio(interestPerSecond.sol),
  };
}

export function userEarnPointJson(
  at: UnixSeconds,
  point: UserEarnPoint,
): Static<typeof UserEarnTotalsPoint> {
  const { interestEarned, interestPerSecond } = point;
  return {
    createdOn: formatInstant(at),
    usdAmount: formatSeriesRatio(point.usdAmount),
    solAmount: formatSeriesRatio(point.solAmount),
    weightedApy: formatSeriesRatio(point.weightedApy),
    cumulativeInterestEarnedUsd: formatSeriesRatio(interestEarned.usd),
    cumulativeInterestEarnedSol: formatSeriesRatio(interestEarned.sol),
    interestEarnedPerSecondUsd: formatSeriesRatio(interestPerSecond.usd),
    interestEarnedPerSecondSol: formatSeriesRatio(interestPerSecond.sol),
  };
}
