import type { UnixSeconds } from '@tidegate/core/base';
import type { ColumnTypes, InputRow, OutputRow } from './columns.ts';

/** A bucket of a series holds the last snapshot that was taken in it. */
export const bucketSeconds = { minute: 60n, hour: 3_600n, day: 86_400n } as const;

export type Resolution = keyof typeof bucketSeconds;

export const resolutions: readonly Resolution[] = ['minute', 'hour', 'day'];

const taken = { at: 'seconds', slot: 'slot' } as const satisfies ColumnTypes;

/** What a snapshot of each kind says. `Sf` is the programs' suffix: the value times 2^60. */
export const seriesColumns = {
  reserve: {
    subject: 'address',
    ...taken,
    config: 'config',
    available: 'integer',
    borrowedSf: 'integer',
    protocolFeesSf: 'integer',
    referrerFeesSf: 'integer',
    pendingReferrerFeesSf: 'integer',
    collateralSupply: 'integer',
    /** In 256 bits, times 2^60. */
    cumulativeBorrowRate: 'integer',
    priceSf: 'integer',
    priceAt: 'seconds',
    oraclePriceSf: 'integer?',
    depositLimitCrossedAt: 'seconds',
    borrowLimitCrossedAt: 'seconds',
  },
  market: {
    subject: 'address',
    ...taken,
    depositTvl: 'fraction',
    borrowTvl: 'fraction',
    obligations: 'count',
  },
  /** The subject is a mint. */
  price: { subject: 'address', ...taken, priceSf: 'integer' },
  /** What a stake pool holds and has issued; the subject is the mint of its token. */
  stakeRate: { subject: 'address', ...taken, lamports: 'integer', tokens: 'integer' },
  vault: {
    subject: 'address',
    ...taken,
    /** Of its token. */
    mint: 'address',
    farm: 'address?',
    tokenDecimals: 'count',
    sharesDecimals: 'count',
    available: 'integer',
    sharesIssued: 'integer',
    /** Available and invested, and what of it belongs to the shares. */
    heldSf: 'integer',
    aumSf: 'integer',
    pendingFeesSf: 'integer',
    /** As the account counts them since it was made. */
    interestSf: 'integer',
    managementFeeSf: 'integer',
    performanceFeeSf: 'integer',
    holders: 'count',
    priceSf: 'integer?',
    solPriceSf: 'integer?',
    /** After the vault's fees, and simple: what they compound to is for whoever reads them. */
    theoreticalApr: 'fraction',
    actualApr: 'fraction',
    farmRewardsApr: 'fraction',
    reservesIncentivesApr: 'fraction',
    /** Whole tokens. */
    interestPerSecond: 'fraction',
    /** Since the vault was made, each interval at its own prices. */
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
    /** By place of allocation. */
    reserves: 'addresses',
    investedSf: 'integers',
    supplyAprsSf: 'integers',
    rewardAprsSf: 'integers',
  },
  /** The subject is a farm, or whatever a season rewards; it may give several tokens. */
  reward: {
    subject: 'address',
    mint: 'address',
    ...taken,
    /** Whole tokens per second to all positions. */
    rate: 'fraction',
    /** Smallest units that the farm has issued since it was made; zero for a season. */
    issued: 'integer',
    priceSf: 'integer?',
    positionsUsd: 'fraction',
    /** A simple yearly rate of their value. */
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

/** A snapshot as it is appended. With `minute` it also counts for its hour and its day, with `hour` for its day. */
export type SeriesPoint = {
  [Kind in SeriesKind]: {
    readonly kind: Kind;
    readonly resolution: Resolution;
  } & InputRow<(typeof seriesColumns)[Kind]>;
}[SeriesKind];

export type SeriesRow<Kind extends SeriesKind> = OutputRow<(typeof seriesColumns)[Kind]> & {
  readonly bucket: UnixSeconds;
};
