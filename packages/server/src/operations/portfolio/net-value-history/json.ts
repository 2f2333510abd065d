import { formatInstant, type Ratio, type UnixSeconds } from '@tidegate/core/base';
import type { Static } from 'typebox';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import type { NetValuePoint } from './schema.ts';

/** Values in USD; `staking` is null if unknown. */
export type NetValue = {
  readonly loans: Ratio;
  readonly shares: Ratio;
  readonly staking: Ratio | null;
};

export type TimedNetValue = NetValue & { readonly at: UnixSeconds };

export const netValuePointJson = ({
  at,
  loans,
  shares,
  staking,
}: TimedNetValue): Static<typeof NetValuePoint> => ({
  createdOn: formatInstant(at),
  klendUsd: formatSeriesRatio(loans),
  strategiesUsd: null,
  kvaultsUsd: formatSeriesRatio(shares),
  stakingUsd: staking === null ? null : formatSeriesRatio(staking),
});
