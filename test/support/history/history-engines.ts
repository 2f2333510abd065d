import { afterAll, describe, onTestFinished } from 'vitest';
import { type History, openHistory } from '#server/history/open-history.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { usesEmbedded } from '../processes/services.ts';
import { findPostgresServer } from './postgres-server.ts';
import {
  copyPostgresTemplate,
  createPgliteFolder,
  createPostgresDatabase,
  type DatabaseLocation,
  type TemporaryDatabase,
} from './test-databases.ts';
import { acquireDatabase, emptyWorkerDatabase } from './worker-database.ts';

/** A database of a test. It can be opened again after it was closed. */
export type TestDatabase = { open(): Promise<History> };

/** One with a location of its own. */
export type SeparateDatabase = TestDatabase & DatabaseLocation;

export type TestEngine = {
  readonly name: History['engine'];
  /** Shared by all tests of the file, which use unique addresses and names. */
  shared(): Promise<History>;
  /** Without rows, only for the running test. The embedded one has no folder of its own: see `separate`. */
  fresh(): Promise<TestDatabase>;
  /** Only for the running test, with a location that other code can open. */
  separate(): Promise<SeparateDatabase>;
};

const server = await findPostgresServer();

/** Runs the tests on both engines. PostgreSQL tests are reported as skipped if there is no server. */
export function onEachEngine(name: string, define: (engine: TestEngine) => void): void {
  onPglite(name, define);
  onPostgres(name, define);
}

export const onPglite = (name: string, define: (engine: TestEngine) => void): void => {
  describe.runIf(usesEmbedded)(`${name}, embedded`, () => define(engineOf('pglite')));
};

export const onPostgres = (name: string, define: (engine: TestEngine) => void): void => {
  describe.skipIf(server === undefined)(`${name}, served`, () => define(engineOf('postgres')));
};

function engineOf(name: History['engine']): TestEngine {
  const isEmbedded = name === 'pglite';
  const ends: (() => Promise<void>)[] = [];
  let shared: Promise<History> | undefined;
  const openShared = async () => {
    if (isEmbedded) return emptyWorkerDatabase();
    const { location, remove } = await copyPostgresTemplate(server ?? '');
    const history = await open(location);
    ends.push(() => history.close(), remove);
    return history;
  };
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return {
    name,
    shared: () => {
      shared ??= openShared();
      return shared;
    },
    fresh: isEmbedded ? reuse : async () => ofTest(await copyPostgresTemplate(server ?? '')),
    separate: async () =>
      ofTest(await (isEmbedded ? createPgliteFolder() : createPostgresDatabase(server ?? ''))),
  };
}

/** An embedded database that the next test uses again. */
async function reuse(): Promise<TestDatabase> {
  const database = await acquireDatabase();
  onTestFinished(() => database.release());
  return { open: async () => database.open() };
}

/** Removes the database when the test ends. */
function ofTest({ location, remove }: TemporaryDatabase): SeparateDatabase {
  onTestFinished(remove);
  return { ...location, open: () => open(location) };
}

const open = ({ url, folder }: DatabaseLocation) => openHistory({ url, folder, log: silentLog });
