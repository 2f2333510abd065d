import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import pg from 'pg';
import { temporaryFolderPath } from '../processes/run-folder.ts';

/** The location of a temporary database. */
export type DatabaseLocation = {
  /** Undefined for the embedded database. */
  readonly url: string | undefined;
  readonly folder: string;
};

export type TemporaryDatabase = { readonly location: DatabaseLocation; remove(): Promise<void> };

/** The server in TEST_DATABASE_URL, or the one on the default socket; undefined if there is none. */
export async function findPostgresServer(): Promise<string | undefined> {
  const configured = process.env['TEST_DATABASE_URL'];
  if (configured !== undefined) return configured;
  const user = encodeURIComponent(userInfo().username);
  const onSocket = `postgres://${user}@/postgres?host=/var/run/postgresql`;
  return (await canConnect(onSocket)) ? onSocket : undefined;
}

export async function createPgliteFolder(): Promise<TemporaryDatabase> {
  const folder = temporaryFolderPath('history-');
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  return { location: { url: undefined, folder }, remove };
}

export async function createPostgresDatabase(server: string): Promise<TemporaryDatabase> {
  const name = `history_test_${randomBytes(6).toString('hex')}`;
  await runStatements(server, `create database ${name}`);
  // the URL class does not support socket URLs, which have no host
  const url = server.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
  const remove = () => runStatements(server, `drop database if exists ${name} with (force)`);
  return { location: { url, folder: '' }, remove };
}

/** Runs statements with a connection of their own. */
export async function runStatements(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function canConnect(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
