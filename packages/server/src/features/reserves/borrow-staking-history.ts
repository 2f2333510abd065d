import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type Address,
  bucketStart,
  DAY_SECONDS,
  type Ratio,
  type TimeRange,
  toAddress,
  toUnixSeconds,
} from '@tidegate/core/base';
import {
  medianRatio,
  type StakePoolSample,
  viewEpochYieldsAtSlots,
} from '@tidegate/core/views/rewards';
import { contiguousSpans, measureSlotMs, viewReservePoint } from '@tidegate/core/views/series';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import {
  type ReserveSnapshotRow,
  readReserveSnapshots,
} from '../../history/queries/reserve-snapshots.ts';
import { readSeries } from '../../history/queries/time-series.ts';
import { defineOperation } from '../../http/operation.ts';
import {
  AddressString,
  ClusterNameString,
  DecimalString,
  IsoInstant,
} from '../../http/schemas/primitives.ts';
import { formatIsoInstant } from '../decimal-format/live-decimals.ts';
import { formatSeriesRatio } from '../decimal-format/series-decimals.ts';
import type { FeatureContext } from '../feature-context.ts';
import {
  parseQueryRange,
  requireHistory,
  setSampleGapsHeader,
} from '../history-query/history-query.ts';
import { createRangeWeight } from '../history-query/range-weight.ts';
import { EndString, StartString } from '../history-query/time-range-schema.ts';

const BorrowStakingApyPoint = Type.Object(
  { createdOn: IsoInstant, borrowInterestApy: DecimalString, stakingApy: DecimalString },
  { title: 'BorrowStakingApyPoint' },
);

type Point = Static<typeof BorrowStakingApyPoint>;

const EPOCHS = 10;
/** Ten epochs take some twenty days, and a few may not have been sampled. */
const BEFORE_SECONDS = 40n * DAY_SECONDS;

const histories = [
  {
    path: '/svc-market/:marketPubkey/reserves/:reservePubkey/borrow-and-staking-apys/history',
    operationId: 'getBorrowStakingApyHistory',
    summary: 'What borrowing a staked token costs and what it yields, by the day',
    staking: 'the yield is that of the newest epoch by then',
    of: (yields: readonly Ratio[]) => yields.at(-1),
  },
  {
    path: '/svc-market/:marketPubkey/reserves/:reservePubkey/borrow-and-staking-apys/history/median',
    operationId: 'getBorrowMedianStakingApyHistory',
    summary: 'What borrowing a staked token costs, and its median yield, by the day',
    staking: `the yield is the median of the ${EPOCHS} newest epochs by then`,
    of: (yields: readonly Ratio[]) => (yields.length === 0 ? undefined : medianRatio(yields)),
  },
];

export const borrowStakingHistoryRoutes =
  ({ clusters, clock }: Pick<FeatureContext, 'clusters' | 'clock'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const { path, operationId, summary, staking, of } of histories) {
      app.get(
        path,
        defineOperation(
          {
            operationId,
            tag: 'lending',
            summary,
            description: `The last snapshot of each day in UTC; ${staking}. Only of reserves that hold a token of a stake pool; a day without a snapshot, or before two epochs were sampled, has no point.`,
            weight: 2,
            weightOf: createRangeWeight(clock, () => 'day', 2),
            statuses: [500],
          },
          {
            params: Type.Object({ marketPubkey: AddressString, reservePubkey: AddressString }),
            querystring: Type.Object({
              env: Type.Optional(ClusterNameString),
              start: Type.Optional(StartString),
              end: Type.Optional(EndString),
            }),
            answer: Type.Array(BorrowStakingApyPoint),
          },
        ),
        async ({ params, query }, reply) => {
          const cluster = clusters.select(query.env);
          const history = requireHistory(cluster);
          const range = parseQueryRange(query, {
            now: toUnixSeconds(cluster.reader.at().unix + 1n),
          });
          await setSampleGapsHeader(reply, history, range);
          const mint = stakedMintOf(cluster, {
            market: toAddress(params.marketPubkey),
            reserve: toAddress(params.reservePubkey),
          });
          if (mint === undefined) return [];
          const days = await readDays(history, toAddress(params.reservePubkey), range);
          const samples = await readSamples(history, mint, days);
          return pointsOf(days, samples, { of, slotMs: cluster.reader.slotMs() });
        },
      );
    }
  };

/** Of a reserve that is in the market and holds a token of a stake pool. */
function stakedMintOf(
  { reader, registry }: Cluster,
  { market, reserve }: { readonly market: Address; readonly reserve: Address },
): Address | undefined {
  const fields = reader.reserve(reserve)?.fields;
  const mint = fields?.lendingMarket === market ? fields.liquidity.mintPubkey : undefined;
  return mint !== undefined && registry.stakePools.has(mint) ? mint : undefined;
}

async function readDays(
  history: HistoryReader,
  reserve: Address,
  { start, end }: TimeRange,
): Promise<readonly ReserveSnapshotRow[]> {
  const days: ReserveSnapshotRow[] = [];
  const buckets = { from: bucketStart(start, 'day'), to: end };
  for await (const rows of readReserveSnapshots(history, { reserve, resolution: 'day' }, buckets)) {
    days.push(...rows.filter(({ at }) => at >= start && at < end));
  }
  return days;
}

async function readSamples(
  history: HistoryReader,
  mint: Address,
  days: readonly ReserveSnapshotRow[],
): Promise<readonly StakePoolSample[]> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const samples: StakePoolSample[] = [];
  const ask = { kind: 'stakeRate', resolution: 'day', subject: mint } as const;
  const range = {
    from: toUnixSeconds(first.bucket - BEFORE_SECONDS),
    to: toUnixSeconds(last.bucket + 1n),
  };
  for await (const rows of readSeries(history, ask, range)) samples.push(...rows);
  return samples;
}

type Terms = {
  readonly of: (yields: readonly Ratio[]) => Ratio | undefined;
  readonly slotMs: Ratio;
};

function pointsOf(
  days: readonly ReserveSnapshotRow[],
  samples: readonly StakePoolSample[],
  { of, slotMs: usual }: Terms,
): Point[] {
  const slots = days.map(({ slot }) => slot);
  const yields = viewEpochYieldsAtSlots(samples, slots, { slotMs: usual, epochs: EPOCHS });
  const slotMs = measureSlotMs(contiguousSpans(days, DAY_SECONDS), usual);
  return days.flatMap((row, i) => {
    const stakingApy = of(yields[i] ?? []);
    if (stakingApy === undefined) return [];
    const { borrowInterestAPY } = viewReservePoint(row, {
      ...{ slot: row.slot, referralFeeBps: 0, slotMs },
    });
    return {
      createdOn: formatIsoInstant(row.at),
      borrowInterestApy: formatSeriesRatio(borrowInterestAPY),
      stakingApy: formatSeriesRatio(stakingApy),
    };
  });
}
