import type { VaultMetricsRow } from '@tidegate/client';
import { multiplyDecimals } from '@tidegate/client';
import { sum } from '../format/decimal.ts';

type VaultFigures = Omit<VaultMetricsRow, 'kvault'>;

/** All tokens of a vault in USD, with fees that are pending. */
export const totalValue = ({ tokensAvailableUsd, tokensInvestedUsd }: VaultFigures): string =>
  sum([tokensAvailableUsd, tokensInvestedUsd]);

/** What the shares of a vault are worth in USD: pending fees are not theirs. The history has this value. */
export const valueAfterFees = ({ sharesIssued, sharePrice }: VaultFigures): string =>
  multiplyDecimals(sharesIssued, sharePrice);

/** Yearly rate of all reward tokens, in addition to the APY. */
export const rewardRate = (metrics: VaultFigures): string =>
  sum([metrics.apyFarmRewards, metrics.apyIncentives, metrics.apyReservesIncentives]);

/** The APY and the rates of all rewards. */
export const rateWithRewards = (metrics: VaultFigures): string =>
  sum([metrics.apy, rewardRate(metrics)]);
