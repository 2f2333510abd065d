import {
  type Address,
  CLOCK_SYSVAR,
  type ClusterAccount,
  CodedError,
  type Commitment,
  decodeClockSysvar,
  encodeBase64,
  hasCode,
  type KeyedAccount,
  type LatestBlockhash,
  type Ratio,
  type Slot,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { parseEndpointUrl } from '../endpoints/endpoint-url.ts';
import type { ChainReader } from '../source/chain-reader.ts';
import type { ProgramScan, SlotTime } from '../source/chain-source.ts';
import type { LedgerReader } from '../source/ledger-reader.ts';
import {
  createJsonRpc,
  type JsonRpc,
  type RpcCall,
  unlessRefused,
  wrapAsSourceError,
} from './json-rpc.ts';
import {
  parseAccountJson,
  parseAccountValue,
  parseNamedAccountJson,
  quoteLargeLamports,
  type RpcAccountEncoding,
} from './parse-account.ts';
import { parseBlockhash } from './parse-blockhash.ts';
import { parseSimulation, simulationConfig } from './parse-simulation.ts';
import { PERFORMANCE_SAMPLES, parseSlotDuration } from './parse-slot-duration.ts';
import {
  malformedData,
  requireAccountList,
  requireContextSlot,
  requireHash,
  requireInteger,
  requireObject,
  requireSlot,
} from './response-values.ts';
import { toRpcFilter } from './rpc-filter.ts';
import { createRpcLedger } from './rpc-ledger.ts';
import { SlotValidator } from './slot-validator.ts';

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

/** A question whose answer has a slot, and a value that `read` takes. */
type DatedQuestion<Value> = Pick<RpcCall, 'method' | 'minSlot' | 'onElement' | 'transformText'> & {
  /** Comes before the configuration. */
  readonly subject?: unknown;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly read: (value: unknown) => Value;
};

type Dated<Value> = { readonly slot: Slot; readonly value: Value };
type AccountsAnswer = Awaited<ReturnType<ChainReader['getAccounts']>>;

/** Most addresses that a node takes at once. */
const BATCH = 100;
const BATCHES_AT_ONCE = 4;

/** An endpoint's answers, each checked, each with its slot. It tries once: retrying is the failover's business. */
export function createRpcSource(options: RpcSourceOptions): ChainReader {
  return new RpcSource(options);
}

class RpcSource implements ChainReader {
  readonly name: string;
  readonly commitment: Commitment;
  readonly ledger: LedgerReader;
  readonly #rpc: JsonRpc;
  readonly #timeoutMs: number;
  readonly #scanTimeoutMs: number;
  readonly #guard: SlotValidator;
  /** Undefined until the endpoint has shown what it takes. */
  #encoding: RpcAccountEncoding | undefined;

  constructor(options: RpcSourceOptions) {
    const { clock, maxLagSlots, timeoutMs = 10_000, scanTimeoutMs = 120_000 } = options;
    const url = parseEndpointUrl(options.url);
    this.name = `rpc ${url.host}`;
    this.commitment = options.commitment;
    this.#timeoutMs = timeoutMs;
    this.#scanTimeoutMs = scanTimeoutMs;
    this.#rpc = createJsonRpc(url, this.name);
    this.ledger = createRpcLedger((...asked) => this.#ask(...asked), this.commitment);
    this.#guard = new SlotValidator({
      name: this.name,
      clock,
      maxLagSlots,
      fetchSlot: () => this.#askClock(),
    });
  }

  getGenesisHash(): Promise<string> {
    return this.#ask('getGenesisHash', [], (result) => requireHash(result, 'genesis hash'));
  }

  async slot(): Promise<Slot> {
    const before = this.#guard.highestSlot;
    const slot = await this.#askSlot();
    await this.#guard.check(slot, before);
    return slot;
  }

  /** From the clock that programs read; where there is none, from the block's time. */
  async getSlotTime(): Promise<SlotTime> {
    const { slot, accounts } = await this.getAccounts([CLOCK_SYSVAR]);
    const [account] = accounts;
    if (account !== undefined) return this.#checked(() => decodeClockSysvar(account));
    return { slot, unix: await this.#blockTime(slot) };
  }

  getSlotDurationMs(): Promise<Ratio | undefined> {
    return unlessRefused(
      this.#ask('getRecentPerformanceSamples', [PERFORMANCE_SAMPLES], parseSlotDuration),
    );
  }

  /** Batches are read one by one; the slot of all is that of the oldest. */
  async getAccounts(
    addresses: readonly Address[],
    minSlot?: Slot,
    maxBytes?: number,
  ): Promise<AccountsAnswer> {
    if (addresses.length === 0) return { slot: await this.slot(), accounts: [] };
    const answers: AccountsAnswer[] = [];
    for (let start = 0; start < addresses.length; start += BATCH * BATCHES_AT_ONCE) {
      const batches: Promise<AccountsAnswer>[] = [];
      for (let batch = 0; batch < BATCHES_AT_ONCE; batch++) {
        const from = start + batch * BATCH;
        if (from >= addresses.length) break;
        batches.push(this.#batch(addresses.slice(from, from + BATCH), minSlot, maxBytes));
      }
      answers.push(...(await Promise.all(batches)));
    }
    const slot = answers.reduce((oldest, each) => (each.slot < oldest ? each.slot : oldest), MAX);
    return { slot, accounts: answers.flatMap((answer) => answer.accounts) };
  }

  scanProgram(
    { program, filters }: ProgramScan,
    minSlot?: Slot,
  ): ReturnType<ChainReader['scanProgram']> {
    return this.#inBestEncoding(async (encoding) => {
      const accounts: KeyedAccount[] = [];
      const { slot } = await this.#dated({
        method: 'getProgramAccounts',
        subject: program,
        config: { encoding, filters: filters.map(toRpcFilter), withContext: true },
        minSlot,
        read: requireAccountList,
        onElement: (text) => {
          const named = parseNamedAccountJson(text);
          if (named.account.owner !== program) {
            throw malformedData('answer', 'an account of another program is in it');
          }
          accounts.push(named);
        },
      });
      return { slot, accounts };
    });
  }

  async getLatestBlockhash(minSlot?: Slot): Promise<LatestBlockhash> {
    const method = 'getLatestBlockhash';
    const { slot, value } = await this.#dated({ method, minSlot, read: parseBlockhash });
    return { slot, ...value };
  }

  async simulate(...[wire, addresses, minSlot]: Parameters<ChainReader['simulate']>) {
    const { slot, value } = await this.#dated({
      method: 'simulateTransaction',
      subject: encodeBase64(wire),
      config: simulationConfig(addresses),
      minSlot,
      transformText: quoteLargeLamports,
      read: (answered) => parseSimulation(answered, addresses),
    });
    return { slot, ...value };
  }

  close(): void {}

  #batch(
    addresses: readonly Address[],
    minSlot: Slot | undefined,
    maxBytes: number | undefined,
  ): Promise<AccountsAnswer> {
    const read = async (encoding: RpcAccountEncoding) => {
      const accounts: (ClusterAccount | undefined)[] = [];
      const { slot } = await this.#dated({
        method: 'getMultipleAccounts',
        subject: addresses,
        config: { encoding, ...(maxBytes && { dataSlice: { offset: 0, length: maxBytes } }) },
        minSlot,
        read: requireAccountList,
        onElement: (text) => accounts.push(parseAccountJson(text)),
      });
      if (accounts.length === addresses.length) return { slot, accounts };
      const reason = `it sent ${accounts.length} accounts for ${addresses.length} addresses`;
      throw new CodedError('SOURCE_UNAVAILABLE', { source: this.name, reason });
    };
    // a part that is packed would not have the size that the node says of the whole
    return maxBytes === undefined ? this.#inBestEncoding(read) : read('base64');
  }

  async #dated<Value>(question: DatedQuestion<Value>): Promise<Dated<Value>> {
    const { subject, config, read, ...call } = question;
    const { method, minSlot } = call;
    const before = this.#guard.highestSlot;
    const minContextSlot = minSlot === undefined ? {} : { minContextSlot: Number(minSlot) };
    const last = { ...config, commitment: this.commitment, ...minContextSlot };
    const result = await this.#rpc({
      ...call,
      params: subject === undefined ? [last] : [subject, last],
      timeoutMs: method === 'getProgramAccounts' ? this.#scanTimeoutMs : this.#timeoutMs,
    });
    const dated = this.#checked(() => ({
      value: read(requireObject(result, 'answer')['value']),
      slot: requireContextSlot(result),
    }));
    const { slot } = dated;
    if (minSlot !== undefined && slot < minSlot) {
      throw new CodedError('SOURCE_LAGS', { source: this.name, slot, minSlot });
    }
    await this.#guard.check(slot, before);
    return dated;
  }

  /** Compressed where the endpoint takes it: the first request tells. */
  async #inBestEncoding<Answer>(
    read: (encoding: RpcAccountEncoding) => Promise<Answer>,
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

  #blockTime(slot: Slot): Promise<UnixSeconds | undefined> {
    const asked = this.#ask('getBlockTime', [Number(slot)], (result) =>
      result === null
        ? undefined
        : toUnixSeconds(BigInt(requireInteger(result, 'time of a block'))),
    );
    return unlessRefused(asked);
  }

  /** A node may put a wrong slot on any answer; its clock is an account, and says which slot that is of. */
  async #askClock(): Promise<Slot> {
    const params = [CLOCK_SYSVAR, { encoding: 'base64', commitment: this.commitment }];
    const asked = this.#ask('getAccountInfo', params, (result) => {
      const { value } = requireObject(result, 'answer');
      const account = value === null ? undefined : parseAccountValue(value, '');
      return account && decodeClockSysvar(account).slot;
    });
    return (await unlessRefused(asked)) ?? this.#askSlot();
  }

  #askSlot(): Promise<Slot> {
    const params = [{ commitment: this.commitment }];
    return this.#ask('getSlot', params, (result) => requireSlot(result, 'slot'));
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
      throw error instanceof CodedError ? wrapAsSourceError(error, this.name) : error;
    }
  }
}

const MAX = toSlot(2n ** 64n - 1n);
