import { CodedError } from '../../errors.ts';
import { formatEvent } from './event-format.ts';
import type { EventStream } from './event-stream.ts';

/** The body of a URL, and the headers that say what it is true for. */
export type ComputedBody = {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type BodySource = {
  /** Changes with the data that the body depends on. */
  readonly version: () => number;
  /** The slot of the state. */
  readonly slot: () => bigint;
  /** The body, or why there is none now. */
  readonly compute: () => Promise<ComputedBody | CodedError>;
  /** Headers of the state now, without those of a body. */
  readonly freshness: () => Readonly<Record<string, string>>;
  /** Whether the slot determines the body, in every process. */
  readonly isOfSlot: boolean;
};

/** What clients are told. A new object is something that they have not seen. */
type Update = {
  readonly bytes: Buffer;
  /** The event id of a body; undefined for an error. */
  readonly slot: bigint | undefined;
  readonly text: string;
  /** Whether another body was sent for the same slot, so that the id does not tell which. */
  readonly isAmbiguous: boolean;
};

type Client = {
  readonly stream: EventStream;
  /** The client has seen this slot, so it gets nothing of an earlier one. */
  readonly minSlot: bigint;
  seen: Update | undefined;
  /** The slot of the state when something was last sent. */
  sentAt: bigint | undefined;
};

type ErrorJson = { readonly code: string; readonly message: string; readonly statusCode: number };

type SharedBodyOptions = {
  readonly source: BodySource;
  readonly describeError: (error: CodedError) => ErrorJson;
  /** Called when nobody uses it any more. */
  readonly onIdle: () => void;
};

const RETRY_SECONDS = 1;

/** The body of one URL, computed once per change for all clients that stream it. */
export class SharedBody {
  readonly #options: SharedBodyOptions;
  readonly #clients = new Set<Client>();
  /** Requests that are about to become clients. */
  #waiting = 0;
  #version: number | undefined;
  /** The slot of the state when it was last computed. */
  #computedAt: bigint | undefined;
  #latest: Update | undefined;
  #failure: CodedError | undefined;
  /** Headers of the last computation. */
  #headers: Readonly<Record<string, string>> = {};
  #running: Promise<void> | undefined;
  #note: { readonly round: number; readonly bytes: Buffer } | undefined;

  constructor(options: SharedBodyOptions) {
    this.#options = options;
  }

  /** Why there is no body now. */
  get failure(): CodedError | undefined {
    return this.#failure;
  }

  /** Keeps it in use until the returned function is called. */
  hold(): () => void {
    this.#waiting += 1;
    return () => {
      this.#waiting -= 1;
      this.#endIfIdle();
    };
  }

  /** Resolves when the body is that of the data at the time of the call. Concurrent calls share a computation. */
  async refresh(): Promise<void> {
    // one that runs may have read its data before
    await this.#running;
    if (this.#isCurrent()) return;
    this.#running ??= this.#compute().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  /** Sends the body at once, unless the client has it: `lastEventId` is the id of the last event that it received. */
  add(stream: EventStream, lastEventId: string | undefined): void {
    const slot = this.#options.source.slot();
    const known = /^\d{1,20}$/.test(lastEventId ?? '') ? BigInt(lastEventId ?? '') : undefined;
    const client: Client = { stream, minSlot: known ?? 0n, seen: undefined, sentAt: undefined };
    const latest = this.#latest;
    if (known !== undefined && latest?.slot === known && this.#hasUniqueId(latest)) {
      client.seen = latest;
    }
    this.#clients.add(client);
    stream.note = (round) =>
      client.seen === this.#latest ? this.#unchangedNote(round) : undefined;
    stream.onClose(() => {
      this.#clients.delete(client);
      this.#endIfIdle();
    });
    if (client.minSlot > slot) this.#sendStale(client, slot);
    else this.#sendTo(client, slot);
  }

  /** Call it after each slot. */
  onSlot(): void {
    if (this.#running !== undefined) return;
    if (this.#isCurrent()) this.#distribute();
    else void this.refresh().then(() => this.#distribute());
  }

  #endIfIdle(): void {
    if (this.#clients.size === 0 && this.#waiting === 0) this.#options.onIdle();
  }

  /** An error may pass without a change of the data, so it is checked again with the next slot. */
  #isCurrent(): boolean {
    const { source } = this.#options;
    const isUnchanged = this.#version === source.version();
    return isUnchanged && (this.#failure === undefined || this.#computedAt === source.slot());
  }

  #hasUniqueId({ isAmbiguous }: Update): boolean {
    return this.#options.source.isOfSlot && !isAmbiguous;
  }

  async #compute(): Promise<void> {
    const { source } = this.#options;
    const version = source.version();
    const computed = await source.compute();
    if (computed instanceof CodedError) this.#fail(computed);
    else this.#store(computed);
    this.#version = version;
    this.#computedAt = source.slot();
  }

  #store({ text, headers }: ComputedBody): void {
    this.#headers = headers;
    this.#failure = undefined;
    if (this.#latest?.slot !== undefined && this.#latest.text === text) return;
    this.#latest = this.#createUpdate(text, this.#options.source.slot());
  }

  #createUpdate(text: string, slot: bigint): Update {
    const headers = formatEvent({ event: 'headers', data: JSON.stringify(this.#headers) });
    const update = formatEvent({ id: String(slot), event: 'update', data: text });
    const isAmbiguous = this.#latest?.slot === slot;
    return { bytes: Buffer.concat([headers, update]), slot, text, isAmbiguous };
  }

  /** An error is sent once, until it changes or passes. */
  #fail(error: CodedError): void {
    this.#failure = error;
    const text = JSON.stringify(this.#options.describeError(error));
    if (this.#latest?.slot === undefined && this.#latest?.text === text) return;
    const bytes = formatEvent({ event: 'error', data: text });
    this.#latest = { bytes, slot: undefined, text, isAmbiguous: false };
  }

  #distribute(): void {
    const slot = this.#options.source.slot();
    for (const client of this.#clients) this.#sendTo(client, slot);
  }

  #sendTo(client: Client, slot: bigint): void {
    const latest = this.#latest;
    if (latest === undefined || client.seen === latest || client.sentAt === slot) return;
    if (client.minSlot > slot) return;
    client.seen = latest;
    client.sentAt = slot;
    client.stream.send(latest.bytes);
  }

  /** The client has newer data than this process, for example from another one. */
  #sendStale({ stream, minSlot }: Client, slot: bigint): void {
    const retryAfterSeconds = RETRY_SECONDS;
    const error = new CodedError('STALE_READ', { slot, minSlot, retryAfterSeconds });
    const data = JSON.stringify(this.#options.describeError(error));
    stream.send(formatEvent({ event: 'error', data }));
  }

  /** The slot up to which the body is unchanged, once per round of heartbeats. */
  #unchangedNote(round: number): Buffer | undefined {
    if (this.#running !== undefined || !this.#isCurrent() || this.#failure !== undefined) {
      return undefined;
    }
    if (this.#note?.round !== round) {
      const headers = { ...this.#headers, ...this.#options.source.freshness() };
      const bytes = formatEvent({ event: 'unchanged', data: JSON.stringify(headers) });
      this.#note = { round, bytes };
    }
    return this.#note.bytes;
  }
}
