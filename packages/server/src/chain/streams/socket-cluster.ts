import { type Address, type ClusterAccount, type Commitment, toAddress } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import { createDeferred } from '../deferred.ts';
import { parseAccountValue } from '../rpc/parse-account.ts';
import { requireObject } from '../rpc/response-values.ts';
import type { SourceAlarms } from '../source/source-alarms.ts';
import type { RpcSocket } from './rpc-socket.ts';

export type SocketClusterOptions = {
  readonly commitment: Commitment;
  /** Of the cluster, by the HTTP endpoints. */
  readonly genesisHash: () => Promise<string>;
  /** Over HTTP. */
  readonly readAccount: (address: Address) => Promise<ClusterAccount | undefined>;
  readonly alarms: SourceAlarms;
  readonly timing?: Partial<SocketClusterTiming> | undefined;
};

export type SocketClusterTiming = {
  /** Longest wait for each of the answers that are compared. */
  readonly waitMs: number;
  readonly everyMs: number;
};

type Verdict = 'same' | 'other' | 'unknown';

const defaultTiming: SocketClusterTiming = { waitMs: 2_000, everyMs: 60_000 };
/** The hashes of the last 512 blocks. */
const SLOT_HASHES = toAddress('SysvarS1otHashes111111111111111111111111111');
const ENTRY_BYTES = 40;
const COUNT_BYTES = 8;

/**
 * Compares the cluster of a WebSocket with that of the HTTP endpoints: by the genesis hash if the node answers over the
 * socket, otherwise by the hashes of recent blocks. If neither is answered, slots are all that is compared.
 */
export class SocketCluster {
  readonly #socket: RpcSocket;
  readonly #name: string;
  readonly #options: SocketClusterOptions;
  readonly #timing: SocketClusterTiming;
  #timer: NodeJS.Timeout | undefined;
  #hasGenesisHash = true;
  #isVerified = false;

  constructor(socket: RpcSocket, name: string, options: SocketClusterOptions) {
    this.#socket = socket;
    this.#name = name;
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
  }

  /** Throws if it is another cluster. From then on the socket fails when it becomes one. */
  async require(): Promise<void> {
    if ((await this.#compare()) === 'other') throw this.#raise();
    this.#timer = setInterval(() => void this.#repeat(), this.#timing.everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #repeat(): Promise<void> {
    if (!this.#socket.isOpen) this.stop();
    if (!this.#socket.isOpen || (this.#isVerified && !this.#hasGenesisHash)) return;
    if ((await this.#compare()) === 'other') this.#socket.fail(this.#raise().message);
  }

  async #compare(): Promise<Verdict> {
    const byGenesis = await this.#compareGenesis();
    const verdict = byGenesis === 'unknown' ? await this.#compareBlocks() : byGenesis;
    this.#isVerified = verdict === 'same';
    return verdict;
  }

  async #compareGenesis(): Promise<Verdict> {
    const { waitMs } = this.#timing;
    const found = await undefinedIfFailed(this.#socket.call('getGenesisHash', [], waitMs));
    this.#hasGenesisHash = typeof found === 'string';
    if (!this.#hasGenesisHash) return 'unknown';
    const expected = await this.#withinLimit(this.#options.genesisHash());
    if (expected === undefined) return 'unknown';
    return expected === found ? 'same' : 'other';
  }

  async #compareBlocks(): Promise<Verdict> {
    const read = await this.#withinLimit(this.#options.readAccount(SLOT_HASHES));
    if (read === undefined) return 'unknown';
    const sent = await undefinedIfFailed(this.#receiveSlotHashes());
    if (sent === undefined) return 'unknown';
    const [ofHttp, ofSocket] = [parseSlotHashes(read), parseSlotHashes(sent)];
    for (const [slot, hash] of ofSocket) if (ofHttp.get(slot) === hash) return 'same';
    return 'other';
  }

  /** Of the first notification; undefined if none arrives. */
  async #receiveSlotHashes(): Promise<ClusterAccount | undefined> {
    const { promise: received, resolve } = createDeferred<ClusterAccount | undefined>();
    const params = [SLOT_HASHES, { encoding: 'base64', commitment: this.#options.commitment }];
    const unsubscribe = await this.#socket.subscribe('account', params, (result, text) =>
      resolve(parseAccountValue(requireObject(result, 'notification')['value'], text)),
    );
    const account = await this.#withinLimit(received);
    unsubscribe();
    return account;
  }

  #withinLimit<Value>(request: Promise<Value>): Promise<Value | undefined> {
    const limit = new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), this.#timing.waitMs).unref();
    });
    return Promise.race([undefinedIfFailed(request), limit]);
  }

  #raise(): CodedError {
    const reason = 'it belongs to another cluster than the HTTP endpoints';
    this.#options.alarms.raise('other-cluster', this.#name, reason);
    return new CodedError('SOURCE_UNAVAILABLE', { source: this.#name, reason });
  }
}

/** Block hashes by slot: a count, then slots and hashes, newest first. */
function parseSlotHashes({ data }: ClusterAccount): ReadonlyMap<bigint, string> {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const hashes = new Map<bigint, string>();
  for (let at = COUNT_BYTES; at + ENTRY_BYTES <= data.length; at += ENTRY_BYTES) {
    const hash = data.subarray(at + 8, at + ENTRY_BYTES);
    hashes.set(view.getBigUint64(at, true), Buffer.from(hash).toString('hex'));
  }
  return hashes;
}

async function undefinedIfFailed<Value>(request: Promise<Value>): Promise<Value | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}
