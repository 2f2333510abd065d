import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { openHistory } from '#server/history/open-history.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { temporaryFolderPath } from '../processes/run-folder.ts';
import { runStatements, templateName } from './postgres-server.ts';

/** The location of a temporary database. */
export type DatabaseLocation = {
  /** Undefined for the embedded database. */
  readonly url: string | undefined;
  readonly folder: string;
};

export type TemporaryDatabase = { readonly location: DatabaseLocation; remove(): Promise<void> };

export async function createPgliteFolder(): Promise<TemporaryDatabase> {
  const folder = temporaryFolderPath('history-');
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  return { location: { url: undefined, folder }, remove };
}

/** An empty database without tables. */
export const createPostgresDatabase = (server: string): Promise<TemporaryDatabase> =>
  createDatabase(server, '');

let preparing: Promise<string> | undefined;

/** A database with this release's tables. Only in a test run, which removes the template. */
export async function copyPostgresTemplate(server: string): Promise<TemporaryDatabase> {
  preparing ??= createTemplate(server);
  return await createDatabase(server, `template ${await preparing}`);
}

async function createDatabase(server: string, options: string): Promise<TemporaryDatabase> {
  const name = `history_test_${randomBytes(6).toString('hex')}`;
  await runStatements(server, `create database ${name} ${options}`);
  const remove = () => runStatements(server, `drop database if exists ${name} with (force)`);
  return { location: { url: urlOf(server, name), folder: '' }, remove };
}

/** Workers of a run wait for the one that creates it. */
async function createTemplate(server: string): Promise<string> {
  const name = templateName();
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) {
      await client.query(`create database ${name}`);
      await (await openHistory({ url: urlOf(server, name), folder: '', log: silentLog })).close();
    }
    return name;
  } finally {
    await client.end();
  }
}

// the URL class does not support socket URLs, which have no host
const urlOf = (server: string, name: string): string =>
  server.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
