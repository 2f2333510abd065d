import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types } from '@electric-sql/pglite';
import { formatError } from '@tidegate/core/base';
import { unpackFolder } from './folder-archive.ts';
import type {
  PgliteRequest,
  PgliteResponse,
  PgliteSettings,
  SqlErrorFields,
} from './pglite-messages.ts';

/** Left to itself the log of changes grows to a gigabyte before it is used again. */
const START = [...PGlite.defaultStartParams, '-c', 'max_wal_size=128MB'];

const tell = (news: PgliteResponse): void => parentPort?.postMessage(news);

async function open({ database, template }: PgliteSettings): Promise<PGlite> {
  if (template !== undefined && !existsSync(database)) {
    const unfinished = `${database}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    unpackFolder(readFileSync(template), unfinished);
    renameSync(unfinished, database);
  }
  return PGlite.create(database, { startParams: START, parsers: { [types.INT8]: BigInt } });
}

async function answer(database: PGlite, ask: PgliteRequest): Promise<void> {
  if (ask.kind === 'close') {
    await database.close();
    parentPort?.close();
    return;
  }
  const { id, sql, parameters, copied } = ask;
  try {
    const options = copied === undefined ? {} : { blob: new Blob([copied]) };
    const result = await database.query<Record<string, unknown>>(sql, [...parameters], options);
    const { rows, affectedRows: affected = 0 } = result;
    tell({ kind: 'ran', id, result: { rows, affected } });
  } catch (error) {
    tell({ kind: 'failed', id, failure: failureParts(error) });
  }
}

function failureParts(error: unknown): SqlErrorFields {
  const part = (name: string): string | undefined => {
    if (!(error instanceof Error) || !(name in error)) return undefined;
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' ? value : undefined;
  };
  const message = error instanceof Error ? error.message : String(error);
  return { message, code: part('code'), detail: part('detail'), constraint: part('constraint') };
}

try {
  const database = await open(workerData);
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (ask: PgliteRequest) => {
    last = last.then(() => answer(database, ask));
  });
  tell({ kind: 'ready' });
} catch (error) {
  tell({ kind: 'refused', reason: formatError(error) });
  parentPort?.close();
}
