import cluster, { type Worker } from 'node:cluster';
import { formatError, type Logger } from '@tidegate/core/base';
import { createDeferred } from '../../chain/deferred.ts';
import type { WorkerMetrics } from '../../workers/merge-metrics.ts';
import type { PrimaryHandlers } from '../../workers/primary-handlers.ts';
import { ProcessChannel, type RequestHandlers } from '../../workers/process-channel.ts';
import { fromProcessFailure } from '../../workers/process-failure.ts';
import type { PrimaryRequests, WorkerRequests } from '../../workers/worker-requests.ts';

type PoolOptions = {
  readonly count: number;
  /** The port of all workers. */
  readonly port: number;
  /** For a worker that starts. */
  readonly createHandlers: () => PrimaryHandlers;
  readonly log: Logger;
};

type RunningWorker = {
  readonly worker: Worker;
  readonly channel: ProcessChannel<WorkerRequests, PrimaryRequests>;
};

const RESTART_MS = 500;
/** A worker ends within 10 s after it has drained. */
const KILL_MS = 10_000;
/** A scrape does not wait longer for a worker. */
const METRICS_MS = 1_000;

/** The processes that answer requests on one port. One that ends is replaced. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #running = new Map<number, RunningWorker>();
  readonly #listening = createDeferred<string>();
  readonly #opened = createDeferred<void>();
  readonly #failed = createDeferred<never>();
  #hasListened = false;
  #isStopping = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** The URL, as soon as the first worker listens. */
  get listening(): Promise<string> {
    return this.#listening.promise;
  }

  /** Resolves when the first worker has opened the clusters. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Rejects if a worker fails before any has listened: the next one would fail too. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  start(): void {
    // bytes stay bytes
    cluster.setupPrimary({ serialization: 'advanced' });
    for (let number = 1; number <= this.#options.count; number++) this.#fork(number);
  }

  /** The metrics of each worker that responds. */
  async metrics(): Promise<WorkerMetrics[]> {
    const known = [...this.#running].map(async ([number, { channel }]) => {
      const late = new Promise<undefined>((resolve) => {
        setTimeout(() => resolve(undefined), METRICS_MS).unref();
      });
      const own = channel.request('ownMetrics', undefined).catch(() => undefined);
      const metrics = await Promise.race([own, late]);
      return metrics === undefined ? [] : [{ worker: `${number}`, metrics }];
    });
    return (await Promise.all(known)).flat();
  }

  /** Lets the workers drain, as the signal asks for, and complete open requests. */
  async stop(signal: NodeJS.Signals, drainMs: number): Promise<void> {
    this.#isStopping = true;
    const ended = [...this.#running.values()].map(async ({ worker }) => {
      const exit = new Promise((resolve) => worker.once('exit', resolve));
      worker.process.kill(signal);
      const timer = setTimeout(() => worker.process.kill('SIGKILL'), drainMs + KILL_MS);
      await exit;
      clearTimeout(timer);
    });
    await Promise.all(ended);
  }

  /** Ends the workers at once. */
  kill(): void {
    this.#isStopping = true;
    for (const { worker } of this.#running.values()) worker.process.kill('SIGKILL');
  }

  #fork(number: number): void {
    if (this.#isStopping) return;
    const { log, port } = this.#options;
    const worker = cluster.fork({ PORT: `${port}` });
    const channel = new ProcessChannel<WorkerRequests, PrimaryRequests>(
      {
        // a worker that has ended is reported by its exit
        send: (message) => void (worker.isConnected() && worker.send(message as object, ignore)),
        onMessage: (listener) => void worker.on('message', listener),
      },
      this.#handlers(number),
    );
    this.#running.set(number, { worker, channel });
    log.info({ worker: number, pid: worker.process.pid }, 'started a worker');
    worker.on('error', (error) =>
      log.warn({ worker: number, reason: formatError(error) }, 'a worker was not reached'),
    );
    worker.once('exit', (code, signal) => {
      channel.close();
      this.#running.delete(number);
      if (this.#isStopping) return;
      log.warn({ worker: number, code, signal }, 'a worker has ended and is started again');
      setTimeout(() => this.#fork(number), RESTART_MS);
    });
  }

  #handlers(number: number): RequestHandlers<PrimaryRequests> {
    const { log, createHandlers } = this.#options;
    return {
      ...createHandlers(),
      listening: ({ url }) => {
        this.#hasListened = true;
        this.#listening.resolve(url);
        return undefined;
      },
      opened: () => {
        this.#opened.resolve();
        return undefined;
      },
      failed: (failure) => {
        const error = fromProcessFailure(failure);
        if (!this.#hasListened) this.#failed.reject(error);
        else if (!this.#isStopping)
          log.error({ worker: number, reason: formatError(error) }, 'a worker has failed');
        return undefined;
      },
    };
  }
}

const ignore = (): void => undefined;
