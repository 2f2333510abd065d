import { formatError, type Logger } from '@tidegate/core/base';
import { CodedError } from '../errors.ts';
import type { FeedRequest } from './feed-message.ts';
import type { FeedOrigin, FeedRead, FeedSink, PositionedMessage } from './feed-transport.ts';

/** Messages for readers that are behind, or still load a snapshot. */
const MAX_MESSAGES = 2_048;
const MAX_BYTES = 64 * 2 ** 20;
const WAIT_MS = 1_000;

/** A snapshot that a reader loads. */
export type LocalSnapshot = {
  readonly position: number;
  /** The next chunk, or the position at which the snapshot is complete. */
  next(): Promise<{ readonly bytes: Uint8Array } | { readonly completeAt: number }>;
};

/** A feed in memory, for readers on the same machine. */
export class LocalFeed implements FeedSink {
  readonly #log: Logger;
  #origin: FeedOrigin | undefined;
  #messages: PositionedMessage[] = [];
  #bytes = 0;
  #position = 0;
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  open(origin: FeedOrigin): void {
    this.#origin = origin;
  }

  publish(bytes: Uint8Array): void {
    this.#position += 1;
    this.#messages.push({ position: this.#position, bytes });
    this.#bytes += bytes.length;
    while (this.#messages.length > MAX_MESSAGES || this.#bytes > MAX_BYTES) {
      this.#bytes -= this.#messages.shift()?.bytes.length ?? 0;
    }
    this.#wakeAll();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wakeAll();
  }

  /** Undefined before the first state is complete. */
  openSnapshot(): LocalSnapshot | undefined {
    const origin = this.#origin;
    if (origin === undefined) return undefined;
    const chunks = origin.snapshot()[Symbol.asyncIterator]();
    return {
      position: this.#position,
      next: async () => {
        const { done, value } = await chunks.next();
        if (done !== true) return { bytes: value };
        origin.flush();
        return { completeAt: this.#position };
      },
    };
  }

  /** Waits for messages for about a second. */
  async read(after: number): Promise<FeedRead> {
    if (after >= this.#position) await this.#nextMessage();
    if (this.#isClosed) throw new CodedError('SOURCE_UNAVAILABLE', CLOSED);
    const [oldest] = this.#messages;
    if (oldest !== undefined && oldest.position > after + 1) {
      return { kind: 'superseded', reason: `messages after ${after} are gone` };
    }
    const messages = this.#messages.filter(({ position }) => position > after);
    return { kind: 'messages', messages };
  }

  /** The reply is in a later message. */
  request(id: string, request: FeedRequest): void {
    const origin = this.#origin;
    if (origin === undefined) return;
    origin.handle(request).then(
      (failure) => origin.reply(id, failure),
      (error: unknown) => this.#log.warn({ reason: formatError(error) }, 'a request was ignored'),
    );
  }

  async #nextMessage(): Promise<void> {
    if (this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, WAIT_MS);
      this.#waiting.add(wake);
    });
  }

  #wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

const CLOSED = { source: 'feed', reason: 'it is closed' };
