import { setImmediate } from 'node:timers/promises';
import type { WorkerMessage } from './localnet-settings.ts';
import type { SimulationRecorder } from './simulation/simulate-cluster.ts';

/** Messages that may be in flight before the simulation waits. */
const MAX_IN_FLIGHT = 6;

/** Sends the history to a recorder in the main thread. */
export class WorkerRecorder implements SimulationRecorder {
  readonly #send: (message: WorkerMessage) => void;
  readonly #signal: AbortSignal;
  #inFlight = 0;
  #wake: (() => void) | undefined;

  /** Calls that wait are rejected when the signal is aborted. */
  constructor(send: (message: WorkerMessage) => void, signal: AbortSignal) {
    this.#send = send;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake?.());
  }

  async begin(...[plan, metadata]: Parameters<SimulationRecorder['begin']>): Promise<void> {
    this.#sendCounted({ kind: 'begun', plan, metadata });
    await this.#waitUntilBelow(1);
  }

  async write(steps: Parameters<SimulationRecorder['write']>[0]): Promise<void> {
    this.#sendCounted({ kind: 'steps', steps });
    await this.#waitUntilBelow(MAX_IN_FLIGHT);
  }

  async end(): Promise<void> {
    this.#sendCounted({ kind: 'ended' });
    await this.#waitUntilBelow(1);
  }

  /** The main thread recorded one message. */
  acknowledge(): void {
    this.#inFlight--;
    this.#wake?.();
  }

  #sendCounted(message: WorkerMessage): void {
    this.#inFlight++;
    this.#send(message);
  }

  async #waitUntilBelow(count: number): Promise<void> {
    // lets the thread receive messages
    await setImmediate();
    this.#signal.throwIfAborted();
    while (this.#inFlight >= count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#signal.throwIfAborted();
    }
  }
}
