import { toSlot } from '@tidegate/core/base';
import { isProgramName, type RunningRelease } from '@tidegate/core/protocol/releases';
import { type Kysely, sql } from 'kysely';
import { RUNNING_RELEASE_PREFIX } from '../checkpoint-names.ts';
import type { HistoryTables } from '../schema/tables.ts';

type Database = Kysely<HistoryTables>;

const NAME = /^(?<program>\w+)@(?<version>[\d.]+):\d+$/;

/** Releases that the programs of the cluster were seen to run, oldest first. */
export async function readRunningReleases(db: Database): Promise<readonly RunningRelease[]> {
  const rows = await db
    .selectFrom('checkpoint')
    .select(['name', 'slot'])
    .where(sql<boolean>`name like ${`${RUNNING_RELEASE_PREFIX}%`}`)
    .orderBy('slot')
    .orderBy('name')
    .execute();
  return rows.flatMap(({ name, slot }) => parseRelease(name, slot));
}

function parseRelease(name: string, slot: bigint): readonly RunningRelease[] {
  const { program = '', version } =
    NAME.exec(name.slice(RUNNING_RELEASE_PREFIX.length))?.groups ?? {};
  if (!isProgramName(program) || version === undefined) return [];
  return [{ program, version, from: toSlot(slot) }];
}

/** Later releases of the same programs were rolled back. */
export async function storeRunningReleases(
  db: Database,
  releases: readonly RunningRelease[],
): Promise<void> {
  const newest = new Map(releases.map(({ program, from }) => [program, from]));
  await db.transaction().execute(async (transaction) => {
    for (const [program, from] of newest) {
      await transaction
        .deleteFrom('checkpoint')
        .where(sql<boolean>`name like ${`${RUNNING_RELEASE_PREFIX}${program}@%`}`)
        .where('slot', '>', from)
        .execute();
    }
    for (const { program, version, from } of releases) {
      const name = `${RUNNING_RELEASE_PREFIX}${program}@${version}:${from}`;
      await transaction
        .insertInto('checkpoint')
        .values({ name, slot: from, at: 0n })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
    }
  });
}
