import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import { CLOCK_SYSVAR } from '#core/base/solana/clock-sysvar.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';

/** The reply to a request: a result, an error or a failure. */
export type Reply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Sent when the promise resolves, if there is one. */
  | { readonly body: string; readonly when?: Promise<unknown> }
  /** Sent in pieces, with a pause before each. */
  | { readonly pieces: readonly string[]; readonly pauseMs: number }
  /** Closes the connection after this part of the response. */
  | { readonly cutAfter: string }
  | 'silence';

type NodeConfig = {
  readonly encoding?: string;
  readonly minContextSlot?: number;
  readonly dataSlice?: { readonly offset: number; readonly length: number };
  readonly limit?: number;
  readonly paginationKey?: string;
  readonly changedSinceSlot?: number;
};

const UNKNOWN: Reply = { error: { code: -32601, message: 'Method not found' } };

export type ReceivedRpcRequest = { readonly method: string; readonly params: readonly unknown[] };

/**
 * A node whose replies, failures and notifications are set by the test. `slot` is its current slot;
 * the clock account follows it.
 */
export class FakeNode {
  readonly requests: ReceivedRpcRequest[] = [];
  readonly accounts = new Map<string, ClusterAccount>();
  /** Slots at which accounts were last written; 0 by default. */
  readonly writtenAt = new Map<string, number>();
  /** Whether it offers `getProgramAccountsV2`. */
  hasPages = false;
  slot = 1_000;
  genesisHash = CLOCK_SYSVAR as string;
  encodings: readonly string[] = ['base64', 'base64+zstd'];
  /** Overrides the default reply; undefined for the default. */
  reply: (request: ReceivedRpcRequest) => Reply | undefined = () => undefined;
  /** Overrides the reply to a batch of calls; undefined for the replies to its calls, in reverse order. */
  replyToBatch: (requests: readonly ReceivedRpcRequest[]) => Reply | undefined = () => undefined;
  /** Calls per batch, in the order received. */
  readonly batches: number[] = [];
  isMute = false;
  readonly #server: Server;
  readonly #webSockets: WebSocketServer;
  readonly #sockets = new Set<Socket>();
  readonly #subscriptions = new Map<number, { socket: WebSocket; request: ReceivedRpcRequest }>();
  #lastId = 0;

  private constructor() {
    this.#server = createServer((httpRequest, response) => void this.#serve(httpRequest, response));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.#webSockets = new WebSocketServer({ server: this.#server, autoPong: false });
    this.#webSockets.on('connection', (socket) => this.#handleSocket(socket));
  }

  static async start(): Promise<FakeNode> {
    const node = new FakeNode();
    await new Promise<void>((resolve) => node.#server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.#port}/`);
  }

  get wsUrl(): URL {
    return new URL(`ws://127.0.0.1:${this.#port}/`);
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  countRequests(method: string): number {
    return this.requests.filter((request) => request.method === method).length;
  }

  /** Open subscriptions by method. */
  subscriptionsOf(method: string): readonly ReceivedRpcRequest[] {
    return [...this.#subscriptions.values()]
      .map(({ request }) => request)
      .filter((request) => request.method === method);
  }

  /** Advances a slot and notifies clock subscribers. */
  nextSlot(): void {
    this.slot += 1;
    this.announce('accountSubscribe', CLOCK_SYSVAR, this.#encode(this.#clock()));
  }

  announceAccount(address: string, program: string, account: ClusterAccount): void {
    const value = { pubkey: address, account: this.#encode(account) };
    this.announce('programSubscribe', program, value);
    this.announce('accountSubscribe', address, this.#encode(account));
  }

  /** Notifies slot subscribers of the current slot. */
  announceSlot(): void {
    for (const [subscription, { socket, request }] of this.#subscriptions) {
      if (request.method !== 'slotSubscribe' || this.isMute) continue;
      const result = { parent: this.slot - 1, root: this.slot - 32, slot: this.slot };
      const params = { subscription, result };
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'slotNotification', params }));
    }
  }

  announce(method: string, subject: string, value: unknown): void {
    for (const [subscription, { socket, request }] of this.#subscriptions) {
      if (request.method !== method || request.params[0] !== subject || this.isMute) continue;
      const result = { context: { slot: this.slot }, value };
      const notification = method.replace('Subscribe', 'Notification');
      const params = { subscription, result };
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: notification, params }));
    }
  }

  sendToAll(text: string): void {
    for (const socket of this.#webSockets.clients) socket.send(text);
  }

  dropWebSockets(): void {
    for (const socket of this.#webSockets.clients) socket.terminate();
  }

  /** Stops abruptly, without sending pending data. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(httpRequest: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of httpRequest) text += String(chunk);
    const body: unknown = JSON.parse(text);
    if (Array.isArray(body)) await this.#send(response, this.#batchReply(body), undefined);
    else await this.#send(response, this.#replyTo(body as ReceivedRpcRequest), body);
  }

  #replyTo({ method, params }: ReceivedRpcRequest): Reply {
    const request = { method, params };
    this.requests.push(request);
    return this.reply(request) ?? this.#defaultReply(request);
  }

  #batchReply(calls: readonly (ReceivedRpcRequest & { readonly id: unknown })[]): Reply {
    this.batches.push(calls.length);
    const override = this.replyToBatch(calls);
    if (override !== undefined) return override;
    const replies = calls.map((call) => {
      const reply = this.#replyTo(call);
      return { jsonrpc: '2.0', id: call.id, ...(typeof reply === 'object' && reply) };
    });
    return { body: JSON.stringify(replies.toReversed()) };
  }

  async #send(response: ServerResponse, reply: Reply, request: unknown): Promise<void> {
    const { id = null } = Object(request);
    if (reply === 'silence') return;
    if ('status' in reply) {
      response.writeHead(reply.status, { ...reply.headers }).end('{}');
    } else if ('body' in reply) {
      await reply.when;
      response.end(reply.body);
    } else if ('pieces' in reply) {
      for (const piece of reply.pieces) {
        await new Promise((resolve) => setTimeout(resolve, reply.pauseMs));
        response.write(piece);
      }
      response.end();
    } else if ('cutAfter' in reply) {
      response.writeHead(200, { 'content-length': 1_000_000 });
      response.write(reply.cutAfter, () => response.destroy());
    } else {
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
    }
  }

  #handleSocket(socket: WebSocket): void {
    socket.on('ping', () => {
      if (!this.isMute) socket.pong();
    });
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data));
      const request = { method, params };
      this.requests.push(request);
      const isSubscription = method !== 'getGenesisHash';
      const reply = this.reply(request) ?? (isSubscription ? { result: ++this.#lastId } : UNKNOWN);
      if (reply === 'silence') return;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
      if ('result' in reply && isSubscription)
        this.#subscriptions.set(this.#lastId, { socket, request });
    });
    socket.on('close', () => {
      for (const [id, entry] of this.#subscriptions) {
        if (entry.socket === socket) this.#subscriptions.delete(id);
      }
    });
  }

  #defaultReply({ method, params }: ReceivedRpcRequest): Reply {
    const config = params.find((param) => typeof param === 'object' && !Array.isArray(param)) ?? {};
    const { encoding = 'base64', minContextSlot = 0, dataSlice } = config as NodeConfig;
    if (minContextSlot > this.slot) {
      const data = { contextSlot: this.slot };
      return {
        error: { code: -32016, message: 'Minimum context slot has not been reached', data },
      };
    }
    if (!this.encodings.includes(encoding)) {
      return { error: { code: -32602, message: `unsupported encoding ${encoding}` } };
    }
    const withContext = (value: unknown) => ({ result: { context: { slot: this.slot }, value } });
    switch (method) {
      case 'getSlot':
        return { result: this.slot };
      case 'getGenesisHash':
        return { result: this.genesisHash };
      case 'getMultipleAccounts':
        return withContext((params[0] as string[]).map((address) => this.#find(address)));
      case 'getAccountInfo':
        return withContext(this.#find(String(params[0])));
      case 'getProgramAccounts':
        return withContext(this.#list(params[0]).map((each) => this.#encodeNamed(each, dataSlice)));
      case 'getProgramAccountsV2':
        return this.hasPages ? withContext(this.#page(params[0], config)) : UNKNOWN;
      case 'getLatestBlockhash':
        return withContext({ blockhash: CLOCK_SYSVAR, lastValidBlockHeight: this.slot - 50 });
      default:
        return UNKNOWN;
    }
  }

  #list(program: unknown): [string, ClusterAccount][] {
    return [...this.accounts].filter(([, account]) => account.owner === program);
  }

  #page(program: unknown, config: NodeConfig) {
    const { limit = 1_000, paginationKey = '', changedSinceSlot = 0, dataSlice } = config;
    const page = this.#list(program)
      .filter(([address]) => (this.writtenAt.get(address) ?? 0) >= changedSinceSlot)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .filter(([address]) => address > paginationKey)
      .slice(0, limit);
    return {
      accounts: page.map((each) => this.#encodeNamed(each, dataSlice)),
      paginationKey: page.length < limit ? null : page.at(-1)?.[0],
    };
  }

  #encodeNamed([pubkey, account]: [string, ClusterAccount], slice: NodeConfig['dataSlice']) {
    const { offset = 0, length = account.data.length } = slice ?? {};
    const data = account.data.subarray(offset, offset + length);
    return { pubkey, account: this.#encode({ ...account, data }) };
  }

  #find(address: string): unknown {
    const account = address === CLOCK_SYSVAR ? this.#clock() : this.accounts.get(address);
    return account === undefined ? null : this.#encode(account);
  }

  /** The time is the slot plus ten, so that the two are never confused. */
  #clock(): ClusterAccount {
    const data = new Uint8Array(40);
    new DataView(data.buffer).setBigUint64(0, BigInt(this.slot), true);
    new DataView(data.buffer).setBigInt64(32, BigInt(this.slot + 10), true);
    return { owner: CLOCK_SYSVAR, lamports: 1n, data };
  }

  #encode({ owner, lamports, data }: ClusterAccount): unknown {
    return {
      owner,
      lamports: Number(lamports),
      data: [encodeBase64(data), 'base64'],
      executable: false,
      rentEpoch: 18_446_744_073_709_552_000,
      space: data.length,
    };
  }
}
