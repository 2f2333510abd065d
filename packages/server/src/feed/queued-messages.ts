import type { PositionedMessage } from './feed-transport.ts';

/** Messages that wait until Redis has them, up to a number of bytes. */
export class QueuedMessages {
  #messages: PositionedMessage[] = [];
  #bytes = 0;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#messages.length;
  }

  get first(): PositionedMessage | undefined {
    return this.#messages[0];
  }

  /** Returns false if the queue now has more bytes than it may. */
  add(message: PositionedMessage): boolean {
    this.#messages.push(message);
    this.#bytes += message.bytes.length;
    return this.#bytes <= this.#maxBytes;
  }

  /** Removes the message if it is still the first one: the queue may have been cleared meanwhile. */
  remove(message: PositionedMessage): boolean {
    if (this.first !== message) return false;
    this.#messages.shift();
    this.#bytes -= message.bytes.length;
    return true;
  }

  clear(): void {
    this.#messages = [];
    this.#bytes = 0;
  }
}
