import {
  type Address,
  CLOCK_SYSVAR,
  type ClusterAccount,
  type Commitment,
  decodeClockSysvar,
  encodeBase64,
  type KeyedAccount,
  type LatestBlockhash,
  type Ratio,
  type Slot,
} from '@tidegate/core/base';
import { CodedError, hasCode } from '../../errors.ts';
import type { EndpointMeterOptions, EndpointUsage } from '../budget/endpoint-meter.ts';
import { parseEndpointUrl } from '../endpoints/endpoint-url.ts';
import type {
  ChainReader,
  PriorityFeeSample,
  ProgramRead,
  ProgramReadResult,
  ProgramReadSink,
  ProgramScan,
  SlotTime,
} from '../source/chain-source.ts';
import type { LedgerReader } from '../source/ledger-reader.ts';
import { type AccountOrigin, parseAccountOf } from '../source/malformed-accounts.ts';
import type { SourceAlarms } from '../source/source-alarms.ts';
import { AccountBatches, type AccountsResult } from './account-batches.ts';
import { ContextRequests } from './context-requests.ts';
import { type JsonRpc, undefinedIfRejected, wrapAsSourceError } from './json-rpc.ts';
import { type MeteredRpc, openMeteredRpc } from './metered-rpc.ts';
import {
  parseAccountJson,
  parseAccountValue,
  quoteLargeLamports,
  type RpcAccountEncoding,
} from './parse-account.ts';
import { parseSimulation, simulationConfig } from './parse-simulation.ts';
import { isProgramRead, ProgramReads } from './program-reads.ts';
import {
  PERFORMANCE_SAMPLES,
  parseBlockhash,
  parsePriorityFees,
  parseSlotDuration,
  requireAccountList,
  requireHash,
  requireObject,
  requireSlot,
} from './response-values.ts';
import { createRpcLedger } from './rpc-ledger.ts';
import { SlotValidator } from './slot-validator.ts';

export type RpcSourceOptions = {
  readonly url: URL;
  readonly commitment: Commitment;
  readonly clock: () => number;
  /** A response that is further behind an earlier one of the same endpoint is rejected. */
  readonly maxLagSlots: bigint;
  /** The newest slot that all sources together believe. */
  readonly newestSlot?: () => Slot | undefined;
  readonly alarms?: SourceAlarms | undefined;
  readonly timeoutMs?: number;
  /** A node reads the whole program before it sends the first byte. */
  readonly scanTimeoutMs?: number;
} & Pick<EndpointMeterOptions, 'budget' | 'priority' | 'onCall'>;

/** Reads from one endpoint and validates every response and its slot. Does not retry; failover does. */
export function createRpcSource(options: RpcSourceOptions): ChainReader {
  return new RpcSource(options);
}

class RpcSource implements ChainReader {
  readonly name: string;
  readonly commitment: Commitment;
  readonly ledger: LedgerReader;
  readonly #rpc: JsonRpc;
  readonly #meter: MeteredRpc['meter'];
  readonly #timeoutMs: number;
  readonly #origin: AccountOrigin;
  readonly #validator: SlotValidator;
  readonly #context: ContextRequests;
  readonly #batches = new AccountBatches();
  readonly #reads: ProgramReads;
  /** Undefined until the first response shows what the endpoint supports. */
  #encoding: RpcAccountEncoding | undefined;

  constructor(options: RpcSourceOptions) {
    const { clock, maxLagSlots, timeoutMs = 10_000, scanTimeoutMs = 120_000 } = options;
    const url = parseEndpointUrl(options.url);
    this.name = `rpc ${url.host}`;
    this.commitment = options.commitment;
    this.#timeoutMs = timeoutMs;
    this.#origin = { name: this.name, alarms: options.alarms };
    const { rpc, sendBatch, meter } = openMeteredRpc(url, this.name, options);
    this.#rpc = rpc;
    this.#meter = meter;
    this.ledger = createRpcLedger(
      (...args) => this.#send(...args),
      async (calls, read) => {
        const results = await sendBatch({ ...calls, timeoutMs });
        return this.#parse(() => results.map(read));
      },
      { name: this.name, commitment: this.commitment },
    );
    this.#validator = new SlotValidator({
      name: this.name,
      clock,
      maxLagSlots,
      newestSlot: options.newestSlot,
      fetchSlot: () => this.#fetchClockSlot(),
    });
    this.#context = new ContextRequests({
      name: this.name,
      commitment: this.commitment,
      rpc: this.#rpc,
      validator: this.#validator,
      timeoutMs: (method) => (isProgramRead(method) ? scanTimeoutMs : timeoutMs),
    });
    this.#reads = new ProgramReads({
      origin: this.#origin,
      context: this.#context,
      getAccounts: (addresses, minSlot) => this.getAccounts(addresses, minSlot),
      withBestEncoding: (read) => this.#withBestEncoding(read),
    });
  }

  getGenesisHash(): Promise<string> {
    return this.#send('getGenesisHash', [], (result) => requireHash(result, 'genesis hash'));
  }

  async getSlot(): Promise<Slot> {
    const before = this.#validator.highestSlot;
    const slot = await this.#fetchSlot();
    await this.#validator.check(slot, before);
    return slot;
  }

  /** From the clock sysvar; if it does not exist, from the block time. */
  async getSlotTime(): Promise<SlotTime> {
    const { slot, accounts } = await this.getAccounts([CLOCK_SYSVAR]);
    const [account] = accounts;
    if (account !== undefined) return this.#parse(() => decodeClockSysvar(account));
    return { slot, unix: await this.ledger.getBlockTime(slot) };
  }

  getSlotDurationMs(): Promise<Ratio | undefined> {
    return undefinedIfRejected(
      this.#send('getRecentPerformanceSamples', [PERFORMANCE_SAMPLES], parseSlotDuration),
    );
  }

  async getAccounts(
    addresses: readonly Address[],
    minSlot?: Slot,
    maxBytes?: number,
  ): Promise<AccountsResult> {
    if (addresses.length === 0) return { slot: await this.getSlot(), accounts: [] };
    return this.#batches.read(addresses, (batch) => this.#readBatch(batch, minSlot, maxBytes));
  }

  async scanProgram(
    scan: ProgramScan,
    minSlot?: Slot,
  ): Promise<{ readonly slot: Slot; readonly accounts: readonly KeyedAccount[] }> {
    let accounts: KeyedAccount[] = [];
    const { slot } = await this.streamProgram(
      { scan, content: 'accounts', minSlot },
      {
        onStart: () => {
          accounts = [];
        },
        onAccount: ({ address, account }) => accounts.push({ address, account }),
      },
    );
    return { slot, accounts };
  }

  streamProgram(read: ProgramRead, sink: ProgramReadSink): Promise<ProgramReadResult> {
    return this.#reads.read(read, sink);
  }

  async getLatestBlockhash(minSlot?: Slot): Promise<LatestBlockhash> {
    const method = 'getLatestBlockhash';
    const { slot, value } = await this.#context.send({ method, minSlot, parse: parseBlockhash });
    return { slot, ...value };
  }

  getRecentPriorityFees(writable: readonly Address[]): Promise<readonly PriorityFeeSample[]> {
    return this.#send('getRecentPrioritizationFees', [writable], parsePriorityFees);
  }

  async simulate(...[wire, addresses, minSlot]: Parameters<ChainReader['simulate']>) {
    const { slot, value } = await this.#context.send({
      method: 'simulateTransaction',
      subject: encodeBase64(wire),
      config: simulationConfig(addresses),
      minSlot,
      transformText: quoteLargeLamports,
      parse: (result) => parseSimulation(result, addresses),
    });
    return { slot, ...value };
  }

  usage(): EndpointUsage {
    return this.#meter.usage();
  }

  close(): void {
    this.#meter.close();
  }

  #readBatch(
    addresses: readonly Address[],
    minSlot: Slot | undefined,
    maxBytes: number | undefined,
  ): Promise<AccountsResult> {
    const read = async (encoding: RpcAccountEncoding) => {
      const accounts: (ClusterAccount | undefined)[] = [];
      const { slot } = await this.#context.send({
        method: 'getMultipleAccounts',
        subject: addresses,
        config: { encoding, ...(maxBytes && { dataSlice: { offset: 0, length: maxBytes } }) },
        minSlot,
        parse: requireAccountList,
        onElement: (text) => {
          const content = maxBytes === undefined ? 'whole' : 'part';
          accounts.push(parseAccountOf(this.#origin, () => parseAccountJson(text, content)));
        },
      });
      if (accounts.length === addresses.length) return { slot, accounts };
      const reason = `it returned ${accounts.length} accounts for ${addresses.length} addresses`;
      throw new CodedError('SOURCE_UNAVAILABLE', { source: this.name, reason });
    };
    // nodes report the size of the whole account, so a compressed slice would fail the size check
    return maxBytes === undefined ? this.#withBestEncoding(read) : read('base64');
  }

  /** Uses compression if the first request shows that the endpoint supports it. */
  async #withBestEncoding<Result>(
    read: (encoding: RpcAccountEncoding) => Promise<Result>,
  ): Promise<Result> {
    if (this.#encoding !== undefined) return read(this.#encoding);
    try {
      const result = await read('base64+zstd');
      this.#encoding = 'base64+zstd';
      return result;
    } catch (error) {
      if (!mayRejectEncoding(error)) throw error;
      const result = await read('base64');
      this.#encoding = 'base64';
      return result;
    }
  }

  /** The slot in the clock sysvar. Unlike a context slot, it is part of the account data. */
  async #fetchClockSlot(): Promise<Slot> {
    const params = [CLOCK_SYSVAR, { encoding: 'base64', commitment: this.commitment }];
    const request = this.#send('getAccountInfo', params, (result) => {
      const { value } = requireObject(result, 'response');
      const account = value === null ? undefined : parseAccountValue(value, '');
      return account && decodeClockSysvar(account).slot;
    });
    return (await undefinedIfRejected(request)) ?? this.#fetchSlot();
  }

  #fetchSlot(): Promise<Slot> {
    const params = [{ commitment: this.commitment }];
    return this.#send('getSlot', params, (result) => requireSlot(result, 'slot'));
  }

  async #send<Value>(
    method: string,
    params: readonly unknown[],
    parse: (result: unknown) => Value,
  ): Promise<Value> {
    const result = await this.#rpc({ method, params, timeoutMs: this.#timeoutMs });
    return this.#parse(() => parse(result));
  }

  #parse<Value>(parse: () => Value): Value {
    try {
      return parse();
    } catch (error) {
      throw error instanceof CodedError ? wrapAsSourceError(error, this.name) : error;
    }
  }
}

/** A method that is unknown, or a response that is too large, is so in any encoding. */
const mayRejectEncoding = (error: unknown): boolean =>
  hasCode(error, 'SOURCE_REFUSES') &&
  error.context.rejection !== 'unknown-method' &&
  error.context.rejection !== 'too-large';
