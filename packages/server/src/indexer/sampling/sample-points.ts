import type { Address } from '@tidegate/core/base';
import type { LendingMarketView } from '@tidegate/core/protocol/klend/layout';
import type { StakePool } from '@tidegate/core/protocol/spl';
import type { ClusterReader, StoredAccountWithData } from '@tidegate/core/state';
import { type ReserveSnapshot, selectListedMarkets } from '@tidegate/core/views/lending';
import type { EligiblePositionSource } from '@tidegate/core/views/rewards';
import { hasPositions, viewMarketPoint } from '@tidegate/core/views/series';
import { createVaultViewContext } from '@tidegate/core/views/vaults';
import {
  type ReserveConfigCache,
  type SampleTime,
  toReservePoint,
} from '../../history/rows/reserve-points.ts';
import type { SeriesPoint } from '../../history/schema/series-tables.ts';
import type { Registry } from '../../registry/registry.ts';
import { sampleFarmRewards } from './sample-farm-rewards.ts';
import { sampleSeasons } from './sample-seasons.ts';
import { sampleVaults, type VaultSampleContext } from './sample-vaults.ts';
import { toScaledFraction } from './scaled-fraction.ts';

/** What is sampled: a cluster as it is, and what no state of it says. */
export type SampleInputs = {
  readonly reader: ClusterReader;
  readonly registry: Registry;
  /** By the mint of their token. */
  readonly stakePools: ReadonlyMap<Address, StakePool>;
};

/** What goes on from one sample to the next. */
export type SamplerState = Pick<VaultSampleContext, 'vaults' | 'rewards' | 'shares'> & {
  readonly loans: Pick<EligiblePositionSource, 'obligationsIn'>;
  readonly settings: ReserveConfigCache;
};

type Sampling = VaultSampleContext & SamplerState;

/** What all series say of a cluster as it is. */
export function samplePoints(
  source: SampleInputs,
  taken: SampleTime,
  books: SamplerState,
): SeriesPoint[] {
  const { reader } = source;
  const trusted = () =>
    selectListedMarkets(source).flatMap(({ address }) => reader.reservesOf(address));
  const terms = createVaultViewContext(reader, trusted);
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
  market: StoredAccountWithData<LendingMarketView>,
  sampling: Sampling,
): SeriesPoint[] {
  const { taken, terms, settings } = sampling;
  const { at } = taken;
  const reserves = new Map<Address, ReserveSnapshot>();
  const points = reader
    .reservesOf(market.address)
    .flatMap(({ address, data, fields }): SeriesPoint[] => {
      const reserve = terms.reserves(address);
      if (reserve === undefined) return [];
      const { now, rewards } = reserve;
      reserves.set(address, now);
      const kept = { address, settings: settings.of(address, data), fields };
      return [
        toReservePoint({ ...kept, accrued: now.liquidity, oraclePrice: now.price }, taken),
        ...sampleFarmRewards(fields.farmCollateral, rewards, sampling).points,
      ];
    });
  const now = { ...market, reserves, at, slotMs: terms.slotMs };
  return [...points, marketPoint(viewMarketPoint(now, countLoans(sampling.loans, market)), taken)];
}

const marketPoint = (
  { market, depositTvl, borrowTvl, obligations }: ReturnType<typeof viewMarketPoint>,
  { resolution, at }: SampleTime,
): SeriesPoint => ({
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
  loans: SamplerState['loans'],
  { address }: StoredAccountWithData<LendingMarketView>,
): number {
  let count = 0;
  for (const { fields } of loans.obligationsIn(address)) if (hasPositions(fields)) count += 1;
  return count;
}

/** Of every token that a reserve lends, by the markets that are trusted most. */
function pricePoints(reader: ClusterReader, { terms, taken }: VaultSampleContext): SeriesPoint[] {
  const { resolution, at } = taken;
  const mints = new Set<Address>();
  for (const { address } of reader.markets()) {
    for (const { fields } of reader.reservesOf(address)) mints.add(fields.liquidity.mintPubkey);
  }
  return [...mints].flatMap((subject): SeriesPoint[] => {
    const price = terms.tokens(subject)?.price;
    if (price === undefined) return [];
    const priceSf = toScaledFraction(price);
    return [{ kind: 'price', resolution, subject, at: at.unix, slot: at.slot, priceSf }];
  });
}

const stakeRatePoints = (
  { stakePools }: SampleInputs,
  { resolution, at }: SampleTime,
): SeriesPoint[] =>
  [...stakePools].map(([subject, { totalLamports, poolTokenSupply }]) => ({
    kind: 'stakeRate',
    resolution,
    subject,
    at: at.unix,
    slot: at.slot,
    lamports: totalLamports,
    tokens: poolTokenSupply,
  }));
