import { afterAll, describe, onTestFinished } from 'vitest';
import { type History, openHistory } from '#server/history/open-history.ts';
import { silentLog } from '../fakes/silent-log.ts';
import {
  createPgliteFolder,
  createPostgresDatabase,
  type DatabaseLocation,
  findPostgresServer,
  type TemporaryDatabase,
} from './test-databases.ts';
import { emptyWorkerDatabase } from './worker-database.ts';

/** A separate database. It can be opened again after it was closed. */
export type TestDatabase = DatabaseLocation & { open(): Promise<History> };

export type TestEngine = {
  readonly name: History['engine'];
  /** Shared by all tests of the file, which use unique addresses and names. */
  shared(): Promise<History>;
  /** Only for the running test. */
  fresh(): Promise<TestDatabase>;
};

const server = await findPostgresServer();

/** Runs the tests on both engines. PostgreSQL tests are reported as skipped if there is no server. */
export function onEachEngine(name: string, define: (engine: TestEngine) => void): void {
  describe(`${name}, embedded`, () => define(engineOf('pglite')));
  describe.skipIf(server === undefined)(`${name}, served`, () => define(engineOf('postgres')));
}

export const onPglite = (name: string, define: (engine: TestEngine) => void): void => {
  describe(`${name}, embedded`, () => define(engineOf('pglite')));
};

export const onPostgres = (name: string, define: (engine: TestEngine) => void): void => {
  describe.skipIf(server === undefined)(`${name}, served`, () => define(engineOf('postgres')));
};

function engineOf(name: History['engine']): TestEngine {
  const make = name === 'pglite' ? createPgliteFolder : makeOnServer;
  const ends: (() => Promise<void>)[] = [];
  let shared: Promise<History> | undefined;
  const openShared = async () => {
    if (name === 'pglite') return emptyWorkerDatabase();
    const { location, remove } = await make();
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
    fresh: async () => {
      const { location, remove } = await make();
      onTestFinished(remove);
      return { ...location, open: () => open(location) };
    },
  };
}

const open = ({ url, folder }: DatabaseLocation) => openHistory({ url, folder, log: silentLog });

const makeOnServer = (): Promise<TemporaryDatabase> => createPostgresDatabase(server ?? '');
