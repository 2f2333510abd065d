import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CodedError } from '@tidegate/core/base';
import type {
  PgliteRequest,
  PgliteResponse,
  PgliteRows,
  PgliteSettings,
  PgliteStatement,
  SqlErrorFields,
} from './pglite-messages.ts';

type Waiting = {
  readonly resolve: (result: PgliteRows) => void;
  readonly reject: (error: Error) => void;
};

export async function startPgliteThread(settings: PgliteSettings): Promise<PgliteThread> {
  const thread = new PgliteThread(startWorker(settings));
  await thread.ready;
  return thread;
}

function startWorker(workerData: PgliteSettings): Worker {
  if (import.meta.url.endsWith('.js')) {
    return new Worker(new URL('./pglite-worker.js', import.meta.url), { workerData });
  }
  // a thread does not inherit what takes the types off the source
  const source = new URL('./pglite-worker.ts', import.meta.url).href;
  const start = `import('tsx/esm/api').then(({ register }) => { register(); return import('${source}'); })`;
  return new Worker(start, { eval: true, workerData });
}

/** The embedded database in a thread of its own: a long query holds up nobody but the next one. */
export class PgliteThread {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 0;
  #stopped: CodedError | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (news: PgliteResponse) => {
        if (news.kind === 'ready') resolve();
        else if (news.kind === 'refused') this.#stop(news.reason);
        else this.#settle(news);
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
      this.#waiting.set(id, { resolve, reject });
      this.#post({ kind: 'run', id, ...statement });
    });
  }

  /** After what was asked before. */
  async close(): Promise<void> {
    if (this.#worker.threadId === -1) return;
    const ended = once(this.#worker, 'exit');
    this.#post({ kind: 'close' });
    await ended;
  }

  /** At once, in the middle of whatever it does. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(ask: PgliteRequest): void {
    this.#worker.postMessage(ask);
  }

  #settle(news: Extract<PgliteResponse, { readonly id: number }>): void {
    const waiting = this.#waiting.get(news.id);
    this.#waiting.delete(news.id);
    if (news.kind === 'ran') waiting?.resolve(news.result);
    else waiting?.reject(sqlError(news.failure));
  }

  /** The first reason is the one that counts. */
  #stop(reason: string): void {
    this.#stopped ??= new CodedError('DATABASE_STOPPED', { reason });
    for (const { reject } of this.#waiting.values()) reject(this.#stopped);
    this.#waiting.clear();
  }
}

function sqlError({ message, ...parts }: SqlErrorFields): Error {
  return Object.assign(new Error(message), parts);
}
