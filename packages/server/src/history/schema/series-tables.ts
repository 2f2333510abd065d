import { type TimeRange, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import type { ColumnTypes, InputRow, OutputRow } from './columns.ts';

/** Length of the interval that a bucket holds the last snapshot of. */
export const bucketSeconds = { minute: 60n, hour: 3_600n, day: 86_400n } as const;

export type Resolution = keyof typeof bucketSeconds;

/**
 * The start of the bucket that contains a time. A bucket contains its end but not its start, so that a snapshot on the
 * full minute is the last one of the minute before: the state of the cluster at that time.
 */
export const bucketOf = (at: UnixSeconds, resolution: Resolution): UnixSeconds => {
  const before = at - 1n;
  return toUnixSeconds(before - (before % bucketSeconds[resolution]));
};

/** The time whose state the bucket holds: its end. */
export const bucketTime = (bucket: UnixSeconds, resolution: Resolution): UnixSeconds =>
  toUnixSeconds(bucket + bucketSeconds[resolution]);

/** The buckets whose times are in a range. */
export const bucketsOf = ({ start, end }: TimeRange, resolution: Resolution) => ({
  from: toUnixSeconds(start - bucketSeconds[resolution]),
  to: toUnixSeconds(end - bucketSeconds[resolution]),
});

export const resolutions: readonly Resolution[] = ['minute', 'hour', 'day'];

const sampleTime = { at: 'seconds', slot: 'slot' } as const satisfies ColumnTypes;

/** Columns of each kind of snapshot. `Sf` is the programs' suffix for a value scaled by 2^60. */
export const seriesColumns = {
  reserve: {
    subject: 'address',
    ...sampleTime,
    config: 'config',
    available: 'integer',
    borrowedSf: 'integer',
    protocolFeesSf: 'integer',
    referrerFeesSf: 'integer',
    pendingReferrerFeesSf: 'integer',
    collateralSupply: 'integer',
    /** A 256-bit value scaled by 2^60. */
    cumulativeBorrowRate: 'integer',
    priceSf: 'integer',
    priceAt: 'seconds',
    oraclePriceSf: 'integer?',
    depositLimitCrossedAt: 'seconds',
    borrowLimitCrossedAt: 'seconds',
  },
  market: {
    subject: 'address',
    ...sampleTime,
    depositTvl: 'fraction',
    borrowTvl: 'fraction',
    obligations: 'count',
  },
  /** `subject` is a mint. */
  price: { subject: 'address', ...sampleTime, priceSf: 'integer' },
  /** Lamports that a stake pool holds and tokens it has issued; `subject` is the pool token's mint. */
  stakeRate: { subject: 'address', ...sampleTime, lamports: 'integer', tokens: 'integer' },
  vault: {
    subject: 'address',
    ...sampleTime,
    /** Mint of the vault's token. */
    mint: 'address',
    farm: 'address?',
    tokenDecimals: 'count',
    sharesDecimals: 'count',
    available: 'integer',
    sharesIssued: 'integer',
    /** Available and invested tokens; `aumSf` is the part that belongs to shareholders. */
    heldSf: 'integer',
    aumSf: 'integer',
    pendingFeesSf: 'integer',
    /** Counters of the vault account since its creation. */
    interestSf: 'integer',
    managementFeeSf: 'integer',
    performanceFeeSf: 'integer',
    holders: 'count',
    priceSf: 'integer?',
    solPriceSf: 'integer?',
    /** Simple rates after the vault's fees; readers compound them. */
    theoreticalApr: 'fraction',
    actualApr: 'fraction',
    farmRewardsApr: 'fraction',
    reservesIncentivesApr: 'fraction',
    /** Whole tokens. */
    interestPerSecond: 'fraction',
    /** Totals since the vault's creation, each interval valued at its own prices. */
    interestUsd: 'fraction',
    interestSol: 'fraction',
    managementFeeUsd: 'fraction',
    managementFeeSol: 'fraction',
    performanceFeeUsd: 'fraction',
    performanceFeeSol: 'fraction',
    farmRewardsUsd: 'fraction',
    farmRewardsSol: 'fraction',
    reserveRewardsUsd: 'fraction',
    reserveRewardsSol: 'fraction',
    /** Parallel arrays, one element per allocation. */
    reserves: 'addresses',
    investedSf: 'integers',
    supplyAprsSf: 'integers',
    rewardAprsSf: 'integers',
  },
  /** `subject` is a farm or the derived address of a season reward; a subject may have several mints. */
  reward: {
    subject: 'address',
    mint: 'address',
    ...sampleTime,
    /** Whole tokens per second, for all positions together. */
    rate: 'fraction',
    /** Base units that the farm has issued since its creation; zero for a season. */
    issued: 'integer',
    priceSf: 'integer?',
    positionsUsd: 'fraction',
    /** Simple yearly rate on `positionsUsd`. */
    apr: 'fraction',
  },
} as const satisfies Readonly<Record<string, ColumnTypes>>;

export type SeriesKind = keyof typeof seriesColumns;
export type SeriesTable = `${SeriesTableStem}_${Resolution}`;

type SeriesTableStem = (typeof stems)[SeriesKind];

const stems = {
  reserve: 'reserve',
  market: 'market',
  price: 'price',
  stakeRate: 'stake_rate',
  vault: 'vault',
  reward: 'reward',
} as const satisfies Readonly<Record<SeriesKind, string>>;

export const seriesKinds: readonly SeriesKind[] = [
  'reserve',
  'market',
  'price',
  'stakeRate',
  'vault',
  'reward',
];

export const seriesTableName = (kind: SeriesKind, resolution: Resolution): SeriesTable =>
  `${stems[kind]}_${resolution}`;

export const seriesKeyColumns = (kind: SeriesKind): readonly string[] =>
  kind === 'reward' ? ['subject', 'mint'] : ['subject'];

/** A snapshot to append. A `minute` snapshot also updates its hour and day, an `hour` snapshot its day. */
export type SeriesPoint = {
  [Kind in SeriesKind]: {
    readonly kind: Kind;
    readonly resolution: Resolution;
  } & InputRow<(typeof seriesColumns)[Kind]>;
}[SeriesKind];

export type SeriesRow<Kind extends SeriesKind> = OutputRow<(typeof seriesColumns)[Kind]> & {
  readonly bucket: UnixSeconds;
};
