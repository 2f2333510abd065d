import type { ServerResponse } from 'node:http';
import { formatEvent, HEARTBEAT } from './event-format.ts';

/** Time for the last event of a stream that is closed. */
const CLOSE_GRACE_MS = 2_000;

/** Why the server ends a stream: a code of the errors, or one of streams alone. */
export type StreamEnd = { readonly code: string; readonly message: string };

type EventStreamOptions = {
  /** Bytes that may wait for a client. */
  readonly maxBufferedBytes: number;
  readonly onSent: () => void;
  /** Called once when the client does not read. */
  readonly onSlow: (stream: EventStream) => void;
};

/** The stream of one client. What it sends is shared with other clients, so it costs no memory unless the client is slow. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #options: EventStreamOptions;
  #isOpen = true;
  /** What a heartbeat says beside being one. All heartbeats of a round are sent together. */
  note: ((round: number) => Buffer | undefined) | undefined;

  constructor(response: ServerResponse, options: EventStreamOptions) {
    this.#response = response;
    this.#options = options;
    response.once('close', () => {
      this.#isOpen = false;
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(bytes: Buffer): void {
    if (this.#write(bytes)) this.#options.onSent();
  }

  heartbeat(round: number): void {
    this.#write(HEARTBEAT);
    const note = this.note?.(round);
    if (note !== undefined) this.#write(note);
  }

  /** Resolves when the client has read almost everything, or left. */
  whenReady(): Promise<void> {
    const response = this.#response;
    if (!this.#isOpen || !response.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.on('drain', done).on('close', done);
    });
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  /** Says why and ends the stream. The connection of a client that does not read is cut. */
  close({ code, message }: StreamEnd): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const data = JSON.stringify({ code, message });
    this.#response.end(formatEvent({ event: 'closed', data }));
    const timer = setTimeout(() => this.#response.destroy(), CLOSE_GRACE_MS).unref();
    this.#response.once('close', () => clearTimeout(timer));
  }

  #write(bytes: Buffer): boolean {
    if (!this.#isOpen) return false;
    const buffered = this.#response.writableLength;
    // an event may be larger than the limit, but nothing may wait behind it
    if (buffered > 0 && buffered + bytes.length > this.#options.maxBufferedBytes) {
      this.#options.onSlow(this);
      return false;
    }
    this.#response.write(bytes);
    return true;
  }
}
