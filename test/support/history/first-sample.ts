import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { createStakerLister } from '#core/views/vaults/vault-holders.ts';
import { ReserveConfigCache, type SampleTime } from '#server/history/rows/reserve-points.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import { IssuedRewards } from '#server/indexer/sampling/sample-farm-rewards.ts';
import { samplePoints } from '#server/indexer/sampling/sample-points.ts';
import { VaultTotalsAccumulator } from '#server/indexer/sampling/vault-totals.ts';
import { emptyRegistry } from '#server/registry/registry.ts';

/** The first sample of a cluster, with an empty registry. */
export const firstSample = (reader: ClusterReader, sampleTime: SampleTime): SeriesPoint[] =>
  samplePoints({ reader, registry: emptyRegistry, stakePools: new Map() }, sampleTime, {
    vaults: new VaultTotalsAccumulator(),
    rewards: new IssuedRewards(),
    shares: { stakersOfFarm: createStakerLister(reader) },
    loans: reader,
    reserveConfigs: new ReserveConfigCache(),
  });
