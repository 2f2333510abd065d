import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { hasPositions } from '#core/views/series/market-history.ts';
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
    loans: {
      obligationsIn: (market) => reader.obligationsIn(market),
      countWithPositions: (market) => countWithPositions(reader, market),
    },
    reserveConfigs: new ReserveConfigCache(),
  });

function countWithPositions(reader: ClusterReader, market: Address): number {
  let count = 0;
  for (const { fields } of reader.obligationsIn(market)) if (hasPositions(fields)) count += 1;
  return count;
}
