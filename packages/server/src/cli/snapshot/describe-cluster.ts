import { join } from 'node:path';
import type { Logger } from '@tidegate/core/base';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { SAMPLER_CHECKPOINT } from '../../history/checkpoint-names.ts';
import { openEmbeddedDatabase } from '../../history/embedded/open-embedded-database.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import type { SnapshotCluster } from './snapshot-manifest.ts';

/** What the history of a cluster says about itself. Opening it also completes what a crash left. */
export async function describeCluster(
  dataDir: string,
  name: ClusterName,
  log: Logger,
): Promise<SnapshotCluster> {
  const folder = join(dataDir, 'history', name);
  const { db, close } = await openEmbeddedDatabase({ folder, log });
  try {
    const newest = await readCheckpoint(db, SAMPLER_CHECKPOINT);
    const origin = await db.selectFrom('origin').selectAll().execute();
    const migrations = await db
      .selectFrom('migration')
      .select('name')
      .orderBy('position')
      .execute();
    return {
      name,
      slot: newest?.slot.toString() ?? null,
      blockTime: newest === undefined ? null : new Date(Number(newest.unix) * 1000).toISOString(),
      origin: Object.fromEntries(origin.map((row) => [row.name, row.value])),
      migrations: migrations.map((row) => row.name),
    };
  } finally {
    await close();
  }
}
