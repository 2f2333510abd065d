import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { CodedError } from '../../errors.ts';
import type {
  PgliteRequest,
  PgliteResponse,
  PgliteRows,
  PgliteSettings,
  PgliteStatement,
  PgliteWorkerData,
  SqlErrorFields,
} from './pglite-messages.ts';

type PendingStatement = {
  readonly resolve: (result: PgliteRows) => void;
  readonly reject: (error: Error) => void;
};

/** A worker thread does not inherit a TypeScript loader, so tests run the compiled worker too. */
const COMPILED_WORKER = new URL('../../../dist/history/embedded/pglite-worker.js', import.meta.url);

declare global {
  namespace WebAssembly {
    // part of every Node.js, missing in its type declarations
    function compile(bytes: Uint8Array): Promise<Module>;
  }
}

/** The thread passes rows on and keeps none: a large young generation would only hold memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/**
 * The budget is eleven times the default. The optimizing compiler takes a second of CPU and tens of megabytes for
 * functions of the engine that a start calls often enough by default; those of long queries are still optimized within
 * milliseconds. Functions are validated when they are first called, which most are never: 50 ms of CPU less per start.
 */
const ENGINE_FLAGS = '--wasm-tiering-budget=20000000 --wasm-lazy-validation';

/** Time to close. A thread that is killed afterwards has lost nothing that was committed. */
const MAX_CLOSE_MS = 5_000;

let engine: Promise<WebAssembly.Module> | undefined;

/** Compiles the engine once per process: all threads share its machine code. */
async function compileEngine(): Promise<WebAssembly.Module> {
  setFlagsFromString(ENGINE_FLAGS);
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return await WebAssembly.compile(await readFile(join(dirname(entry), 'pglite.wasm')));
}

export async function startPgliteThread(settings: PgliteSettings): Promise<PgliteThread> {
  engine ??= compileEngine();
  const workerData: PgliteWorkerData = { ...settings, engine: await engine };
  const thread = new PgliteThread(new Worker(COMPILED_WORKER, { workerData, resourceLimits }));
  await thread.ready;
  return thread;
}

/** Runs the embedded database in a worker thread, so that a long query does not block the event loop. */
export class PgliteThread {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingStatement>();
  #nextId = 0;
  #stopped: CodedError<'DATABASE_STOPPED'> | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (response: PgliteResponse) => {
        if (response.kind === 'ready') resolve();
        else if (response.kind === 'openFailed') this.#stop(response.reason);
        else this.#settle(response);
      });
      worker.once('error', (error) => this.#stop(error.message));
      worker.once('exit', () => {
        this.#stop('its thread has ended');
        reject(this.#stopped);
      });
    });
  }

  run(statement: PgliteStatement): Promise<PgliteRows> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      const { copyData } = statement;
      this.#post({ kind: 'run', id, ...statement }, copyData === undefined ? [] : [copyData]);
    });
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Undefined while it runs. */
  get stopReason(): string | undefined {
    return this.#stopped?.context.reason;
  }

  /**
   * Closes after all pending statements have run. Returns whether the engine has written everything to its files: on a
   * full disk it would try to forever.
   */
  async close(): Promise<boolean> {
    if (this.#worker.threadId === -1 || this.isStopped) return false;
    let isKilled = false;
    const ended = once(this.#worker, 'exit');
    this.#post({ kind: 'close' });
    const timer = setTimeout(() => {
      isKilled = true;
      void this.kill();
    }, MAX_CLOSE_MS);
    await ended;
    clearTimeout(timer);
    return !isKilled;
  }

  /** Terminates immediately, even during a statement. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(request: PgliteRequest, moved: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, [...moved]);
  }

  #settle(response: Extract<PgliteResponse, { readonly id: number }>): void {
    if (response.kind === 'failed' && response.isFatal) {
      this.#stop(response.failure.message);
      void this.kill();
      return;
    }
    const statement = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if (response.kind === 'ran') statement?.resolve(response.result);
    else statement?.reject(sqlError(response.failure));
  }

  /** Keeps the first reason. */
  #stop(reason: string): void {
    this.#stopped ??= new CodedError('DATABASE_STOPPED', { reason });
    for (const { reject } of this.#pending.values()) reject(this.#stopped);
    this.#pending.clear();
  }
}

function sqlError({ message, ...fields }: SqlErrorFields): Error {
  return Object.assign(new Error(message), fields);
}
