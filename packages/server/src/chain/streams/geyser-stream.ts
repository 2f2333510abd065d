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
  readonly events: StreamListener;
  readonly commitment: Commitment;
  readonly pingMs: number;
};

type Subscriber = {
  readonly followed: AccountsTarget;
  readonly onUpdate: (update: AccountUpdate) => void;
};

/** As the protocol numbers them. */
const levels = { processed: 0, confirmed: 1, finalized: 2 } as const;
const DIGITS = /^\d{1,20}$/;

/** One gRPC subscription whose filters are sent anew, all of them, whenever one comes or goes. */
export class GeyserStream implements Stream {
  readonly #options: GeyserStreamOptions;
  readonly #subscribers = new Map<string, Subscriber>();
  readonly #heartbeat: NodeJS.Timeout;
  #lastId = 0;
  #silentPings = 0;
  #lastSlot: Slot | undefined;
  #isOver = false;

  constructor(options: GeyserStreamOptions) {
    this.#options = options;
    const { duplex, pingMs } = options;
    duplex.on('data', (update: unknown) => this.#receive(update));
    duplex.on('error', (error) => this.#fail(formatError(error)));
    duplex.on('close', () => this.#fail('the connection was closed'));
    duplex.on('end', () => this.#fail('the connection was closed'));
    this.#heartbeat = setInterval(() => this.#beat(), pingMs).unref();
    void this.#send(this.#request()).catch(() => undefined);
  }

  async subscribe(
    followed: AccountsTarget,
    onUpdate: (update: AccountUpdate) => void,
  ): Promise<() => void> {
    this.#lastId += 1;
    const id = `f${this.#lastId}`;
    this.#subscribers.set(id, { followed, onUpdate });
    await this.#send(this.#request());
    return () => {
      if (this.#subscribers.delete(id) && !this.#isOver) {
        void this.#send(this.#request()).catch(() => undefined);
      }
    };
  }

  async subscribeLogs(): Promise<never> {
    const reason = 'only accounts are followed over it';
    throw new CodedError('SOURCE_REFUSES', { source: this.#options.name, reason });
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#heartbeat);
    this.#options.duplex.destroy();
  }

  #fail(reason: string): void {
    if (this.#isOver) return;
    this.close();
    this.#options.events.onClosed(reason);
  }

  #beat(): void {
    if (this.#silentPings >= 2) {
      this.#fail(`no sign of life for ${2 * this.#options.pingMs} ms`);
      return;
    }
    this.#silentPings += 1;
    void this.#send({ ...this.#request(), ping: { id: this.#silentPings } }).catch(() => undefined);
  }

  #request() {
    const filters = [...this.#subscribers].map(([id, { followed }]) => [id, filterOf(followed)]);
    return {
      accounts: Object.fromEntries(filters),
      slots: { slots: { filterByCommitment: true } },
      transactions: {},
      transactionsStatus: {},
      blocks: {},
      blocksMeta: {},
      entry: {},
      accountsDataSlice: [],
      commitment: levels[this.#options.commitment],
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
    if (this.#isOver) return;
    this.#silentPings = 0;
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

  /** A slot is taken as complete when the next one is announced. */
  #receiveSlot({ slot: text }: Readonly<Record<string, unknown>>): void {
    const slot = toSlot(wholeText(text, 'slot'));
    if (this.#lastSlot !== undefined && slot <= this.#lastSlot) return;
    if (this.#lastSlot !== undefined) this.#options.events.onSlot(this.#lastSlot, undefined);
    this.#lastSlot = slot;
  }

  #receiveAccount(update: Readonly<Record<string, unknown>>, filters: unknown): void {
    const { pubkey, ...rest } = requireObject(update['account'], 'account');
    const address = addressFromBytes(bytesOf(pubkey, 'address of an account'));
    const slot = toSlot(wholeText(update['slot'], 'slot'));
    const account = accountOf(rest);
    for (const id of Array.isArray(filters) ? filters : []) {
      this.#subscribers.get(String(id))?.onUpdate({ address, account, slot });
    }
  }
}

function accountOf(fields: Readonly<Record<string, unknown>>): ClusterAccount | undefined {
  const lamports = wholeText(fields['lamports'], 'lamports of an account');
  if (lamports === 0n) return undefined;
  return {
    lamports,
    owner: addressFromBytes(bytesOf(fields['owner'], 'owner of an account')),
    // A part of the whole message otherwise, which would be kept with it.
    data: Uint8Array.from(bytesOf(fields['data'], 'data of an account')),
  };
}

function filterOf(followed: AccountsTarget) {
  if (followed.kind === 'accounts') return { account: followed.addresses, owner: [], filters: [] };
  const { program, filters } = followed.scan;
  return { account: [], owner: [program], filters: filters.map(geyserFilter) };
}

function geyserFilter(filter: AccountFilter) {
  switch (filter.kind) {
    case 'size':
      return { datasize: `${filter.size}` };
    case 'bytes':
      return { memcmp: { offset: `${filter.offset}`, bytes: filter.bytes } };
  }
}

/** 64-bit numbers come as text. */
function wholeText(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !DIGITS.test(value))
    throw malformedData(what, 'it is not a number');
  return BigInt(value);
}

function bytesOf(value: unknown, what: string): Uint8Array {
  if (!(value instanceof Uint8Array)) throw malformedData(what, 'it is not bytes');
  return value;
}
