import { formatError, type Logger, type Slot, type UnixSeconds } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import { requireObject, requireSlot } from '../rpc/response-values.ts';
import type { SlotTime } from '../source/chain-source.ts';
import type { RpcSocket } from './rpc-socket.ts';

export type ClockFallbackOptions = {
  readonly socket: RpcSocket;
  /** Reads the clock over HTTP, at the commitment of the stream. */
  readonly readClock: () => Promise<SlotTime>;
  readonly onSlot: (slot: Slot, unix: UnixSeconds | undefined) => void;
  readonly log: Logger;
  readonly name: string;
  readonly timing?: Partial<ClockFallbackTiming> | undefined;
};

export type ClockFallbackTiming = {
  /** Time without a clock notification after which the clock is read over HTTP. */
  readonly silentMs: number;
  readonly readEveryMs: number;
  /** Delay from a read until its slot is announced; it doubles if updates arrive later. */
  readonly settleMs: number;
  /** Without any account update for this long, account subscriptions do not work at all. */
  readonly updatesMs: number;
};

const defaultTiming: ClockFallbackTiming = {
  silentMs: 2_000,
  readEveryMs: 1_000,
  settleMs: 1_000,
  updatesMs: 10_000,
};
const MAX_SETTLE_MS = 8_000;

/**
 * For endpoints that send updates of other accounts, but not of the clock sysvar: reads the clock over HTTP while slots
 * arrive over the socket. HTTP may be ahead of the socket, so slots are announced with a delay.
 */
export class ClockFallback {
  readonly #options: ClockFallbackOptions;
  readonly #timing: ClockFallbackTiming;
  readonly #silence: NodeJS.Timeout;
  #updates: NodeJS.Timeout | undefined;
  #settleMs: number;
  #readAt = Number.NEGATIVE_INFINITY;
  #announced: Slot | undefined;
  #isStopped = false;

  constructor(options: ClockFallbackOptions) {
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
    this.#settleMs = this.#timing.settleMs;
    this.#silence = setTimeout(() => void this.#start(), this.#timing.silentMs).unref();
  }

  /** Call it when the socket sends the clock, or is closed. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#silence);
    clearTimeout(this.#updates);
  }

  /** Call it for each account update. */
  noteUpdate(slot: Slot): void {
    this.#updates?.refresh();
    if (this.#announced === undefined || slot > this.#announced) return;
    this.#settleMs = Math.min(MAX_SETTLE_MS, this.#settleMs * 2);
  }

  async #start(): Promise<void> {
    const { socket, log, name } = this.#options;
    try {
      await socket.subscribe('slot', [], (result) => {
        requireSlot(requireObject(result, 'slot notification')['slot'], 'slot');
        void this.#read();
      });
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      log.debug({ source: name, error: formatError(error) }, 'slots are not sent either');
      return;
    }
    if (this.#isStopped || !socket.isOpen) return;
    log.warn({ source: name }, 'the endpoint sends no clock updates, the clock is read over HTTP');
    const { updatesMs } = this.#timing;
    const fail = () => socket.fail(`it sent no account update for ${updatesMs / 1000} s`);
    this.#updates = setTimeout(fail, updatesMs).unref();
  }

  async #read(): Promise<void> {
    const startedAt = performance.now();
    if (this.#isStopped || startedAt - this.#readAt < this.#timing.readEveryMs) return;
    this.#readAt = startedAt;
    try {
      const { slot, unix } = await this.#options.readClock();
      setTimeout(() => this.#announce(slot, unix), this.#settleMs).unref();
    } catch (error) {
      // the next slot causes another read
      if (!(error instanceof CodedError)) throw error;
    }
  }

  #announce(slot: Slot, unix: UnixSeconds | undefined): void {
    if (this.#isStopped || !this.#options.socket.isOpen) return;
    if (this.#announced !== undefined && slot <= this.#announced) return;
    this.#announced = slot;
    this.#options.onSlot(slot, unix);
  }
}
