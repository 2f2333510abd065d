import type { Address } from '../base/encoding/address.ts';
import { bytesEqual } from '../base/encoding/bytes.ts';
import type { RawAccount } from '../base/solana/account.ts';
import type { Slot } from '../base/time.ts';
import type {
  AccountContent,
  AccountSelection,
  AccountStore,
  AccountWrite,
  StoredAccountBytes,
} from './account-store.ts';
import type { AddressKey } from './address-key.ts';
import type { StoredAccountWithData } from './cluster-reader.ts';
import { sampleOf } from './sample-of.ts';

type Kind<Fields> = { view(account: RawAccount): Fields };

type Entry<Fields> = { readonly account: StoredAccountWithData<Fields>; readonly slot: Slot };

/** Stores accounts with their raw data, for kinds with a few hundred accounts. */
export class RawAccountStore<Fields> implements AccountStore {
  readonly #kind: Kind<Fields>;
  readonly #entries = new Map<Address, Entry<Fields>>();
  #all: readonly StoredAccountWithData<Fields>[] | undefined;

  constructor(kind: Kind<Fields>) {
    this.#kind = kind;
  }

  slotOf({ address }: AddressKey): Slot | undefined {
    return this.#entries.get(address)?.slot;
  }

  read({ address }: AddressKey): StoredAccountBytes | undefined {
    const entry = this.#entries.get(address);
    if (entry === undefined) return undefined;
    const { program: owner, data } = entry.account;
    return { address, owner, data, slot: entry.slot };
  }

  put({ key: { address }, owner, data, slot }: AccountWrite): boolean {
    const old = this.#entries.get(address)?.account;
    if (old !== undefined && isSame(old, owner, data)) {
      this.#entries.set(address, { slot, account: old });
      return false;
    }
    const fields = this.#kind.view({ owner, data });
    this.#entries.set(address, { slot, account: { address, program: owner, data, fields } });
    this.#all = undefined;
    return true;
  }

  holds({ key, owner, data }: AccountContent): boolean {
    const stored = this.#entries.get(key.address)?.account;
    return stored !== undefined && isSame(stored, owner, data);
  }

  remove({ address }: AddressKey): void {
    this.#entries.delete(address);
    this.#all = undefined;
  }

  olderThan(before: Slot, { program, addresses, except }: AccountSelection): Address[] {
    return [...this.#entries.values()]
      .filter(({ slot, account }) => slot < before && account.program === program)
      .map(({ account }) => account.address)
      .filter((address) => addresses === undefined || addresses.has(address))
      .filter((address) => except === undefined || !except.has(address));
  }

  *accounts(): Iterable<StoredAccountBytes> {
    for (const { slot, account } of this.#entries.values()) {
      const { address, program: owner, data } = account;
      yield { address, owner, data, slot };
    }
  }

  sample(count: number, random: () => number): Address[] {
    return sampleOf(this.#entries.keys(), count, random);
  }

  get(address: Address): StoredAccountWithData<Fields> | undefined {
    return this.#entries.get(address)?.account;
  }

  /** Sorted by address; the same array until an account changes. */
  all(): readonly StoredAccountWithData<Fields>[] {
    this.#all ??= [...this.#entries.keys()].sort().flatMap((address) => this.get(address) ?? []);
    return this.#all;
  }
}

const isSame = (
  stored: StoredAccountWithData<unknown>,
  owner: Address,
  data: Uint8Array,
): boolean => stored.program === owner && bytesEqual(stored.data, data);
