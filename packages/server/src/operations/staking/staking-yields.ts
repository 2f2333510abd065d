import type { Address, Ratio } from '@tidegate/core/base';
import type { Omission } from '@tidegate/core/views/lending';
import { meanRatio, medianRatio } from '@tidegate/core/views/rewards';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString } from '../../http/schemas/primitives.ts';
import { formatLiveRatio } from '../../support/decimals/live-decimals.ts';
import { requireSamplesSince } from '../../support/history/complete-history.ts';
import { setSampleGapsHeader } from '../../support/history/history-gaps.ts';
import { requireHistory } from '../../support/history/history-query.ts';
import { setOmittedHeader } from '../../support/pricing/data-notes.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { readRecentYields, recentYieldRange } from './pool-yields.ts';

const StakingYield = Type.Object(
  {
    apy: describe(DecimalString, 'Compounded yearly yield, as a fraction'),
    tokenMint: describe(AddressString, 'Mint of the pool token'),
  },
  { title: 'StakingYield' },
);

const UNREADABLE_POOL = 'The stake pool of this token was not read.';

const EPOCHS = 10;

type Variant = {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Epochs that the listed yield is computed of. */
  readonly epochs: number;
  /** Yields per epoch, oldest first and at least one, to the listed yield. */
  readonly aggregate: (yields: readonly Ratio[]) => Ratio | undefined;
};

const defineList =
  ({ path, operationId, summary, epochs, aggregate }: Variant): OperationPlugin =>
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
            'Growth of the SOL value of the pool token per epoch, as a compounded yearly rate. A pool with fewer than two known epochs is omitted; its account has the previous one.',
          weight: 2,
          statuses: [500],
        },
        { response: Type.Array(StakingYield) },
      ),
      async (_request, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        await setSampleGapsHeader(reply, requireHistory(cluster), recentYieldRange(cluster));
        const list: Static<typeof StakingYield>[] = [];
        const omitted: Omission[] = [];
        for (const tokenMint of [...cluster.registry.stakePools.keys()].sort()) {
          const yields = await readRecentYields(cluster, requireHistory(cluster), tokenMint);
          if (yields.length === 0 && cluster.recording?.stakePools().get(tokenMint) === undefined) {
            omitted.push({ address: tokenMint, reason: UNREADABLE_POOL });
            continue;
          }
          if (yields.length < epochs) await requireEpochs(cluster, tokenMint);
          const apy = yields.length === 0 ? undefined : aggregate(yields);
          if (apy !== undefined) list.push({ apy: formatLiveRatio(apy), tokenMint });
        }
        setOmittedHeader(reply, omitted);
        return list;
      },
    );
  };

export const listStakingYields = defineList({
  path: '/v2/staking-yields',
  operationId: 'listStakingYields',
  summary: 'Staking yields of the newest epoch',
  epochs: 1,
  aggregate: (yields) => yields.at(-1),
});

export const listMedianStakingYields = defineList({
  path: '/v2/staking-yields/median',
  operationId: 'listMedianStakingYields',
  summary: 'Median staking yields of ten epochs',
  epochs: EPOCHS,
  aggregate: (yields) => medianRatio(yields.slice(-EPOCHS)),
});

export const listMeanStakingYields = defineList({
  path: '/v2/staking-yields/mean',
  operationId: 'listMeanStakingYields',
  summary: 'Mean staking yields of ten epochs',
  epochs: EPOCHS,
  aggregate: (yields) => meanRatio(yields.slice(-EPOCHS)),
});

/** Throws HISTORY_INCOMPLETE if the pool has earlier epochs that were not sampled. */
async function requireEpochs(cluster: Cluster, mint: Address): Promise<void> {
  const { start } = recentYieldRange(cluster);
  await requireSamplesSince(requireHistory(cluster), `the stake pool of ${mint}`, start);
}
