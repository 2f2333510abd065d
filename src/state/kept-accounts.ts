import type { Account } from '../base/account.ts';
import type { Address } from '../base/address.ts';
import type { Shape, Struct, View } from '../base/layout.ts';
import type { Slot } from '../base/time.ts';
import type { AddressKey } from './address-key.ts';
import type { Holding, HoldingChange, Selection } from './holding.ts';
import type { HeldBytes } from './reader.ts';

type Kept<Fields> = { readonly held: HeldBytes<Fields>; readonly slot: Slot };

/** Accounts of one kind with all of their bytes: for the kinds of which there are some hundreds. */
export class KeptAccounts<S extends Shape> implements Holding {
  readonly #account: Account<S>;
  readonly #kept = new Map<Address, Kept<View<Struct<S>>>>();
  #all: readonly HeldBytes<View<Struct<S>>>[] | undefined;

  constructor(account: Account<S>) {
    this.#account = account;
  }

  slotOf({ address }: AddressKey): Slot | undefined {
    return this.#kept.get(address)?.slot;
  }

  put({ key: { address }, owner, data, slot }: HoldingChange): void {
    const fields = this.#account.view({ owner, data });
    this.#kept.set(address, { slot, held: { address, program: owner, data, fields } });
    this.#all = undefined;
  }

  remove({ address }: AddressKey): void {
    this.#kept.delete(address);
    this.#all = undefined;
  }

  olderThan(before: Slot, { program }: Selection): Address[] {
    return [...this.#kept.values()]
      .filter(({ slot, held }) => slot < before && held.program === program)
      .map(({ held }) => held.address);
  }

  one(address: Address): HeldBytes<View<Struct<S>>> | undefined {
    return this.#kept.get(address)?.held;
  }

  /** By address; the same list until one of them changes. */
  all(): readonly HeldBytes<View<Struct<S>>>[] {
    this.#all ??= [...this.#kept.keys()].sort().flatMap((address) => this.one(address) ?? []);
    return this.#all;
  }
}
