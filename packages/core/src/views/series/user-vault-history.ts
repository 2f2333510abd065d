import { type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { divRatioOrZero, mulRatio, ratioOfUnits, sumRatios } from '../../base/numbers/ratio.ts';
import type { VaultMetrics } from '../vaults/vault-metrics.ts';
import {
  type AccruedAmounts,
  type AccruedValue,
  accruedAmounts,
  accrueTokens,
  type IntervalPrices,
} from './accrued-value.ts';

/** A wallet's shares in a vault between two times without a change. */
export type ShareInterval = IntervalPrices & {
  /** Constant over the interval, in smallest units. */
  readonly shares: bigint;
  readonly sharesDecimals: bigint;
  /** Whole tokens per whole share, at the start and at the end. */
  readonly from: Ratio;
  readonly to: Ratio;
};

/** Interest is the growth of the shares in tokens; negative for a loss. */
export function accrueShares(before: AccruedValue, interval: ShareInterval): AccruedValue {
  const { shares, sharesDecimals, from, to } = interval;
  const gained = ratio(
    to.numerator * from.denominator - from.numerator * to.denominator,
    to.denominator * from.denominator,
  );
  const tokens = mulRatio(ratioOfUnits(shares, sharesDecimals), gained);
  return accrueTokens(before, tokens, interval);
}

/** A wallet's whole shares in a vault at a time, with their value and earnings. */
export type UserVaultPoint = {
  readonly shares: Ratio;
  readonly usdAmount: Ratio;
  readonly solAmount: Ratio;
  readonly apy: Ratio;
  readonly interestEarned: AccruedAmounts;
  /** At the rate of that time. */
  readonly interestPerSecond: AccruedAmounts;
};

/** The vault at that time. */
export type UserVaultPointInput = Pick<
  VaultMetrics,
  'sharePrice' | 'solPrice' | 'sharesIssued' | 'apyTheoretical' | 'interestPerSecond'
>;

/** `accrued` is zero at the first point of a position. */
export function viewUserVaultPoint(
  shares: Ratio,
  vault: UserVaultPointInput,
  accrued: AccruedValue,
): UserVaultPoint {
  const usdAmount = mulRatio(shares, vault.sharePrice);
  const part = divRatioOrZero(shares, vault.sharesIssued);
  const { tokens, usd, sol } = vault.interestPerSecond;
  return {
    shares,
    usdAmount,
    solAmount: divRatioOrZero(usdAmount, vault.solPrice),
    apy: vault.apyTheoretical,
    interestEarned: accruedAmounts(accrued),
    interestPerSecond: {
      tokens: mulRatio(tokens, part),
      usd: mulRatio(usd, part),
      sol: mulRatio(sol, part),
    },
  };
}

/** Values of several vaults; tokens of different vaults cannot be added. */
type Value = Pick<AccruedAmounts, 'usd' | 'sol'>;

export type UserEarnPoint = {
  readonly usdAmount: Ratio;
  readonly solAmount: Ratio;
  /** Weighted by the USD value in each vault. */
  readonly weightedApy: Ratio;
  readonly interestEarned: Value;
  readonly interestPerSecond: Value;
};

/** All vaults of a wallet at one time. */
export function viewUserEarnPoint(points: readonly UserVaultPoint[]): UserEarnPoint {
  const sum = (pick: (point: UserVaultPoint) => Ratio): Ratio => sumRatios(points.map(pick));
  const usdAmount = sum((point) => point.usdAmount);
  const earned = sum(({ usdAmount: usd, apy }) => mulRatio(usd, apy));
  return {
    usdAmount,
    solAmount: sum(({ solAmount }) => solAmount),
    weightedApy: divRatioOrZero(earned, usdAmount),
    interestEarned: {
      usd: sum(({ interestEarned }) => interestEarned.usd),
      sol: sum(({ interestEarned }) => interestEarned.sol),
    },
    interestPerSecond: {
      usd: sum(({ interestPerSecond }) => interestPerSecond.usd),
      sol: sum(({ interestPerSecond }) => interestPerSecond.sol),
    },
  };
}
