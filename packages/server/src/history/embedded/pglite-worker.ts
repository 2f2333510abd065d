import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types } from '@electric-sql/pglite';
import { formatError } from '@tidegate/core/base';
import { unpackFolder } from './folder-archive.ts';
import type {
  PgliteRequest,
  PgliteResponse,
  PgliteWorkerData,
  SqlErrorFields,
} from './pglite-messages.ts';

/**
 * By default the write-ahead log grows to a gigabyte before it is recycled, and the page cache of the database to
 * 128 MB: it is resident for good, and the system caches the files as well.
 */
const START_PARAMS = [
  ...PGlite.defaultStartParams,
  ...['-c', 'max_wal_size=128MB'],
  ...['-c', 'shared_buffers=16MB'],
];

const respond = (response: PgliteResponse): void => parentPort?.postMessage(response);

async function open({ database, template, engine }: PgliteWorkerData): Promise<PGlite> {
  if (template !== undefined && !existsSync(database)) {
    const unfinished = `${database}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    unpackFolder(readFileSync(template), unfinished);
    renameSync(unfinished, database);
  }
  return PGlite.create(database, {
    pgliteWasmModule: engine,
    startParams: START_PARAMS,
    parsers: { [types.INT8]: BigInt },
  });
}

async function handle(database: PGlite, request: PgliteRequest): Promise<void> {
  if (request.kind === 'close') {
    await database.close();
    parentPort?.close();
    return;
  }
  const { id, sql, parameters, copyData } = request;
  try {
    const options = copyData === undefined ? {} : { blob: new Blob([copyData]) };
    const result = await database.query<Record<string, unknown>>(sql, [...parameters], options);
    const { rows, affectedRows: affected = 0 } = result;
    respond({ kind: 'ran', id, result: { rows, affected } });
  } catch (error) {
    const failure = errorFields(error);
    respond({ kind: 'failed', id, failure, isFatal: isFatal(error, failure) });
  }
}

/**
 * After a panic, such as a full disk under the write-ahead log, the engine goes on with inconsistent memory. Only a
 * restart, which recovers what was committed, helps.
 */
const isFatal = (error: unknown, { code }: SqlErrorFields): boolean =>
  code === INTERNAL_ERROR || (error instanceof Error && ENGINE_ERRORS.has(error.name));

const INTERNAL_ERROR = 'XX000';
const ENGINE_ERRORS = new Set(['RuntimeError', 'ExitStatus']);

function errorFields(error: unknown): SqlErrorFields {
  const field = (name: string): string | undefined => {
    if (!(error instanceof Error) || !(name in error)) return undefined;
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' ? value : undefined;
  };
  const message = error instanceof Error ? error.message : String(error);
  return { message, code: field('code'), detail: field('detail'), constraint: field('constraint') };
}

try {
  const database = await open(workerData);
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (request: PgliteRequest) => {
    last = last.then(() => handle(database, request));
  });
  respond({ kind: 'ready' });
} catch (error) {
  respond({ kind: 'openFailed', reason: formatError(error) });
  parentPort?.close();
}
