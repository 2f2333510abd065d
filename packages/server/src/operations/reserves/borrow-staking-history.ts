import {
  type Address,
  aprToApy,
  DAY_SECONDS,
  type Ratio,
  type TimeRange,
  toAddress,
  toUnixSeconds,
} from '@tidegate/core/base';
import { NO_ACCRUAL_TERMS } from '@tidegate/core/protocol/klend/math';
import type { ClusterReader } from '@tidegate/core/state';
import {
  medianRatio,
  type StakePoolSample,
  viewEpochYieldsAtSlots,
} from '@tidegate/core/views/rewards';
import { slotDurations, viewReservePoint } from '@tidegate/core/views/series';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import {
  type ReserveSnapshotRow,
  readReserveSnapshots,
} from '../../history/queries/reserve-snapshots.ts';
import { readSeries } from '../../history/queries/time-series.ts';
import { bucketOf } from '../../history/schema/series-tables.ts';
import { describe } from '../../http/schemas/describe.ts';
import { DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';
import { formatIsoInstant } from '../../support/decimals/live-decimals.ts';
import { formatSeriesRatio } from '../../support/decimals/series-decimals.ts';
import { defineComputedHistory } from '../../support/history/define-computed-history.ts';
import { DAILY } from '../../support/history/history-frequency.ts';
import type { HistoryRequest } from '../../support/history/history-request.ts';
import { MARKET_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { MarketParameter, ReserveParameter } from '../../support/schemas/address-parameters.ts';

const BorrowStakingApyPoint = Type.Object(
  {
    createdOn: describe(IsoInstant, 'Time of the point, UTC'),
    borrowInterestApy: describe(DecimalString, 'Yearly borrow rate of the reserve, as a fraction'),
    stakingApy: describe(
      DecimalString,
      'Yearly staking yield of the token of the reserve, as a fraction',
    ),
  },
  { title: 'BorrowStakingApyPoint' },
);

type Point = Static<typeof BorrowStakingApyPoint>;

const EPOCHS = 10;
/** Ten epochs take about twenty days; the rest is for epochs without samples. */
const LOOKBACK_SECONDS = 40n * DAY_SECONDS;

type Variant = {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Completes a sentence of the description. */
  readonly stakingApy: string;
  /** Yields of the newest epochs, oldest first, to the yield of a point. */
  readonly aggregate: (yields: readonly Ratio[]) => Ratio | undefined;
};

const defineVariant = ({ path, stakingApy, aggregate, ...operation }: Variant) =>
  defineComputedHistory({
    operation: {
      ...operation,
      tag: 'lending',
      description: `Each point is the last snapshot of a day in UTC; \`stakingApy\` is ${stakingApy}. Only reserves of stake pool tokens have points. A day without a snapshot, or before two epochs were sampled, has no point.`,
      computedFrom: MARKET_DEPENDENCIES,
      statuses: [500],
    },
    path,
    params: { marketPubkey: MarketParameter, reservePubkey: ReserveParameter },
    hasEnv: true,
    frequency: DAILY,
    weight: { minimum: 2 },
    endsAfterNow: true,
    response: Type.Array(BorrowStakingApyPoint),
    subjectOf: ({ marketPubkey, reservePubkey }) => ({
      market: toAddress(marketPubkey),
      reserve: toAddress(reservePubkey),
    }),
    read: async (request) => {
      const points = await readPoints(request, aggregate);
      return { answer: () => points };
    },
  });

export const getBorrowStakingApyHistory = defineVariant({
  path: '/svc-market/:marketPubkey/reserves/:reservePubkey/borrow-and-staking-apys/history',
  operationId: 'getBorrowStakingApyHistory',
  summary: 'Daily borrow and staking rates of a staked token',
  stakingApy: 'the yield of the newest epoch at that time',
  aggregate: (yields) => yields.at(-1),
});

export const getBorrowMedianStakingApyHistory = defineVariant({
  path: '/svc-market/:marketPubkey/reserves/:reservePubkey/borrow-and-staking-apys/history/median',
  operationId: 'getBorrowMedianStakingApyHistory',
  summary: 'Daily borrow and median staking rates of a staked token',
  stakingApy: `the median yield of the ${EPOCHS} newest epochs at that time`,
  aggregate: (yields) => (yields.length === 0 ? undefined : medianRatio(yields)),
});

type Request = HistoryRequest<{ readonly market: Address; readonly reserve: Address }, 'day'>;

async function readPoints(
  { cluster, history, subject, range }: Request,
  aggregate: Variant['aggregate'],
): Promise<Point[]> {
  const mint = stakePoolMintOf(cluster, subject);
  if (mint === undefined) return [];
  const days = await readDays(history, subject.reserve, range);
  const samples = await readSamples(history, mint, days);
  return pointsJson(days, samples, { aggregate, reader: cluster.reader });
}

/** Undefined if the reserve is not in the market or its token is not of a stake pool. */
function stakePoolMintOf(
  { reader, registry }: Cluster,
  { market, reserve }: Request['subject'],
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
  const buckets = { from: bucketOf(start, 'day'), to: end };
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
  const series = { kind: 'stakeRate', resolution: 'day', subject: mint } as const;
  const range = {
    from: toUnixSeconds(first.bucket - LOOKBACK_SECONDS),
    to: toUnixSeconds(last.bucket + 1n),
  };
  for await (const rows of readSeries(history, series, range)) samples.push(...rows);
  return samples;
}

type PointOptions = Pick<Variant, 'aggregate'> & { readonly reader: ClusterReader };

function pointsJson(
  days: readonly ReserveSnapshotRow[],
  samples: readonly StakePoolSample[],
  { aggregate, reader }: PointOptions,
): Point[] {
  const usual = reader.slotMs();
  const slots = days.map(({ slot }) => slot);
  const yields = viewEpochYieldsAtSlots(samples, slots, { slotMs: usual, epochs: EPOCHS });
  const durations = slotDurations(days, DAY_SECONDS, usual);
  return days.flatMap((row, i) => {
    const stakingApy = aggregate(yields[i] ?? []);
    if (stakingApy === undefined) return [];
    const { borrowApr } = viewReservePoint(row, {
      time: { slot: row.slot, unix: row.at },
      rules: reader.rulesAt(row.slot).lending,
      ...NO_ACCRUAL_TERMS,
      slotMs: durations[i] ?? usual,
    });
    return {
      createdOn: formatIsoInstant(row.at),
      borrowInterestApy: formatSeriesRatio(aprToApy(borrowApr)),
      stakingApy: formatSeriesRatio(stakingApy),
    };
  });
}
