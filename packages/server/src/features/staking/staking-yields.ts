import {
  type Address,
  DAY_SECONDS,
  type Ratio,
  type TimeRange,
  toUnixSeconds,
} from '@tidegate/core/base';
import {
  meanRatio,
  medianRatio,
  type StakePoolSample,
  viewEpochYields,
} from '@tidegate/core/views/rewards';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { readSeries } from '../../history/queries/time-series.ts';
import { defineOperation } from '../../http/operation.ts';
import { AddressString, DecimalString } from '../../http/schemas/primitives.ts';
import { formatLiveRatio } from '../decimal-format/live-decimals.ts';
import type { Feature } from '../feature-context.ts';
import { setSampleGapsHeader } from '../history-query/history-gaps.ts';
import { requireHistory } from '../history-query/history-query.ts';

const StakingYield = Type.Object(
  { apy: DecimalString, tokenMint: AddressString },
  { title: 'StakingYield' },
);

const EPOCHS = 10;
/** Ten epochs take about twenty days; the rest is for epochs without samples. */
const LOOKBACK_SECONDS = 40n * DAY_SECONDS;

type Variant = {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Yields per epoch, oldest first and at least one, to the listed yield. */
  readonly aggregate: (yields: readonly Ratio[]) => Ratio | undefined;
};

const defineList =
  ({ path, operationId, summary, aggregate }: Variant): Feature =>
  ({ clusters }) =>
  async (app) => {
    app.get(
      path,
      defineOperation(
        {
          operationId,
          tag: 'lending',
          summary,
          description:
            'Growth of the SOL value of the pool token per epoch, as a compounded yearly rate. A pool with samples of fewer than two epochs is omitted.',
          weight: 2,
          statuses: [500],
        },
        { response: Type.Array(StakingYield) },
      ),
      async (_request, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        await setSampleGapsHeader(reply, requireHistory(cluster), sampleRange(cluster));
        const list: Static<typeof StakingYield>[] = [];
        for (const tokenMint of [...cluster.registry.stakePools.keys()].sort()) {
          const yields = await readYields(cluster, tokenMint);
          const apy = yields.length === 0 ? undefined : aggregate(yields);
          if (apy !== undefined) list.push({ apy: formatLiveRatio(apy), tokenMint });
        }
        return list;
      },
    );
  };

export const listStakingYields = defineList({
  path: '/v2/staking-yields',
  operationId: 'listStakingYields',
  summary: 'Staking yields of the newest epoch',
  aggregate: (yields) => yields.at(-1),
});

export const listMedianStakingYields = defineList({
  path: '/v2/staking-yields/median',
  operationId: 'listMedianStakingYields',
  summary: 'Median staking yields of ten epochs',
  aggregate: (yields) => medianRatio(yields.slice(-EPOCHS)),
});

export const listMeanStakingYields = defineList({
  path: '/v2/staking-yields/mean',
  operationId: 'listMeanStakingYields',
  summary: 'Mean staking yields of ten epochs',
  aggregate: (yields) => meanRatio(yields.slice(-EPOCHS)),
});

function sampleRange({ reader }: Cluster): TimeRange {
  const { unix } = reader.at();
  return { start: toUnixSeconds(unix - LOOKBACK_SECONDS), end: toUnixSeconds(unix + 1n) };
}

async function readYields(cluster: Cluster, mint: Address): Promise<readonly Ratio[]> {
  const samples: StakePoolSample[] = [];
  const series = { kind: 'stakeRate', resolution: 'day', subject: mint } as const;
  const { start, end } = sampleRange(cluster);
  const range = { from: start, to: end };
  for await (const rows of readSeries(requireHistory(cluster), series, range))
    samples.push(...rows);
  return viewEpochYields(samples, cluster.reader.slotMs());
}
