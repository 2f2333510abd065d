import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, onTestFinished } from 'vitest';
import { type History, openHistory } from '../../src/history/open.ts';
import { silentLog } from './silent-log.ts';

/** A database of its own: `open` may be called again after what it gave was closed. */
export type TestDatabase = {
  /** Undefined for the embedded one. */
  readonly url: string | undefined;
  readonly folder: string;
  open(): Promise<History>;
};

export type TestEngine = {
  readonly name: History['engine'];
  /** One for all tests of the file, each of which takes addresses and names of its own. */
  shared(): Promise<History>;
  /** One for the running test alone. */
  fresh(): Promise<TestDatabase>;
};

const TIMEOUT_MS = 60_000;

const given = process.env['TEST_DATABASE_URL'];
const onSocket = `postgres://${encodeURIComponent(userInfo().username)}@/postgres?host=/var/run/postgresql`;
const server = given ?? ((await answers(onSocket)) ? onSocket : undefined);

/** The same tests on both engines. Those on PostgreSQL are skipped, and reported so, where there is no server. */
export function onEachEngine(name: string, define: (engine: TestEngine) => void): void {
  describe(`${name}, embedded`, { timeout: TIMEOUT_MS }, () => define(engineOf('pglite')));
  describe.skipIf(server === undefined)(`${name}, served`, { timeout: TIMEOUT_MS }, () =>
    define(engineOf('postgres')),
  );
}

export const onEmbedded = (name: string, define: (engine: TestEngine) => void): void => {
  describe(`${name}, embedded`, { timeout: TIMEOUT_MS }, () => define(engineOf('pglite')));
};

export const onServed = (name: string, define: (engine: TestEngine) => void): void => {
  describe.skipIf(server === undefined)(`${name}, served`, { timeout: TIMEOUT_MS }, () =>
    define(engineOf('postgres')),
  );
};

function engineOf(name: History['engine']): TestEngine {
  const make = name === 'pglite' ? makeFolder : makeDatabase;
  const ends: (() => Promise<void>)[] = [];
  let shared: Promise<History> | undefined;
  const openShared = async () => {
    const { database, remove } = await make();
    const history = await open(database);
    ends.push(() => history.close(), remove);
    return history;
  };
  afterAll(async () => {
    for (const end of ends) await end();
  }, TIMEOUT_MS);
  return {
    name,
    shared: () => {
      shared ??= openShared();
      return shared;
    },
    fresh: async () => {
      const { database, remove } = await make();
      onTestFinished(remove, TIMEOUT_MS);
      return { ...database, open: () => open(database) };
    },
  };
}

type Place = Omit<TestDatabase, 'open'>;
type Made = { readonly database: Place; remove(): Promise<void> };

const open = ({ url, folder }: Place) => openHistory({ url, folder, log: silentLog });

async function makeFolder(): Promise<Made> {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  return { database: { url: undefined, folder }, remove };
}

async function makeDatabase(): Promise<Made> {
  const name = `history_test_${randomBytes(6).toString('hex')}`;
  await onServer(`create database ${name}`);
  // an address without a host, as that of the socket, is none that URL takes
  const url = (server ?? '').replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
  const remove = () => onServer(`drop database if exists ${name} with (force)`);
  return { database: { url, folder: '' }, remove };
}

async function onServer(sql: string): Promise<void> {
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
