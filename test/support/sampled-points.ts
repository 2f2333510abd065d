import { ReserveSettings, type TakenAt } from '../../src/history/reserve-points.ts';
import type { Point } from '../../src/history/series-tables.ts';
import { RewardBooks } from '../../src/indexer/reward-points.ts';
import { samplePoints } from '../../src/indexer/sample-points.ts';
import { VaultBooks } from '../../src/indexer/vault-sums.ts';
import { emptyRegistry } from '../../src/registry/registry.ts';
import type { ClusterReader } from '../../src/state/reader.ts';
import { createStakersIn } from '../../src/views/vault-holders.ts';

/** A first sample, of a cluster of which no registry says anything. */
export const sampledPoints = (reader: ClusterReader, taken: TakenAt): Point[] =>
  samplePoints({ reader, registry: emptyRegistry, stakePools: new Map() }, taken, {
    vaults: new VaultBooks(),
    rewards: new RewardBooks(),
    shares: { stakersIn: createStakersIn(reader) },
    loans: reader,
    settings: new ReserveSettings(),
  });
