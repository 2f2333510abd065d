import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** Where a database of its own is to be. */
export type DatabaseLocation = {
  /** Undefined for the embedded one. */
  readonly url: string | undefined;
  readonly folder: string;
};

export type TemporaryDatabase = { readonly location: DatabaseLocation; remove(): Promise<void> };

/** The one that is named, or the one on the usual socket; undefined where there is none. */
export async function findPostgresServer(): Promise<string | undefined> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined) return given;
  const user = encodeURIComponent(userInfo().username);
  const onSocket = `postgres://${user}@/postgres?host=/var/run/postgresql`;
  return (await answers(onSocket)) ? onSocket : undefined;
}

export async function createPgliteFolder(): Promise<TemporaryDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  return { location: { url: undefined, folder }, remove };
}

export async function createPostgresDatabase(server: string): Promise<TemporaryDatabase> {
  const name = `history_test_${randomBytes(6).toString('hex')}`;
  await runOn(server, `create database ${name}`);
  // an address without a host, as that of the socket, is none that URL takes
  const url = server.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
  const remove = () => runOn(server, `drop database if exists ${name} with (force)`);
  return { location: { url, folder: '' }, remove };
}

async function runOn(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
