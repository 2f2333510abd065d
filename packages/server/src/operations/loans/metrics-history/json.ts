import { formatInstant } from '@tidegate/core/base';
import type { TimedObligationPoint } from '@tidegate/core/views/series';
import type { Static } from 'typebox';
import { formatLiveRatio, formatLiveSf } from '../../../support/decimals/live-decimals.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import { obligationStatsJson } from '../obligation-stats-json.ts';
import type { ObligationSnapshot } from './schema.ts';

export function obligationSnapshotJson({
  time,
  point,
}: TimedObligationPoint): Static<typeof ObligationSnapshot> {
  const { solValues } = point;
  return {
    timestamp: formatInstant(time),
    refreshedStats: obligationStatsJson(point.refreshedStats),
    deposits: point.deposits.map(positionJson),
    borrows: point.borrows.map(positionJson),
    tag: point.tag,
    obligationSolValues: {
      netValueSol: formatSeriesRatio(solValues.net),
      collateralValueSol: formatSeriesRatio(solValues.collateral),
      debtValueSol: formatSeriesRatio(solValues.debt),
      solPrice: formatLiveRatio(solValues.solPrice),
      timestampSolPrice: formatInstant(solValues.solPriceAt),
      timestampObligation: formatInstant(point.at),
    },
  };
}

type Position = TimedObligationPoint['point']['deposits'][number];

const positionJson = ({ mint, amount, value }: Position) => ({
  amount: formatLiveSf(amount),
  mintAddress: mint,
  marketValueRefreshed: formatLiveSf(value),
});
