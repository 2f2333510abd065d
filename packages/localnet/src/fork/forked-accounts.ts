import {
  type Address,
  type ChainTime,
  type ClusterAccount,
  type Logger,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import type { Bank } from '../runtime/bank.ts';
import { isReservedAccount } from '../runtime/transactions/reserved-accounts.ts';
import { MAX_ADDRESSES, type OriginAccountReader, type OriginAccounts } from './origin-accounts.ts';

/** An account that was read from the origin. */
export type ForkedAccount = {
  readonly address: Address;
  /** The slot of the origin at which it was read. */
  readonly slot: Slot;
  /** Whether it existed. */
  readonly isFound: boolean;
};

export type ForkedAccountsOptions = {
  readonly bank: Bank;
  readonly reader: OriginAccountReader;
  /** The time at which the fork began. */
  readonly time: ChainTime;
  /** Programs that this cluster executes: their accounts are not read. */
  readonly hasProgram: (address: Address) => boolean;
  /** Called before accounts of a slot are stored, so that the clock can follow. */
  readonly onRead: (slot: Slot) => void;
  /** What is stored of an account that was read at a slot. */
  readonly convert: (account: ClusterAccount, slot: Slot) => ClusterAccount;
  readonly log: Logger;
};

/**
 * Accounts of another cluster, read over RPC when they are first needed, and stored. A node has no accounts of past
 * slots, so each account is as of the slot of its first read. Local writes always win.
 */
export class ForkedAccounts {
  readonly #options: ForkedAccountsOptions;
  readonly #reads = new Map<Address, ForkedAccount>();
  readonly #inFlight = new Map<Address, Promise<void>>();
  /** By method and parameters. */
  readonly #scans = new Map<string, Promise<void>>();
  #newestSlot: Slot;

  constructor(options: ForkedAccountsOptions) {
    this.#options = options;
    this.#newestSlot = options.time.slot;
  }

  /** The newest slot of any read: a cluster that is behind it would have accounts of its future. */
  get newestSlot(): Slot {
    return this.#newestSlot;
  }

  get time(): ChainTime {
    return this.#options.time;
  }

  get host(): string {
    return this.#options.reader.host;
  }

  /** All accounts that were read, in the order of their reads. */
  reads(): readonly ForkedAccount[] {
    return [...this.#reads.values()];
  }

  /** Reads those of the accounts that are not known yet, up to 100 at the same slot. */
  async load(addresses: Iterable<Address>): Promise<void> {
    const unique = [...new Set(addresses)];
    const missing = unique.filter((address) => this.#isMissing(address));
    for (let start = 0; start < missing.length; start += MAX_ADDRESSES) {
      const chunk = missing.slice(start, start + MAX_ADDRESSES);
      const read = this.#read(chunk).finally(() => {
        for (const address of chunk) this.#inFlight.delete(address);
      });
      for (const address of chunk) this.#inFlight.set(address, read);
    }
    await Promise.all(unique.map((address) => this.#inFlight.get(address)));
  }

  /** Reads all accounts that a scan finds, once. A scan that failed is repeated by the next call. */
  async scan(method: string, params: readonly unknown[], config: object = {}): Promise<void> {
    await this.#once(`${method} ${JSON.stringify([params, config])}`, async () =>
      this.#store(await this.#options.reader.scan(method, params, config)),
    );
  }

  /** Reads the accounts that hold most of a token, once. */
  async loadLargestHolders(mint: Address): Promise<void> {
    await this.#once(`largest ${mint}`, async () =>
      this.load(await this.#options.reader.largestHolders(mint)),
    );
  }

  async #once(key: string, work: () => Promise<void>): Promise<void> {
    const scan = this.#scans.get(key) ?? work();
    this.#scans.set(key, scan);
    try {
      await scan;
    } catch (error) {
      this.#scans.delete(key);
      throw error;
    }
  }

  #isMissing(address: Address): boolean {
    const { bank, hasProgram } = this.#options;
    if (this.#reads.has(address) || this.#inFlight.has(address)) return false;
    if (isReservedAccount(address) || hasProgram(address)) return false;
    return bank.account(address) === undefined;
  }

  async #read(addresses: readonly Address[]): Promise<void> {
    this.#store(await this.#options.reader.read(addresses));
  }

  #store({ slot, accounts }: OriginAccounts): void {
    const { bank, onRead, convert, time, log } = this.#options;
    onRead(slot);
    if (slot > this.#newestSlot) this.#newestSlot = slot;
    for (const { address, account } of accounts) {
      if (this.#reads.has(address)) continue;
      this.#reads.set(address, { address, slot, isFound: account !== undefined });
      if (account !== undefined) bank.addInitialAccount(address, convert(account, slot));
    }
    const behind = toSlot(slot - time.slot);
    if (behind > 0n) {
      log.debug({ slot, behind, count: accounts.length }, 'accounts are of a later slot');
    }
  }
}
