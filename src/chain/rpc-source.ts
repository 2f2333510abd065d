import { type Address, parseAddress } from '../base/address.ts';
import { encodeBase58 } from '../base/base58.ts';
import { type Ratio, ratio } from '../base/decimal.ts';
import { CodedError, hasCode } from '../base/errors.ts';
import { type Slot, toSlot, toUnixSeconds, type UnixSeconds } from '../base/time.ts';
import { type AccountEncoding, parseAccount, parseNamedAccount } from './account-answer.ts';
import type { ChainReader } from './chain-reader.ts';
import { CLOCK_ADDRESS, decodeClock } from './clock-account.ts';
import { readEndpointUrl } from './endpoint-url.ts';
import { asSourceFailure, createJsonRpc, type JsonRpc } from './json-rpc.ts';
import { contextSlotOf, fieldsOf, malformed, slotOf, textOf, wholeOf } from './rpc-values.ts';
import { SlotGuard } from './slot-guard.ts';
import type {
  AccountFilter,
  ClusterAccount,
  Commitment,
  NamedAccount,
  Scan,
  SlotTime,
} from './source.ts';

export type RpcSourceOptions = {
  readonly url: URL;
  readonly commitment: Commitment;
  readonly clock: () => number;
  /** An answer this far behind an earlier one of the same endpoint is refused. */
  readonly maxLagSlots: bigint;
  readonly timeoutMs?: number;
  /** A node reads a whole program before it sends the first byte. */
  readonly scanTimeoutMs?: number;
};

type Listing = {
  readonly method: 'getMultipleAccounts' | 'getProgramAccounts';
  readonly subject: unknown;
  readonly config: Readonly<Record<string, unknown>>;
  readonly minSlot: Slot | undefined;
  readonly onElement: (text: string) => void;
};

type AccountsAnswer = {
  readonly slot: Slot;
  readonly accounts: readonly (ClusterAccount | undefined)[];
};

type ScanAnswer = { readonly slot: Slot; readonly accounts: readonly NamedAccount[] };

/** Most addresses that a node takes at once. */
const BATCH = 100;
const BATCHES_AT_ONCE = 4;
/** One each minute. */
const SAMPLES = 60;

/** An endpoint's answers, each checked, each with its slot. It tries once: retrying is the failover's business. */
export function createRpcSource(options: RpcSourceOptions): ChainReader {
  return new RpcSource(options);
}

class RpcSource implements ChainReader {
  readonly name: string;
  readonly commitment: Commitment;
  readonly #rpc: JsonRpc;
  readonly #timeoutMs: number;
  readonly #scanTimeoutMs: number;
  readonly #guard: SlotGuard;
  /** Undefined until the endpoint has shown what it takes. */
  #encoding: AccountEncoding | undefined;

  constructor(options: RpcSourceOptions) {
    const { clock, maxLagSlots, timeoutMs = 10_000, scanTimeoutMs = 120_000 } = options;
    const url = readEndpointUrl(options.url);
    this.name = `rpc ${url.host}`;
    this.commitment = options.commitment;
    this.#timeoutMs = timeoutMs;
    this.#scanTimeoutMs = scanTimeoutMs;
    this.#rpc = createJsonRpc(url, this.name);
    this.#guard = new SlotGuard({
      name: this.name,
      clock,
      maxLagSlots,
      ask: () => this.#askSlot(),
    });
  }

  genesisHash(): Promise<string> {
    return this.#ask('getGenesisHash', [], (result) => {
      const hash = parseAddress(textOf(result, 'genesis hash'));
      if (hash === undefined) throw malformed('genesis hash', 'it is not base58 of 32 bytes');
      return hash;
    });
  }

  async slot(): Promise<Slot> {
    const before = this.#guard.highest;
    const slot = await this.#askSlot();
    await this.#guard.check(slot, before);
    return slot;
  }

  /** From the clock that programs read; where there is none, from the block's time. */
  async slotTime(): Promise<SlotTime> {
    const { slot, accounts } = await this.accounts([CLOCK_ADDRESS]);
    const [account] = accounts;
    if (account !== undefined) {
      const time = this.#checked(() => decodeClock(account));
      return { slot, unix: time.unix };
    }
    return { slot, unix: await this.#blockTime(slot) };
  }

  slotMs(): Promise<Ratio | undefined> {
    return this.#ask('getRecentPerformanceSamples', [SAMPLES], readSlotMs).catch((error) => {
      if (hasCode(error, 'SOURCE_REFUSES')) return undefined;
      throw error;
    });
  }

  /** Batches are read one by one; the slot of all is that of the oldest. */
  async accounts(addresses: readonly Address[], minSlot?: Slot): Promise<AccountsAnswer> {
    if (addresses.length === 0) return { slot: await this.slot(), accounts: [] };
    const answers: AccountsAnswer[] = [];
    for (let start = 0; start < addresses.length; start += BATCH * BATCHES_AT_ONCE) {
      const batches: Promise<AccountsAnswer>[] = [];
      for (let batch = 0; batch < BATCHES_AT_ONCE; batch++) {
        const from = start + batch * BATCH;
        if (from >= addresses.length) break;
        batches.push(this.#batch(addresses.slice(from, from + BATCH), minSlot));
      }
      answers.push(...(await Promise.all(batches)));
    }
    const slot = answers.reduce((oldest, each) => (each.slot < oldest ? each.slot : oldest), MAX);
    return { slot, accounts: answers.flatMap((answer) => answer.accounts) };
  }

  scan({ program, filters }: Scan, minSlot?: Slot): Promise<ScanAnswer> {
    return this.#inBestEncoding(async (encoding) => {
      const accounts: NamedAccount[] = [];
      const slot = await this.#list({
        method: 'getProgramAccounts',
        subject: program,
        config: { encoding, filters: filters.map(rpcFilter), withContext: true },
        minSlot,
        onElement: (text) => {
          const named = parseNamedAccount(text);
          if (named.account.owner !== program) {
            throw malformed('answer', 'an account of another program is in it');
          }
          accounts.push(named);
        },
      });
      return { slot, accounts };
    });
  }

  close(): void {}

  #batch(addresses: readonly Address[], minSlot: Slot | undefined): Promise<AccountsAnswer> {
    return this.#inBestEncoding(async (encoding) => {
      const accounts: (ClusterAccount | undefined)[] = [];
      const slot = await this.#list({
        method: 'getMultipleAccounts',
        subject: addresses,
        config: { encoding },
        minSlot,
        onElement: (text) => accounts.push(parseAccount(text)),
      });
      if (accounts.length === addresses.length) return { slot, accounts };
      const reason = `it sent ${accounts.length} accounts for ${addresses.length} addresses`;
      throw new CodedError('SOURCE_UNAVAILABLE', { source: this.name, reason });
    });
  }

  /** The slot of the answer, whose elements went to `onElement`. */
  async #list({ method, subject, config, minSlot, onElement }: Listing): Promise<Slot> {
    const before = this.#guard.highest;
    const minContextSlot = minSlot === undefined ? {} : { minContextSlot: Number(minSlot) };
    const result = await this.#rpc({
      method,
      params: [subject, { ...config, commitment: this.commitment, ...minContextSlot }],
      timeoutMs: method === 'getProgramAccounts' ? this.#scanTimeoutMs : this.#timeoutMs,
      minSlot,
      onElement,
    });
    const slot = this.#checked(() => {
      const { value } = fieldsOf(result, 'answer');
      if (!Array.isArray(value)) throw malformed('answer', 'it has no list of accounts');
      return contextSlotOf(result);
    });
    if (minSlot !== undefined && slot < minSlot) {
      throw new CodedError('SOURCE_LAGS', { source: this.name, slot, wanted: minSlot });
    }
    await this.#guard.check(slot, before);
    return slot;
  }

  /** Compressed where the endpoint takes it: the first request tells. */
  async #inBestEncoding<Answer>(
    read: (encoding: AccountEncoding) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.#encoding !== undefined) return read(this.#encoding);
    try {
      const answer = await read('base64+zstd');
      this.#encoding = 'base64+zstd';
      return answer;
    } catch (error) {
      if (!hasCode(error, 'SOURCE_REFUSES')) throw error;
      const answer = await read('base64');
      this.#encoding = 'base64';
      return answer;
    }
  }

  async #blockTime(slot: Slot): Promise<UnixSeconds | undefined> {
    try {
      return await this.#ask('getBlockTime', [Number(slot)], (result) =>
        result === null ? undefined : toUnixSeconds(BigInt(wholeOf(result, 'time of a block'))),
      );
    } catch (error) {
      if (hasCode(error, 'SOURCE_REFUSES')) return undefined;
      throw error;
    }
  }

  #askSlot(): Promise<Slot> {
    const params = [{ commitment: this.commitment }];
    return this.#ask('getSlot', params, (result) => slotOf(result, 'slot'));
  }

  async #ask<Value>(
    method: string,
    params: readonly unknown[],
    read: (result: unknown) => Value,
  ): Promise<Value> {
    const result = await this.#rpc({ method, params, timeoutMs: this.#timeoutMs });
    return this.#checked(() => read(result));
  }

  #checked<Value>(read: () => Value): Value {
    try {
      return read();
    } catch (error) {
      throw error instanceof CodedError ? asSourceFailure(error, this.name) : error;
    }
  }
}

const MAX = toSlot(2n ** 64n - 1n);

/** As a node takes it, over HTTP and over WebSocket. */
export function rpcFilter(filter: AccountFilter): unknown {
  switch (filter.kind) {
    case 'size':
      return { dataSize: filter.size };
    case 'bytes':
      return { memcmp: { offset: filter.offset, bytes: encodeBase58(filter.bytes) } };
  }
}

/** Mean over the samples. */
function readSlotMs(result: unknown): Ratio | undefined {
  if (!Array.isArray(result)) throw malformed('performance samples', 'they are not a list');
  let slots = 0;
  let seconds = 0;
  for (const sample of result) {
    const { numSlots, samplePeriodSecs } = fieldsOf(sample, 'performance sample');
    slots += wholeOf(numSlots, 'slots of a sample');
    seconds += wholeOf(samplePeriodSecs, 'seconds of a sample');
  }
  return slots === 0 ? undefined : ratio(BigInt(seconds) * 1000n, BigInt(slots));
}
