import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
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
import type { FeatureContext } from '../feature-context.ts';
import { requireHistory, setSampleGapsHeader } from '../history-query/history-query.ts';

const StakingYield = Type.Object(
  { apy: DecimalString, tokenMint: AddressString },
  { title: 'StakingYield' },
);

/** Epochs take some two days. */
const READ_SECONDS = 40n * DAY_SECONDS;
const EPOCHS = 10;

type Listed = {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly of: (yields: readonly Ratio[]) => Ratio | undefined;
};

const lists: readonly Listed[] = [
  {
    path: '/v2/staking-yields',
    operationId: 'listStakingYields',
    summary: 'What stake pools yielded in the newest epoch',
    of: (yields) => yields.at(-1),
  },
  {
    path: '/v2/staking-yields/median',
    operationId: 'listMedianStakingYields',
    summary: 'What stake pools yield: the median of ten epochs',
    of: (yields) => medianRatio(yields.slice(-EPOCHS)),
  },
  {
    path: '/v2/staking-yields/mean',
    operationId: 'listMeanStakingYields',
    summary: 'What stake pools yield: the mean of ten epochs',
    of: (yields) => meanRatio(yields.slice(-EPOCHS)),
  },
];

export const listStakingYields =
  ({ clusters }: Pick<FeatureContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const { path, operationId, summary, of } of lists) {
      const description =
        'By how much SOL for a token grew from epoch to epoch, as a yearly rate with compounding. A pool of which fewer than two epochs were sampled is left out.';
      app.get(
        path,
        defineOperation(
          { operationId, tag: 'lending', summary, description, weight: 2, statuses: [500] },
          { answer: Type.Array(StakingYield) },
        ),
        async (_request, reply) => {
          const cluster = clusters.select(undefined);
          await setSampleGapsHeader(reply, requireHistory(cluster), rangeRead(cluster));
          const listed: Static<typeof StakingYield>[] = [];
          for (const tokenMint of [...cluster.registry.stakePools.keys()].sort()) {
            const yields = await readYields(cluster, tokenMint);
            const apy = yields.length === 0 ? undefined : of(yields);
            if (apy !== undefined) listed.push({ apy: formatLiveRatio(apy), tokenMint });
          }
          return listed;
        },
      );
    }
  };

function rangeRead({ reader }: Cluster): TimeRange {
  const { unix } = reader.at();
  return { start: toUnixSeconds(unix - READ_SECONDS), end: toUnixSeconds(unix + 1n) };
}

async function readYields(cluster: Cluster, mint: Address): Promise<readonly Ratio[]> {
  const samples: StakePoolSample[] = [];
  const ask = { kind: 'stakeRate', resolution: 'day', subject: mint } as const;
  const { start: from, end: to } = rangeRead(cluster);
  const range = { from, to };
  for await (const rows of readSeries(requireHistory(cluster), ask, range)) samples.push(...rows);
  return viewEpochYields(samples, cluster.reader.slotMs());
}
