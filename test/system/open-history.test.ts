import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openEmbeddedDatabase } from '#server/history/embedded/open-embedded-database.ts';
import { allMigrations } from '#server/history/migrations/all-migrations.ts';
import { migrate } from '#server/history/migrations/migrate.ts';
import { openHistory } from '#server/history/open-history.ts';
import { catchError } from '../support/errors/catch-error.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import {
  onEachEngine,
  onPglite,
  onPostgres,
  type SeparateDatabase,
} from '../support/history/history-engines.ts';
import { FAST_START } from '../support/processes/program-path.ts';

const script = fileURLToPath(new URL('../support/processes/open-history.js', import.meta.url));

/** The output of a separate process that opens the database. */
async function openInProcess({ url, folder }: SeparateDatabase): Promise<string> {
  const task = JSON.stringify({ url, folder });
  const { stdout } = await promisify(execFile)(process.execPath, [FAST_START, script, task]);
  return stdout;
}

onEachEngine('a database', (engine) => {
  test('returns integers exactly, never as floats', async () => {
    const { db } = await engine.shared();
    const { rows } = await sql`select 9223372036854775807::int8 as "int8",
      null::int8 as nothing, 1::int8 as small, 7::int4 as "int4", array[9223372036854775807::int8] as int8s,
      18446744073709551616::numeric as "numeric",
      array[18446744073709551616, null]::numeric[] as numerics,
      '\\x00ff'::bytea as bytes`.execute(db);
    expect(rows).toEqual([
      {
        int8: 2n ** 63n - 1n,
        nothing: null,
        small: 1n,
        int4: 7,
        int8s: [2n ** 63n - 1n],
        numeric: '18446744073709551616',
        numerics: ['18446744073709551616', null],
        bytes: expect.objectContaining({ length: 2, 0: 0, 1: 255 }),
      },
    ]);
  });

  test('reports the SQLSTATE of an error and rolls back the transaction', async () => {
    const { db } = await engine.shared();
    const broken = db.transaction().execute(async (transaction) => {
      await sql`insert into gap values ('broken', 1, 2)`.execute(transaction);
      await sql`insert into gap values ('broken', 1, 3)`.execute(transaction);
    });
    await expect(broken).rejects.toMatchObject({ code: '23505', constraint: 'gap_pkey' });
    const rows = await db.selectFrom('gap').selectAll().where('name', '=', 'broken').execute();
    expect(rows).toEqual([]);
  });

  test('isolates transactions', async () => {
    const { db } = await engine.shared();
    const insert = (name: string) => sql`insert into gap values (${name}, 1, 2)`;
    const first = db.transaction().execute(async (transaction) => {
      await insert('first').execute(transaction);
      // longer than the second transaction, if it does not wait for the first
      for (let turn = 0; turn < 20; turn++) await sql`select 1`.execute(transaction);
      throw new Error('given up');
    });
    const second = db.transaction().execute((transaction) => insert('second').execute(transaction));
    await expect(first).rejects.toThrow('given up');
    await second;
    const names = await db
      .selectFrom('gap')
      .select('name')
      .where('name', 'in', ['first', 'second'])
      .execute();
    expect(names).toEqual([{ name: 'second' }]);
  });

  test('rolls back a failed migration, runs a migration once, and rejects unknown ones', async () => {
    const database = await engine.separate();
    const history = await database.open();
    const { db } = history;
    const made = { name: '9998-made', statements: () => ['create table made (a int4)'] };
    const failing = {
      name: '9999-failing',
      statements: () => ['create table half (a int4)', 'select no_such_function()'],
    };
    const run = migrate(db, silentLog, [...allMigrations, made, failing]);
    await expect(run).rejects.toMatchObject({ code: '42883' });
    await migrate(db, silentLog, [...allMigrations, made]);
    const { rows } = await sql`select to_regclass('made') is not null as made,
      to_regclass('half') is null as nothing`.execute(db);
    expect(rows).toEqual([{ made: true, nothing: true }]);
    const migrations = await db.selectFrom('migration').selectAll().execute();
    expect(migrations).toEqual([
      ...allMigrations.map(({ name }, position) => ({ position, name })),
      { position: allMigrations.length, name: '9998-made' },
    ]);
    await history.close();
    const error = await catchError(database.open());
    expect(error?.code).toBe('DATABASE_TOO_NEW');
    expect(error?.message).toBe(
      'The database has the migration 9998-made, which this release does not know. Start a newer release, or use another database.',
    );
  });
});

onPostgres('a server', (engine) => {
  test('can be migrated by several processes at once', async () => {
    const database = await engine.separate();
    const outcomes = await Promise.all([1, 2, 3].map(() => openInProcess(database)));
    expect(outcomes).toEqual(['opened', 'opened', 'opened']);
    const history = await database.open();
    const migrations = await history.db.selectFrom('migration').selectAll().execute();
    expect(migrations).toHaveLength(allMigrations.length);
    await history.close();
  });

  test('is named without its password if it cannot be reached', async () => {
    const url = 'postgres://somebody:secret@127.0.0.1:1/nothing';
    const error = await catchError(openHistory({ url, folder: '', log: silentLog }));
    expect(error?.message).toMatch(
      /^The database postgres:\/\/127\.0\.0\.1:1\/nothing cannot be used: .*ECONNREFUSED.*\. Set DATABASE_URL/,
    );
    expect(error?.message).not.toContain('secret');
  });

  test.each([
    'postgres://127.0.0.1:1/nothing?user=somebody&password=secret',
    'postgres://somebody:1/secret@127.0.0.1:1/nothing',
    'postgres://somebody:1#secret@127.0.0.1:1/nothing',
    'postgres://somebody:1?secret@127.0.0.1:1/nothing',
    'postgres://somebody:x/secret@127.0.0.1:1/nothing',
    'postgres://somebody:%secret@127.0.0.1:1/nothing',
  ])('the password of %s is not printed', async (url) => {
    const error = await catchError(openHistory({ url, folder: '', log: silentLog }));
    expect(error?.message).toMatch(/^The database .* cannot be used: /);
    expect(error?.message).not.toContain('secret');
  });
});

onPglite('a database folder', (engine) => {
  test('can be opened once across processes, and replaces an incomplete database', async () => {
    const database = await engine.separate();
    const { folder } = database;
    writeFileSync(join(folder, 'database.unfinished'), 'half');
    const history = await database.open();
    expect(readdirSync(folder).sort()).toEqual(['database', 'history.lock']);
    const error = await catchError(database.open());
    expect(error).toMatchObject({
      code: 'DATA_FOLDER_IN_USE',
      context: { folder, pid: process.pid },
    });
    expect(await openInProcess(database)).toBe(error?.message);
    await history.close();
  });

  test('is created without a template, even if none can be saved', async () => {
    const { folder } = await engine.separate();
    writeFileSync(join(folder, 'file'), '');
    const template = join(folder, 'file', 'never.template');
    const embedded = await openEmbeddedDatabase({ folder, log: silentLog, template });
    const { rows } = await sql`select name from migration order by position`.execute(embedded.db);
    expect(rows).toEqual(allMigrations.map(({ name }) => ({ name })));
    await embedded.close();
    expect(readdirSync(folder).sort()).toEqual(['database', 'file']);
  });
});
