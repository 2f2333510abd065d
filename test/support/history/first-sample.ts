import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { createStakersIn } from '#core/views/vaults/vault-holders.ts';
import { ReserveSettings, type TakenAt } from '#server/history/rows/reserve-points.ts';
import type { Point } from '#server/history/schema/series-tables.ts';
import { RewardBooks } from '#server/indexer/sampling/sample-farm-rewards.ts';
import { samplePoints } from '#server/indexer/sampling/sample-points.ts';
import { VaultBooks } from '#server/indexer/sampling/vault-totals.ts';
import { emptyRegistry } from '#server/registry/registry.ts';

/** A first sample, of a cluster of which no registry says anything. */
export const sampledPoints = (reader: ClusterReader, taken: TakenAt): Point[] =>
  samplePoints({ reader, registry: emptyRegistry, stakePools: new Map() }, taken, {
    vaults: new VaultBooks(),
    rewards: new RewardBooks(),
    shares: { stakersIn: createStakersIn(reader) },
    loans: reader,
    settings: new ReserveSettings(),
  });
