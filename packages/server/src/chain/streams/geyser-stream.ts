import type { Address, Commitment, Slot } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import { createDeferred, type Deferred } from '../deferred.ts';
import type { SlotWitness } from '../endpoints/slot-witnesses.ts';
import { malformedData } from '../rpc/response-values.ts';
import type {
  AccountUpdate,
  StreamedTransaction,
  TransactionNotice,
} from '../source/chain-source.ts';
import type { SourceAlarms } from '../source/source-alarms.ts';
import type { AccountsTarget, ResumePoint, Stream, StreamListener } from '../source/stream.ts';
import { type GeyserCall, statusCodeOf } from './geyser-call.ts';
import { SlotBuffer } from './yellowstone/slot-buffer.ts';
import { deliverSlot, type StreamSubscriber } from './yellowstone/slot-delivery.ts';
import {
  commitmentLevels,
  encodePing,
  encodeSubscribeRequest,
} from './yellowstone/subscribe-request.ts';
import { decodeSubscribeUpdate, type SubscribeUpdate } from './yellowstone/subscribe-update.ts';

type GeyserStreamOptions = {
  readonly name: string;
  readonly call: GeyserCall;
  readonly listener: StreamListener;
  readonly commitment: Commitment;
  readonly pingMs: number;
  readonly maxBufferedBytes: number;
  readonly resume: ResumePoint | undefined;
  readonly witness: SlotWitness | undefined;
  readonly alarms: SourceAlarms | undefined;
};

/** Subscriptions that wait until the server applies a request. */
type Activation = Deferred<void> & {
  readonly revision: number;
  /** The first slot after which its filters are used. */
  slot: Slot | undefined;
};

/** Status codes with which a server rejects a request: invalid argument, permission, unimplemented, authentication. */
const REJECTIONS: readonly number[] = [3, 7, 12, 16];
const OUT_OF_RANGE = 11;
/** How servers name a slot that they cannot resume from. */
const RESUME_PROBLEM = /from_slot|is not available|replay/i;

/**
 * One gRPC subscription. A request replaces all filters, so those of one turn of the event loop are sent together. The
 * name of the filter of slots has the number of the request: when a slot arrives under it, the server uses its filters.
 */
export class GeyserStream implements Stream {
  readonly isResumed: boolean;
  readonly #options: GeyserStreamOptions;
  readonly #subscribers = new Map<string, StreamSubscriber>();
  readonly #buffer: SlotBuffer;
  readonly #heartbeat: NodeJS.Timeout;
  #activations: readonly Activation[] = [];
  /** The request that is about to be sent. */
  #next: Activation | undefined;
  #revision = 0;
  #lastId = 0;
  #pings = 0;
  #unansweredPings = 0;
  #isActive = false;
  #isResumeRejected = false;
  #isClosed = false;

  constructor(options: GeyserStreamOptions) {
    this.#options = options;
    const { call, commitment, pingMs, resume, listener, maxBufferedBytes: maxBytes } = options;
    this.isResumed = resume !== undefined;
    this.#buffer = new SlotBuffer({
      commitment,
      maxBytes,
      resume,
      onComplete: (slot, isLate) => {
        if (!isLate && this.#leaps(slot.slot)) return;
        deliverSlot(slot, this.#subscribers);
        if (!isLate) listener.onSlot(slot.slot, slot.unix);
      },
      onDead: (slot) => listener.onSlotDead?.(slot),
    });
    call.stream.on('data', (bytes: Uint8Array) => this.#receive(bytes));
    call.stream.on('error', (error) => this.#handleError(error));
    call.stream.on('end', () => setImmediate(() => this.#fail('the connection was closed')));
    this.#heartbeat = setInterval(() => this.#checkPings(), pingMs).unref();
    this.#requestLater();
  }

  subscribe(
    target: AccountsTarget,
    onUpdate: (update: AccountUpdate) => void,
  ): Promise<() => void> {
    return this.#add({ target, onUpdate });
  }

  subscribeLogs(
    mentions: Address,
    onLogs: (notice: TransactionNotice) => void,
  ): Promise<() => void> {
    return this.#add({ target: { kind: 'logs', mentions }, onLogs });
  }

  subscribeTransactions(
    mentions: readonly Address[],
    onTransaction: (transaction: StreamedTransaction) => void,
  ): Promise<() => void> {
    return this.#add({ target: { kind: 'transactions', mentions }, onTransaction });
  }

  resumePoint(): ResumePoint | undefined {
    return this.#isResumeRejected ? undefined : this.#buffer.resumePoint();
  }

  close(): void {
    this.#end(this.#unavailable('closed'));
  }

  async #add(subscriber: StreamSubscriber): Promise<() => void> {
    if (this.#isClosed) throw this.#unavailable('the connection was closed');
    this.#lastId += 1;
    const id = `f${this.#lastId}`;
    this.#subscribers.set(id, subscriber);
    await this.#requestLater().promise;
    return () => {
      if (this.#subscribers.delete(id) && !this.#isClosed) this.#requestLater();
    };
  }

  #requestLater(): Activation {
    if (this.#next !== undefined) return this.#next;
    this.#revision += 1;
    this.#next = { ...createDeferred<void>(), revision: this.#revision, slot: undefined };
    setImmediate(() => this.#sendRequest());
    return this.#next;
  }

  #sendRequest(): void {
    const { commitment, resume } = this.#options;
    if (this.#next === undefined || this.#isClosed) return;
    const { revision } = this.#next;
    this.#activations = [...this.#activations, this.#next];
    this.#next = undefined;
    const targets = new Map(
      [...this.#subscribers].map(([id, { target }]) => [id, target] as const),
    );
    const fromSlot = revision === 1 ? resume?.slot : undefined;
    const slotsName = `r${revision}`;
    this.#send(encodeSubscribeRequest({ targets, slotsName, commitment, fromSlot }));
  }

  /** A failed write ends the call with an error. */
  #send(request: Uint8Array): void {
    this.#options.call.stream.write(request);
  }

  #receive(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    this.#unansweredPings = 0;
    try {
      const update = decodeSubscribeUpdate(bytes);
      if (update.message.kind === 'ping') this.#sendPing();
      if (!this.#isActive) this.#requireContinuity(update);
      this.#buffer.add(update);
      this.#activate(update);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      this.#fail(error.message);
    }
  }

  /** A subscription is active when the slot under its name is complete, so that a read that follows is not older. */
  #activate({ message, filters }: SubscribeUpdate): void {
    if (message.kind !== 'slot') return;
    const { slot, status } = message;
    if (status !== commitmentLevels[this.#options.commitment]) return;
    this.#isActive = true;
    const applied = Math.max(0, ...filters.map((name) => Number(name.slice(1))));
    const complete = this.#buffer.resumePoint()?.slot ?? -1n;
    this.#activations = this.#activations.filter((each) => {
      if (each.revision <= applied) each.slot ??= slot;
      if (each.slot === undefined || each.slot > complete) return true;
      each.resolve();
      return false;
    });
  }

  /** A server that does not know `from_slot` begins with the newest slot. */
  #requireContinuity({ message }: SubscribeUpdate): void {
    const { resume, commitment } = this.#options;
    if (resume === undefined || message.kind !== 'slot') return;
    if (message.status !== commitmentLevels[commitment]) return;
    const { slot, parent } = message;
    if (slot <= resume.slot || (parent !== undefined && parent <= resume.slot)) return;
    this.#isResumeRejected = true;
    throw malformedData('stream', `it continues at slot ${slot}, not after ${resume.slot}`);
  }

  /** Updates of a slot that other sources have not reached would make all later ones seem outdated. */
  #leaps(slot: Slot): boolean {
    const { witness, alarms, name } = this.#options;
    const leap = witness?.report(slot);
    if (leap === undefined) return false;
    alarms?.raise('leap', name, leap);
    this.#fail(leap);
    return true;
  }

  #checkPings(): void {
    if (this.#unansweredPings >= 2) {
      this.#fail(`no response to pings for ${2 * this.#options.pingMs} ms`);
      return;
    }
    this.#unansweredPings += 1;
    this.#sendPing();
  }

  #sendPing(): void {
    this.#pings += 1;
    this.#send(encodePing(this.#pings));
  }

  #handleError(error: unknown): void {
    const { call, name } = this.#options;
    const code = statusCodeOf(error);
    const reason = call.describe(error);
    const isRejected = code !== undefined && REJECTIONS.includes(code);
    if (this.isResumed && !this.#isActive) {
      this.#isResumeRejected ||= isRejected || code === OUT_OF_RANGE || RESUME_PROBLEM.test(reason);
    }
    const rejection = new CodedError('SOURCE_REFUSES', { source: name, reason });
    this.#fail(reason, isRejected ? rejection : this.#unavailable(reason));
  }

  #fail(reason: string, error: CodedError = this.#unavailable(reason)): void {
    if (this.#isClosed) return;
    this.#end(error);
    this.#options.listener.onClosed(reason);
  }

  #end(error: CodedError): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    this.#options.call.close();
    this.#next?.reject(error);
    for (const each of this.#activations) each.reject(error);
    this.#activations = [];
  }

  #unavailable(reason: string): CodedError {
    return new CodedError('SOURCE_UNAVAILABLE', { source: this.#options.name, reason });
  }
}
