import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { ProgramRules } from '@tidegate/core/protocol/releases';
import { CodedError } from '../errors.ts';
import { executeRequest } from './execute-replay.ts';
import type {
  ExampleTask,
  NewProofRequest,
  ProofExecutor,
  ProofRequest,
  ProofResponse,
  ReplayResult,
  ReplayTask,
} from './proof-messages.ts';

/** The accounts of one slot at a time. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

type Pending = {
  readonly resolve: (response: ProofResponse) => void;
  readonly reject: (error: Error) => void;
};

/**
 * Replays slots in a thread of their own, which starts with the first one, and again after it has ended. When run from
 * source, in the caller's thread: a worker does not inherit a TypeScript loader.
 */
export class ProofThread implements ProofExecutor {
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #nextId = 0;

  async replay(task: ReplayTask): Promise<ReplayResult> {
    const start = performance.now();
    const sent = this.#send({ kind: 'replay', task });
    // the caller's thread copies the accounts
    const copyMs = performance.now() - start;
    const response = await sent;
    if (response.kind !== 'replay') throw failed(response);
    const { proof, ms } = response.result;
    return { proof, ms: ms + copyMs };
  }

  async describe(task: ExampleTask): Promise<string> {
    const response = await this.#send({ kind: 'describe', task });
    if (response.kind === 'describe') return response.text;
    throw failed(response);
  }

  async recheck(text: string, rules: ProgramRules): Promise<boolean> {
    const response = await this.#send({ kind: 'recheck', text, rules });
    if (response.kind === 'recheck') return response.isProven;
    throw failed(response);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #send(unsent: NewProofRequest): Promise<ProofResponse> {
    const request: ProofRequest = { ...unsent, id: this.#nextId++ };
    if (!import.meta.url.endsWith('.js')) {
      await nextTurn();
      return executeRequest(request);
    }
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return await new Promise((resolve, reject) => {
      this.#pending.set(request.id, { resolve, reject });
      worker.postMessage(request);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./proof-worker.js', import.meta.url), { resourceLimits });
    worker.unref();
    worker.on('message', (response: ProofResponse) => {
      this.#pending.get(response.id)?.resolve(response);
      this.#pending.delete(response.id);
    });
    worker.on('error', (error) => this.#end(error.message));
    worker.on('exit', () => this.#end('it has ended'));
    return worker;
  }

  #end(reason: string): void {
    this.#worker = undefined;
    for (const { reject } of this.#pending.values()) {
      reject(new CodedError('MALFORMED_DATA', { what: 'replay', reason }));
    }
    this.#pending.clear();
  }
}

const failed = (response: ProofResponse): CodedError => {
  const reason = response.kind === 'failed' ? response.reason : 'another answer was expected';
  return new CodedError('MALFORMED_DATA', { what: 'replay', reason });
};
