import { once } from 'node:events';
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  status,
} from '@grpc/grpc-js';
import {
  decodeGeyserRequest,
  encodeGeyserUpdate,
  type GeyserAccountFilter,
  type GeyserRequest,
} from './geyser-proto.ts';
import {
  accountUpdate,
  resultUpdate,
  type StreamedRpcTransaction,
  transactionUpdate,
  type WrittenAccount,
} from './geyser-updates.ts';

/** A slot and what happened in it. */
export type GeyserSlot = {
  readonly slot: bigint;
  readonly parent?: bigint;
  /** The time of its block; undefined if the server does not know it. */
  readonly unix?: bigint;
  readonly accounts?: readonly WrittenAccount[];
  readonly transactions?: readonly StreamedRpcTransaction[];
};

type Call = ServerDuplexStream<Uint8Array, Uint8Array>;
type Client = { readonly call: Call; request: GeyserRequest | undefined };

/** Statuses of slots. */
export const SLOT_STATUS = {
  processed: 0,
  confirmed: 1,
  finalized: 2,
  created: 5,
  dead: 6,
} as const;

const METHOD = {
  path: '/geyser.Geyser/Subscribe',
  requestStream: true,
  responseStream: true,
  requestSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
  requestDeserialize: (bytes: Buffer): Uint8Array => bytes,
  responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
  responseDeserialize: (bytes: Buffer): Uint8Array => bytes,
} as const;

/**
 * A Yellowstone server at the commitment `confirmed` whose slots, failures and messages are set by the test. It is built
 * with a gRPC library and a protobuf library that share no code with the client.
 */
export class FakeGeyser {
  readonly requests: GeyserRequest[] = [];
  readonly metadata: Metadata[] = [];
  /** Slots that a client can resume from. */
  readonly stored: GeyserSlot[] = [];
  /** `ignored`: as by a server that does not know `from_slot`. `refused`: slots are no longer stored. */
  replay: 'supported' | 'ignored' | 'refused' = 'supported';
  /** Older servers repeat the status of a slot before its content. */
  statusFirst = false;
  /** Ends a call with this error when it sends a request. */
  rejection: { readonly code: number; readonly details: string } | undefined;
  /** Does not answer pings. */
  isMute = false;
  readonly #server = new Server({ 'grpc.max_receive_message_length': -1 });
  readonly #clients = new Set<Client>();
  #port = 0;

  static async start(): Promise<FakeGeyser> {
    const fake = new FakeGeyser();
    fake.#server.addService(
      { subscribe: METHOD },
      { subscribe: (call: Call) => fake.#accept(call) },
    );
    fake.#port = await new Promise((resolve, reject) => {
      const credentials = ServerCredentials.createInsecure();
      fake.#server.bindAsync('127.0.0.1:0', credentials, (error, port) =>
        error === null ? resolve(port) : reject(error),
      );
    });
    return fake;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.#port}/`);
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Names of the filters of the last request, of one kind. */
  names(kind: 'accounts' | 'slots' | 'transactions' | 'results'): string[] {
    return Object.keys(this.#lastRequest?.[kind] ?? {});
  }

  /** Stores a slot and sends its content, the time of its block and its status to every client. */
  addSlot(slot: GeyserSlot): void {
    this.stored.push(slot);
    for (const client of this.#clients) this.#sendSlot(client, slot, false);
  }

  /** Sends the status of a slot. */
  sendStatus(slot: bigint, statusNumber: number, parent?: bigint): void {
    for (const client of this.#clients) this.#sendStatus(client, { slot, parent }, statusNumber);
  }

  /** Sends the content of a slot without its status. */
  sendContent(slot: GeyserSlot): void {
    for (const client of this.#clients) this.#sendContent(client, slot);
  }

  send(update: Readonly<Record<string, unknown>>): void {
    this.sendBytes(encodeGeyserUpdate(update));
  }

  sendBytes(bytes: Uint8Array): void {
    for (const { call } of this.#clients) call.write(bytes);
  }

  /** Ends every call. */
  drop(code: number = status.UNAVAILABLE, details = 'dropped by the test'): void {
    for (const client of [...this.#clients]) this.#end(client, { code, details });
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  get #lastRequest(): GeyserRequest | undefined {
    return this.requests.findLast(({ ping }) => ping === undefined);
  }

  #accept(call: Call): void {
    const client: Client = { call, request: undefined };
    this.metadata.push(call.metadata);
    this.#clients.add(client);
    call.on('data', (bytes: Uint8Array) => this.#receive(client, decodeGeyserRequest(bytes)));
    call.on('error', () => this.#clients.delete(client));
    void once(call, 'close').then(
      () => this.#clients.delete(client),
      () => undefined,
    );
    call.on('cancelled', () => this.#clients.delete(client));
  }

  #receive(client: Client, request: GeyserRequest): void {
    this.requests.push(request);
    if (this.rejection !== undefined) {
      this.#end(client, this.rejection);
      return;
    }
    if (request.ping !== undefined) {
      if (!this.isMute) client.call.write(encodeGeyserUpdate({ pong: request.ping }));
      return;
    }
    client.request = request;
    if (request.fromSlot !== undefined) this.#replay(client, BigInt(request.fromSlot));
  }

  #replay(client: Client, from: bigint): void {
    if (this.replay === 'ignored') return;
    if (this.replay === 'refused') {
      const details = `broadcast from ${from} is not available, last available: ${from + 100n}`;
      this.#end(client, { code: status.OUT_OF_RANGE, details });
      return;
    }
    for (const slot of this.stored) {
      if (slot.slot >= from) this.#sendSlot(client, slot, this.statusFirst);
    }
  }

  #sendSlot(client: Client, slot: GeyserSlot, statusFirst: boolean): void {
    if (statusFirst) this.#sendStatus(client, slot, SLOT_STATUS.confirmed);
    this.#sendContent(client, slot);
    if (!statusFirst) this.#sendStatus(client, slot, SLOT_STATUS.confirmed);
  }

  #sendContent(client: Client, { slot, unix, accounts = [], transactions = [] }: GeyserSlot): void {
    const { request } = client;
    if (request === undefined) return;
    for (const written of accounts) {
      const filters = matchingAccounts(request, written);
      this.#sendTo(client, filters, { account: accountUpdate(slot, written) });
    }
    for (const each of transactions) {
      const whole = matchingTransactions(request.transactions, each);
      this.#sendTo(client, whole, { transaction: transactionUpdate(slot, each) });
      const results = matchingTransactions(request.results, each);
      this.#sendTo(client, results, { result: resultUpdate(slot, each) });
    }
    if (unix === undefined) return;
    const block = { slot: `${slot}`, blockTime: { value: `${unix}` } };
    this.#sendTo(client, Object.keys(request.blocks), { block });
  }

  #sendStatus(
    client: Client,
    {
      slot,
      parent = slot - 1n,
    }: Pick<GeyserSlot, 'slot'> & { readonly parent?: bigint | undefined },
    statusNumber: number,
  ): void {
    const update = { slot: `${slot}`, parent: `${parent}`, status: statusNumber };
    this.#sendTo(client, Object.keys(client.request?.slots ?? {}), { slot: update });
  }

  #sendTo(client: Client, filters: readonly string[], update: object): void {
    if (filters.length > 0) client.call.write(encodeGeyserUpdate({ filters, ...update }));
  }

  #end(client: Client, error: { readonly code: number; readonly details: string }): void {
    this.#clients.delete(client);
    client.call.emit('error', error);
  }
}

function matchingAccounts({ accounts }: GeyserRequest, written: WrittenAccount): string[] {
  return Object.entries(accounts)
    .filter(([, filter]) => matchesAccount(filter, written))
    .map(([name]) => name);
}

/** A closed account has no data and another owner, so only a filter with its address selects it. */
function matchesAccount(
  filter: GeyserAccountFilter,
  { address, account }: WrittenAccount,
): boolean {
  const { addresses, owners, filters } = filter;
  const isListed = addresses.length === 0 || addresses.includes(address);
  const isOwned = owners.length === 0 || (account !== undefined && owners.includes(account.owner));
  return (
    isListed &&
    isOwned &&
    filters.every(({ size, bytes }) => {
      if (account === undefined) return false;
      if (bytes === undefined) return account.data.length === Number(size);
      const start = Number(bytes.offset);
      const found = account.data.subarray(start, start + bytes.value.length);
      return Buffer.from(found).equals(bytes.value);
    })
  );
}

function matchingTransactions(
  filters: GeyserRequest['transactions'],
  { json }: StreamedRpcTransaction,
): string[] {
  const { accountKeys } = json.transaction.message;
  const { writable, readonly } = json.meta.loadedAddresses;
  const keys = new Set([...accountKeys, ...writable, ...readonly]);
  return Object.entries(filters)
    .filter(([, { mentions }]) => mentions.some((address) => keys.has(address)))
    .map(([name]) => name);
}
