import type { Address } from '@tidegate/core/base';
import type { LendingMarketView } from '@tidegate/core/protocol/klend/layout';
import type { StakePool } from '@tidegate/core/protocol/spl';
import type { ClusterReader, HeldBytes } from '@tidegate/core/state';
import { listedMarkets, type ReserveNow } from '@tidegate/core/views/lending';
import type { PositionSource } from '@tidegate/core/views/rewards';
import { hasPositions, viewMarketPoint } from '@tidegate/core/views/series';
import { createVaultTerms } from '@tidegate/core/views/vaults';
import {
  type ReserveSettings,
  reservePoint,
  type TakenAt,
} from '../../history/rows/reserve-points.ts';
import type { Point } from '../../history/schema/series-tables.ts';
import type { Registry } from '../../registry/registry.ts';
import { rewardPoints } from './sample-farm-rewards.ts';
import { sampleSeasons } from './sample-seasons.ts';
import { sampleVaults, type VaultSampling } from './sample-vaults.ts';
import { toSf } from './scaled-fraction.ts';

/** What is sampled: a cluster as it is, and what no state of it says. */
export type SampleSource = {
  readonly reader: ClusterReader;
  readonly registry: Registry;
  /** By the mint of their token. */
  readonly stakePools: ReadonlyMap<Address, StakePool>;
};

/** What goes on from one sample to the next. */
export type SampleBooks = Pick<VaultSampling, 'vaults' | 'rewards' | 'shares'> & {
  readonly loans: Pick<PositionSource, 'obligationsIn'>;
  readonly settings: ReserveSettings;
};

type Sampling = VaultSampling & SampleBooks;

/** What all series say of a cluster as it is. */
export function samplePoints(source: SampleSource, taken: TakenAt, books: SampleBooks): Point[] {
  const { reader } = source;
  const trusted = () => listedMarkets(source).flatMap(({ address }) => reader.reservesOf(address));
  const terms = createVaultTerms(reader, trusted);
  const sampling = { taken, terms, ...books };
  return [
    ...reader.markets().flatMap((market) => marketPoints(reader, market, sampling)),
    ...pricePoints(reader, sampling),
    ...stakeRatePoints(source, taken),
    ...sampleVaults(reader, sampling),
    ...sampleSeasons(source, books.loans, sampling),
  ];
}

function marketPoints(
  reader: ClusterReader,
  market: HeldBytes<LendingMarketView>,
  sampling: Sampling,
): Point[] {
  const { taken, terms, settings } = sampling;
  const { at } = taken;
  const reserves = new Map<Address, ReserveNow>();
  const points = reader.reservesOf(market.address).flatMap(({ address, data, fields }): Point[] => {
    const reserve = terms.reserves(address);
    if (reserve === undefined) return [];
    const { now, rewards } = reserve;
    reserves.set(address, now);
    const kept = { address, settings: settings.of(address, data), fields };
    return [
      reservePoint({ ...kept, accrued: now.liquidity, oraclePrice: now.price }, taken),
      ...rewardPoints(fields.farmCollateral, rewards, sampling).points,
    ];
  });
  const now = { ...market, reserves, at, slotMs: terms.slotMs };
  return [...points, marketPoint(viewMarketPoint(now, countLoans(sampling.loans, market)), taken)];
}

const marketPoint = (
  { market, depositTvl, borrowTvl, obligations }: ReturnType<typeof viewMarketPoint>,
  { resolution, at }: TakenAt,
): Point => ({
  kind: 'market',
  resolution,
  subject: market,
  at: at.unix,
  slot: at.slot,
  depositTvl,
  borrowTvl,
  obligations,
});

function countLoans(
  loans: SampleBooks['loans'],
  { address }: HeldBytes<LendingMarketView>,
): number {
  let count = 0;
  for (const { fields } of loans.obligationsIn(address)) if (hasPositions(fields)) count += 1;
  return count;
}

/** Of every token that a reserve lends, by the markets that are trusted most. */
function pricePoints(reader: ClusterReader, { terms, taken }: VaultSampling): Point[] {
  const { resolution, at } = taken;
  const mints = new Set<Address>();
  for (const { address } of reader.markets()) {
    for (const { fields } of reader.reservesOf(address)) mints.add(fields.liquidity.mintPubkey);
  }
  return [...mints].flatMap((subject): Point[] => {
    const price = terms.tokens(subject)?.price;
    if (price === undefined) return [];
    const priceSf = toSf(price);
    return [{ kind: 'price', resolution, subject, at: at.unix, slot: at.slot, priceSf }];
  });
}

const stakeRatePoints = ({ stakePools }: SampleSource, { resolution, at }: TakenAt): Point[] =>
  [...stakePools].map(([subject, { totalLamports, poolTokenSupply }]) => ({
    kind: 'stakeRate',
    resolution,
    subject,
    at: at.unix,
    slot: at.slot,
    lamports: totalLamports,
    tokens: poolTokenSupply,
  }));
