import { cpSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { openClusterHistory } from '#server/composition/recording/open-cluster-history.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { temporaryFolderPath } from '../../support/processes/run-folder.ts';

const embedded = { databaseUrl: { value: undefined } };
const open = (dataDir: string, isFresh = false) =>
  openClusterHistory({ ...embedded, dataDir, isFresh }, 'localnet', silentLog);

const CONTROL_BYTES = 8_192;
const ADVICE =
  'Load a snapshot with "tidegate snapshot load FILE --force". Without one the history is lost: start with --fresh, which simulates the cluster and its history again.';

let original: string;

beforeAll(async () => {
  original = temporaryFolderPath('damaged-');
  const history = await open(original);
  await sql`insert into origin values ('a name', 'a value')`.execute(history.db);
  await history.close();
});

/** A copy of the data folder, with its database. */
function copy() {
  const dataDir = temporaryFolderPath('damaged-');
  cpSync(original, dataDir, { recursive: true });
  return { dataDir, database: join(dataDir, 'history', 'localnet', 'database') };
}

const openDamaged = async (dataDir: string) => {
  const error = await catchError(open(dataDir));
  expect(error?.code).toBe('DATABASE_DAMAGED');
  expect(error?.message).not.toContain('\n');
  expect(error?.message).toContain(ADVICE);
  return error?.message;
};

test('a short pg_control is named, and --fresh replaces the database', async () => {
  const { dataDir, database } = copy();
  truncateSync(join(database, 'global', 'pg_control'), 100);
  expect(await openDamaged(dataDir)).toContain(
    `${database} is damaged: global/pg_control is not complete.`,
  );
  const history = await open(dataDir, true);
  const { rows } = await sql`select * from origin`.execute(history.db);
  expect(rows).toEqual([]);
  await history.close();
});

test('a pg_control with other bytes is named', async () => {
  const { dataDir, database } = copy();
  writeFileSync(join(database, 'global', 'pg_control'), Buffer.alloc(CONTROL_BYTES, 7));
  expect(await openDamaged(dataDir)).toContain('global/pg_control was overwritten.');
});

test('a truncated table file is named with its size', async () => {
  const { dataDir, database } = copy();
  const [file] = readdirSync(join(database, 'base'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((a, b) => statSync(b).size - statSync(a).size);
  const { size } = statSync(file ?? '');
  truncateSync(file ?? '', size - 4_096);
  expect(await openDamaged(dataDir)).toContain(
    `${relative(database, file ?? '')} has ${size - 4_096} instead of ${size} bytes`,
  );
});

test('a missing table file is named', async () => {
  const { dataDir, database } = copy();
  const sizes = join(database, 'tidegate-file-sizes.json');
  writeFileSync(sizes, JSON.stringify({ sizes: { 'base/1/missing': 1 } }));
  expect(await openDamaged(dataDir)).toContain('base/1/missing is missing');
});
