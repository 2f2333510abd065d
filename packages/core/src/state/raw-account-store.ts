import type { Address } from '../base/encoding/address.ts';
import type { RawAccount } from '../base/solana/account.ts';
import type { Slot } from '../base/time.ts';
import type { AccountSelection, AccountStore, AccountWrite } from './account-store.ts';
import type { AddressKey } from './address-key.ts';
import type { StoredAccountWithData } from './cluster-reader.ts';

type Kind<Fields> = { view(account: RawAccount): Fields };

type Kept<Fields> = { readonly held: StoredAccountWithData<Fields>; readonly slot: Slot };

/** Accounts of one kind with all of their bytes: for the kinds of which there are some hundreds. */
export class RawAccountStore<Fields> implements AccountStore {
  readonly #kind: Kind<Fields>;
  readonly #kept = new Map<Address, Kept<Fields>>();
  #all: readonly StoredAccountWithData<Fields>[] | undefined;

  constructor(kind: Kind<Fields>) {
    this.#kind = kind;
  }

  slotOf({ address }: AddressKey): Slot | undefined {
    return this.#kept.get(address)?.slot;
  }

  put({ key: { address }, owner, data, slot }: AccountWrite): void {
    const fields = this.#kind.view({ owner, data });
    this.#kept.set(address, { slot, held: { address, program: owner, data, fields } });
    this.#all = undefined;
  }

  remove({ address }: AddressKey): void {
    this.#kept.delete(address);
    this.#all = undefined;
  }

  olderThan(before: Slot, { program, addresses }: AccountSelection): Address[] {
    return [...this.#kept.values()]
      .filter(({ slot, held }) => slot < before && held.program === program)
      .filter(({ held }) => addresses === undefined || addresses.has(held.address))
      .map(({ held }) => held.address);
  }

  one(address: Address): StoredAccountWithData<Fields> | undefined {
    return this.#kept.get(address)?.held;
  }

  /** By address; the same list until one of them changes. */
  all(): readonly StoredAccountWithData<Fields>[] {
    this.#all ??= [...this.#kept.keys()].sort().flatMap((address) => this.one(address) ?? []);
    return this.#all;
  }
}
