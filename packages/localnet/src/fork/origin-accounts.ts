import {
  type Address,
  type ChainTime,
  CLOCK_SYSVAR,
  type ClusterAccount,
  decodeBase64,
  decodeClockSysvar,
  parseAddress,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import { CodedError } from '../errors/index.ts';
import { OriginRpc, type Pause } from './origin-rpc.ts';

/** Addresses of one `getMultipleAccounts`. */
export const MAX_ADDRESSES = 100;

/** An account as the origin had it; undefined if it did not exist. */
type OriginAccount = { readonly address: Address; readonly account: ClusterAccount | undefined };

export type OriginAccounts = {
  /** The slot of the answer. */
  readonly slot: Slot;
  readonly accounts: readonly OriginAccount[];
};

/** Reads accounts of the cluster that is forked, never of a slot before `minSlot`. */
export class OriginAccountReader {
  readonly #rpc: OriginRpc;
  readonly #minSlot: Slot;

  constructor(rpc: OriginRpc, minSlot: Slot) {
    this.#rpc = rpc;
    this.#minSlot = minSlot;
  }

  get host(): string {
    return this.#rpc.host;
  }

  /** At most 100 addresses, all at the same slot. */
  async read(addresses: readonly Address[]): Promise<OriginAccounts> {
    const { slot, value } = await this.#call('getMultipleAccounts', [addresses]);
    const values = requireArray(value, 'accounts of the origin');
    if (values.length !== addresses.length) throw malformed('another number of accounts');
    const accounts = addresses.map((address, i) => {
      return { address, account: isRecord(values[i]) ? parseAccount(values[i]) : undefined };
    });
    return { slot, accounts };
  }

  /** `getProgramAccounts` or `getTokenAccountsByOwner`, whose first parameters are given. */
  async scan(
    method: string,
    params: readonly unknown[],
    config: object = {},
  ): Promise<OriginAccounts> {
    const { slot, value } = await this.#call(method, params, config);
    const accounts = requireArray(value, `result of ${method}`).map((each) => {
      const { pubkey, account } = requireRecord(each, 'account of the origin');
      const address = parseAddress(String(pubkey));
      if (address === undefined) throw malformed('a result without an address');
      return { address, account: parseAccount(account) };
    });
    return { slot, accounts };
  }

  /** Addresses of the accounts that hold most of a token. */
  async largestHolders(mint: Address): Promise<readonly Address[]> {
    const { value } = await this.#context('getTokenLargestAccounts', [
      mint,
      { commitment: COMMITMENT },
    ]);
    return requireArray(value, 'holders').flatMap((each) => {
      const { address } = requireRecord(each, 'holder');
      return parseAddress(String(address)) ?? [];
    });
  }

  #call(method: string, params: readonly unknown[], config: object = {}) {
    const minContextSlot = Number(this.#minSlot);
    const options = { ...config, encoding: 'base64', commitment: COMMITMENT, minContextSlot };
    const needsContext = method === 'getProgramAccounts';
    const last = needsContext ? { ...options, withContext: true } : options;
    return this.#context(method, [...params, last]);
  }

  /** Rejects an answer of an older slot: some nodes ignore `minContextSlot`. */
  async #context(method: string, params: readonly unknown[]) {
    const result = requireRecord(await this.#rpc.call(method, params), `result of ${method}`);
    const { slot } = requireRecord(result['context'], 'context');
    if (typeof slot !== 'number') throw malformed('a context without a slot');
    if (BigInt(slot) < this.#minSlot) {
      const context = { source: this.host, slot: BigInt(slot), minSlot: this.#minSlot };
      throw new CodedError('SOURCE_LAGS', context);
    }
    return { slot: toSlot(BigInt(slot)), value: result['value'] };
  }
}

const COMMITMENT = 'confirmed';

export type ForkOptions = {
  /** JSON-RPC URL of the cluster to fork. */
  readonly url: string | URL;
  /** Accounts are read at this slot or later; by default the newest confirmed one. */
  readonly slot?: bigint;
};

/** Connects to the origin: the time that the fork begins at, and what reads accounts since then. */
export async function openOrigin(
  { url, slot }: ForkOptions,
  wait?: Pause,
): Promise<{ readonly time: ChainTime; readonly reader: OriginAccountReader }> {
  const rpc = new OriginRpc(url, wait);
  const minSlot = toSlot(slot ?? (await newestSlot(rpc)));
  const { accounts } = await new OriginAccountReader(rpc, minSlot).read([CLOCK_SYSVAR]);
  const clock = accounts[0]?.account;
  if (clock === undefined) throw malformed('no clock account');
  const time = decodeClockSysvar(clock);
  return { time, reader: new OriginAccountReader(rpc, time.slot) };
}

async function newestSlot(rpc: OriginRpc): Promise<bigint> {
  const slot = await rpc.call('getSlot', [{ commitment: COMMITMENT }]);
  if (typeof slot !== 'number') throw malformed('no slot');
  return BigInt(slot);
}

/**
 * Lamports beyond 2^53 lose their last digits in JSON, as with every client in JavaScript; the data of an account, which
 * has the amounts of tokens, does not.
 */
function parseAccount(value: unknown): ClusterAccount {
  const { owner, lamports, data } = requireRecord(value, 'account of the origin');
  const [text] = requireArray(data, 'data of an account');
  const program = parseAddress(String(owner));
  if (program === undefined || typeof lamports !== 'number' || typeof text !== 'string') {
    throw malformed('an account without owner, lamports or data');
  }
  const bytes = decodeBase64(text, 'data of an account');
  return { owner: program, lamports: BigInt(lamports), data: bytes };
}

const malformed = (reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'answer of the origin', reason });

type JsonRecord = { readonly [name: string]: unknown };

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function requireRecord(value: unknown, what: string): JsonRecord {
  if (isRecord(value)) return value;
  throw new CodedError('MALFORMED_DATA', { what, reason: 'it is not an object' });
}

function requireArray(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new CodedError('MALFORMED_DATA', { what, reason: 'it is not a list' });
}
