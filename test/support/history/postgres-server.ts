import { userInfo } from 'node:os';
import { basename } from 'node:path';
import pg from 'pg';
import { runFolder } from '../processes/run-folder.ts';
import { usesServices } from '../processes/services.ts';

/** Far above what a busy server takes: a test must not be skipped because it is slow. */
const CONNECT_LIMIT_MS = 60_000;

/** The server in TEST_DATABASE_URL, or the one on the default socket; undefined if there is none or it must not be used. */
export async function findPostgresServer(): Promise<string | undefined> {
  if (!usesServices) return undefined;
  const configured = process.env['TEST_DATABASE_URL'];
  if (configured !== undefined) return configured;
  const user = encodeURIComponent(userInfo().username);
  const onSocket = `postgres://${user}@/postgres?host=/var/run/postgresql`;
  return (await canConnect(onSocket)) ? onSocket : undefined;
}

async function canConnect(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
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

/**
 * The name of the database that has this release's schema and no rows, and is copied. Each process of a run has its own; its
 * workers are threads.
 */
export const templateName = (): string => {
  const run = basename(runFolder() ?? 'none').toLowerCase();
  return `history_template_${run.replace(/\W/g, '_')}_${process.pid}`;
};

/** Call it when the run ends. */
export async function removeTemplate(): Promise<void> {
  const server = await findPostgresServer();
  if (server === undefined) return;
  await runStatements(server, `drop database if exists ${templateName()} with (force)`);
}
