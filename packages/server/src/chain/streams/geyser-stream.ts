import type { Duplex } from 'node:stream';
import {
  addressFromBytes,
  type ClusterAccount,
  CodedError,
  type Commitment,
  formatError,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import { isResponseObject, malformedData, requireObject } from '../rpc/response-values.ts';
import type { AccountFilter, AccountUpdate } from '../source/chain-source.ts';
import type { AccountsTarget, Stream, StreamListener } from '../source/stream.ts';

type GeyserStreamOptions = {
  readonly name: string;
  readonly duplex: Duplex;
  readonly listener: StreamListener;
  readonly commitment: Commitment;
  readonly pingMs: number;
};

type Subscriber = {
  readonly target: AccountsTarget;
  readonly onUpdate: (update: AccountUpdate) => void;
};

/** Commitment levels of the protocol. */
const commitmentLevels = { processed: 0, confirmed: 1, finalized: 2 } as const;
const DIGITS = /^\d{1,20}$/;

/** One gRPC subscription. Sends all filters again whenever one is added or removed. */
export class GeyserStream implements Stream {
  readonly #options: GeyserStreamOptions;
  readonly #subscribers = new Map<string, Subscriber>();
  readonly #heartbeat: NodeJS.Timeout;
  #lastId = 0;
  #unansweredPings = 0;
  #lastSlot: Slot | undefined;
  #isClosed = false;

  constructor(options: GeyserStreamOptions) {
    this.#options = options;
    const { duplex, pingMs } = options;
    duplex.on('data', (update: unknown) => this.#receive(update));
    duplex.on('error', (error) => this.#fail(formatError(error)));
    duplex.on('close', () => this.#fail('the connection was closed'));
    duplex.on('end', () => this.#fail('the connection was closed'));
    this.#heartbeat = setInterval(() => this.#ping(), pingMs).unref();
    void this.#send(this.#request()).catch(() => undefined);
  }

  async subscribe(
    target: AccountsTarget,
    onUpdate: (update: AccountUpdate) => void,
  ): Promise<() => void> {
    this.#lastId += 1;
    const id = `f${this.#lastId}`;
    this.#subscribers.set(id, { target, onUpdate });
    await this.#send(this.#request());
    return () => {
      if (this.#subscribers.delete(id) && !this.#isClosed) {
        void this.#send(this.#request()).catch(() => undefined);
      }
    };
  }

  async subscribeLogs(): Promise<never> {
    const reason = 'gRPC streams do not support log subscriptions';
    throw new CodedError('SOURCE_REFUSES', { source: this.#options.name, reason });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    this.#options.duplex.destroy();
  }

  #fail(reason: string): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.listener.onClosed(reason);
  }

  #ping(): void {
    if (this.#unansweredPings >= 2) {
      this.#fail(`no response to pings for ${2 * this.#options.pingMs} ms`);
      return;
    }
    this.#unansweredPings += 1;
    void this.#send({ ...this.#request(), ping: { id: this.#unansweredPings } }).catch(
      () => undefined,
    );
  }

  #request() {
    const filters = [...this.#subscribers].map(([id, { target }]) => [id, toGeyserRequest(target)]);
    return {
      accounts: Object.fromEntries(filters),
      slots: { slots: { filterByCommitment: true } },
      transactions: {},
      transactionsStatus: {},
      blocks: {},
      blocksMeta: {},
      entry: {},
      accountsDataSlice: [],
      commitment: commitmentLevels[this.#options.commitment],
    };
  }

  #send(request: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#options.duplex.write(request, (error) => {
        if (!error) {
          resolve();
          return;
        }
        const reason = formatError(error);
        reject(new CodedError('SOURCE_UNAVAILABLE', { source: this.#options.name, reason }, error));
        this.#fail(reason);
      });
    });
  }

  #receive(message: unknown): void {
    if (this.#isClosed) return;
    this.#unansweredPings = 0;
    try {
      const update = requireObject(message, 'update');
      if (isResponseObject(update['slot'])) this.#receiveSlot(update['slot']);
      if (isResponseObject(update['account']))
        this.#receiveAccount(update['account'], update['filters']);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      this.#fail(error.message);
    }
  }

  /** A slot counts as complete when the next one is announced. */
  #receiveSlot({ slot: text }: Readonly<Record<string, unknown>>): void {
    const slot = toSlot(parseInteger(text, 'slot'));
    if (this.#lastSlot !== undefined && slot <= this.#lastSlot) return;
    if (this.#lastSlot !== undefined) this.#options.listener.onSlot(this.#lastSlot, undefined);
    this.#lastSlot = slot;
  }

  #receiveAccount(update: Readonly<Record<string, unknown>>, filters: unknown): void {
    const { pubkey, ...rest } = requireObject(update['account'], 'account');
    const address = addressFromBytes(requireBytes(pubkey, 'address of an account'));
    const slot = toSlot(parseInteger(update['slot'], 'slot'));
    const account = parseAccount(rest);
    for (const id of Array.isArray(filters) ? filters : []) {
      this.#subscribers.get(String(id))?.onUpdate({ address, account, slot });
    }
  }
}

function parseAccount(fields: Readonly<Record<string, unknown>>): ClusterAccount | undefined {
  const lamports = parseInteger(fields['lamports'], 'lamports of an account');
  if (lamports === 0n) return undefined;
  return {
    lamports,
    owner: addressFromBytes(requireBytes(fields['owner'], 'owner of an account')),
    // a copy, because the array is a view that would keep the whole message in memory
    data: Uint8Array.from(requireBytes(fields['data'], 'data of an account')),
  };
}

function toGeyserRequest(target: AccountsTarget) {
  if (target.kind === 'accounts') return { account: target.addresses, owner: [], filters: [] };
  const { program, filters } = target.scan;
  return { account: [], owner: [program], filters: filters.map(toGeyserFilter) };
}

function toGeyserFilter(filter: AccountFilter) {
  switch (filter.kind) {
    case 'size':
      return { datasize: `${filter.size}` };
    case 'bytes':
      return { memcmp: { offset: `${filter.offset}`, bytes: filter.bytes } };
  }
}

/** 64-bit numbers arrive as strings. */
function parseInteger(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !DIGITS.test(value))
    throw malformedData(what, 'it is not a number');
  return BigInt(value);
}

function requireBytes(value: unknown, what: string): Uint8Array {
  if (!(value instanceof Uint8Array)) throw malformedData(what, 'it is not a byte array');
  return value;
}
