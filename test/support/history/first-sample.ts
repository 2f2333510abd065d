import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { createStakerLister } from '#core/views/vaults/vault-holders.ts';
import { ReserveConfigCache, type SampleTime } from '#server/history/rows/reserve-points.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import { IssuedRewards } from '#server/indexer/sampling/sample-farm-rewards.ts';
import { samplePoints } from '#server/indexer/sampling/sample-points.ts';
import { VaultTotalsAccumulator } from '#server/indexer/sampling/vault-totals.ts';
import { emptyRegistry } from '#server/registry/registry.ts';

/** A first sample, of a cluster of which no registry says anything. */
export const firstSample = (reader: ClusterReader, taken: SampleTime): SeriesPoint[] =>
  samplePoints({ reader, registry: emptyRegistry, stakePools: new Map() }, taken, {
    vaults: new VaultTotalsAccumulator(),
    rewards: new IssuedRewards(),
    shares: { stakersIn: createStakerLister(reader) },
    loans: reader,
    settings: new ReserveConfigCache(),
  });
