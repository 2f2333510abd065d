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

/** What a wallet held of a vault from one time to the next; events of its own are where intervals meet. */
export type ShareInterval = IntervalPrices & {
  /** Held all the while, in smallest units. */
  readonly shares: bigint;
  readonly sharesDecimals: bigint;
  /** Whole tokens for a whole share, at the start and at the end. */
  readonly from: Ratio;
  readonly to: Ratio;
};

/** Interest is what the shares came to be worth in tokens; a loss is taken off. */
export function accrueShares(before: AccruedValue, interval: ShareInterval): AccruedValue {
  const { shares, sharesDecimals, from, to } = interval;
  const gained = ratio(
    to.numerator * from.denominator - from.numerator * to.denominator,
    to.denominator * from.denominator,
  );
  const tokens = mulRatio(ratioOfUnits(shares, sharesDecimals), gained);
  return accrueTokens(before, tokens, interval);
}

/** A wallet's shares of one vault at a time, whole ones, and what they were worth and earned. */
export type UserVaultPoint = {
  readonly shares: Ratio;
  readonly usdAmount: Ratio;
  readonly solAmount: Ratio;
  readonly apy: Ratio;
  readonly interestEarned: AccruedAmounts;
  /** At the rate of that moment. */
  readonly interestPerSecond: AccruedAmounts;
};

/** Of the vault at that time. */
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

/** Tokens of several vaults cannot be added; their worth can. */
type Worth = Pick<AccruedAmounts, 'usd' | 'sol'>;

export type UserEarnPoint = {
  readonly usdAmount: Ratio;
  readonly solAmount: Ratio;
  /** The mean over the vaults, by what is in each in USD. */
  readonly weightedApy: Ratio;
  readonly interestEarned: Worth;
  readonly interestPerSecond: Worth;
};

/** All vaults of a wallet at one time. */
export function viewUserEarnPoint(points: readonly UserVaultPoint[]): UserEarnPoint {
  const sum = (of: (point: UserVaultPoint) => Ratio): Ratio => sumRatios(points.map(of));
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
