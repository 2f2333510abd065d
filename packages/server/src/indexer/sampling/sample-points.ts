import type { Address } from '@tidegate/core/base';
import type { LendingMarketView } from '@tidegate/core/protocol/klend/layout';
import type { StakePool } from '@tidegate/core/protocol/spl';
import type { ClusterReader, StoredAccountWithData } from '@tidegate/core/state';
import { type ReserveSnapshot, selectListedReserves } from '@tidegate/core/views/lending';
import type { EligiblePositionSource } from '@tidegate/core/views/rewards';
import { viewMarketPoint } from '@tidegate/core/views/series';
import { createVaultViewContext } from '@tidegate/core/views/vaults';
import { toScaledFraction } from '../../history/rows/ratio-to-scaled-fraction.ts';
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

/** The cluster's current state, and data that the state does not contain. */
export type SampleInputs = {
  readonly reader: ClusterReader;
  readonly registry: Registry;
  /** Keyed by the mint of the pool token. */
  readonly stakePools: ReadonlyMap<Address, StakePool>;
};

/** Accumulators that continue from one sample to the next. */
export type SamplerState = Pick<VaultSampleContext, 'vaults' | 'rewards' | 'shares'> & {
  readonly loans: Pick<EligiblePositionSource, 'obligationsIn'> & {
    /** Loans of a market that have a position. */
    countWithPositions(market: Address): number;
  };
  readonly reserveConfigs: ReserveConfigCache;
};

type Sampling = VaultSampleContext & SamplerState;

/** Samples all series of a cluster. */
export function samplePoints(
  inputs: SampleInputs,
  sampleTime: SampleTime,
  state: SamplerState,
): SeriesPoint[] {
  const { reader } = inputs;
  const valuation = createVaultViewContext(reader, () => selectListedReserves(inputs));
  const sampling = { sampleTime, valuation, ...state };
  return [
    ...reader.markets().flatMap((market) => marketPoints(reader, market, sampling)),
    ...pricePoints(reader, sampling),
    ...stakeRatePoints(inputs, sampleTime),
    ...sampleVaults(reader, sampling),
    ...sampleSeasons(inputs, state.loans, sampling),
  ];
}

function marketPoints(
  reader: ClusterReader,
  market: StoredAccountWithData<LendingMarketView>,
  sampling: Sampling,
): SeriesPoint[] {
  const { sampleTime, valuation, reserveConfigs } = sampling;
  const { at } = sampleTime;
  const reserves = new Map<Address, ReserveSnapshot>();
  const points = reader
    .reservesOf(market.address)
    .flatMap(({ address, data, fields }): SeriesPoint[] => {
      const reserve = valuation.reserves(address);
      if (reserve === undefined) return [];
      const { snapshot, rewards } = reserve;
      reserves.set(address, snapshot);
      const configBytes = reserveConfigs.configBytes(address, data);
      const { liquidity: accrued, price: oraclePrice } = snapshot;
      return [
        toReservePoint({ address, configBytes, fields, accrued, oraclePrice }, sampleTime),
        ...sampleFarmRewards(fields.farmCollateral, rewards, sampling).points,
      ];
    });
  const loans = sampling.loans.countWithPositions(market.address);
  const point = viewMarketPoint({ address: market.address, reserves, at }, loans);
  return [...points, marketPoint(point, sampleTime)];
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

/** Prices of all tokens that a listed market prices. */
function pricePoints(
  reader: ClusterReader,
  { valuation, sampleTime }: VaultSampleContext,
): SeriesPoint[] {
  const { resolution, at } = sampleTime;
  const mints = new Set<Address>();
  for (const { address } of reader.markets()) {
    for (const { fields } of reader.reservesOf(address)) mints.add(fields.liquidity.mintPubkey);
  }
  return [...mints].flatMap((subject): SeriesPoint[] => {
    const price = valuation.tokens(subject)?.price;
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
