import { type Address, toAddress, toUnixSeconds } from '@tidegate/core/base';
import { type EpochYield, viewNumberedEpochYields } from '@tidegate/core/views/rewards';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { setDataHeader } from '../../http/data-headers.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';
import { formatIsoInstant } from '../../support/decimals/live-decimals.ts';
import { formatSeriesRatio } from '../../support/decimals/series-decimals.ts';
import {
  type ComputedHistory,
  defineComputedHistory,
} from '../../support/history/define-computed-history.ts';
import { DAILY } from '../../support/history/history-frequency.ts';
import type { HistoryRequest } from '../../support/history/history-request.ts';
import { readPoolSamples, YIELD_LOOKBACK_SECONDS } from './pool-yields.ts';

const EpochStakingYield = Type.Object(
  {
    apy: describe(DecimalString, 'Compounded yearly yield, as a fraction'),
    epoch: Type.Number({ description: 'Number of the epoch' }),
    startBlockTime: describe(IsoInstant, 'Time of the first block of the epoch, UTC'),
    endBlockTime: describe(IsoInstant, 'Time of the last block of the epoch, UTC'),
  },
  { title: 'EpochStakingYield' },
);

const MAX_LISTED = 20;

export const getStakingYieldHistory = defineComputedHistory({
  operation: {
    operationId: 'getStakingYieldHistory',
    tag: 'lending',
    summary: 'Staking yields of a token per epoch',
    description:
      'Growth of the SOL value of the pool token during each finished epoch that ended in the range, as a compounded yearly rate. Newest epoch first. Rewards of an epoch reach the token in the epoch after it. Empty for a token without a known stake pool. x-omitted lists epochs whose block times are not known.',
    statuses: [500],
  },
  path: '/staking-yields/tokens/:mint/history',
  params: { mint: describe(AddressString, 'Mint of the pool token') },
  frequency: DAILY,
  weight: { minimum: 2 },
  endsAfterNow: true,
  response: Type.Array(EpochStakingYield),
  subjectOf: ({ mint }) => toAddress(mint),
  read: readYields,
});

async function readYields({
  cluster,
  history,
  subject: mint,
  range,
}: HistoryRequest<Address, 'day'>): Promise<ComputedHistory<Static<typeof EpochStakingYield>[]>> {
  if (!cluster.registry.stakePools.has(mint)) return { answer: () => [] };
  // A yield needs the sample of the epoch before.
  const earlier = toUnixSeconds(range.start - YIELD_LOOKBACK_SECONDS);
  const samples = await readPoolSamples(history, mint, { ...range, start: earlier });
  const yields = viewNumberedEpochYields(samples, cluster.reader.slotMs());
  const { dated, unknown } = await addBlockTimes(cluster, yields);
  return {
    answer: (reply) => {
      setDataHeader(reply, 'x-omitted', unknown.slice(-MAX_LISTED));
      return dated
        .filter(({ endedAt }) => endedAt >= range.start && endedAt < range.end)
        .toReversed()
        .map(({ apy, epoch, startedAt, endedAt }) => ({
          apy: formatSeriesRatio(apy),
          epoch: Number(epoch),
          startBlockTime: formatIsoInstant(startedAt),
          endBlockTime: formatIsoInstant(endedAt),
        }));
    },
  };
}

/** Only finished epochs have both times. */
async function addBlockTimes({ reader, listEpochs }: Cluster, yields: readonly EpochYield[]) {
  const { epochs, missing } = await listEpochs(reader.at().slot);
  const times = new Map(epochs.map((each) => [each.epoch, each]));
  const dated = yields.flatMap((each) => {
    const time = times.get(each.epoch);
    return time === undefined ? [] : { ...time, ...each };
  });
  const unknown = yields
    .filter(({ epoch }) => missing.some(({ first, last }) => first <= epoch && epoch <= last))
    .map(({ epoch }) => `${epoch};reason="The block times of this epoch are not known."`);
  return { dated, unknown };
}
