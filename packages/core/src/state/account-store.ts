import type { Address } from '../base/encoding/address.ts';
import type { Slot } from '../base/time.ts';
import type { AddressKey } from './address-key.ts';
import type { SeenAddresses } from './seen-addresses.ts';

/** An account as it was read. */
export type AccountContent = {
  readonly key: AddressKey;
  /** The program that owns the account. */
  readonly owner: Address;
  readonly data: Uint8Array;
};

/** An existing account at a slot. The store takes ownership of the bytes. */
/** `version`: of the accounts of this kind after the write. */
export type AccountWrite = AccountContent & { readonly slot: Slot; readonly version?: number };

/** A stored account with its known bytes. They are valid only until the next iteration. */
export type StoredAccountBytes = {
  readonly address: Address;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly slot: Slot;
};

/**
 * A subset of the stored accounts: of a program, and optionally of a wallet, a mint or some
 * addresses. `except`: those are left out.
 */
export type AccountSelection = {
  readonly program: Address;
  readonly owner?: Address;
  readonly mint?: Address;
  readonly addresses?: ReadonlySet<Address>;
  readonly except?: SeenAddresses;
};

/** The write interface of a store for one kind of account. */
export type AccountStore = {
  /** The slot of the stored account. */
  slotOf(key: AddressKey): Slot | undefined;
  /** A copy of what is stored of the account; undefined if it is not stored. */
  read(key: AddressKey): StoredAccountBytes | undefined;
  /** Returns whether readers see another content than before. */
  put(change: AccountWrite): boolean;
  /** Whether readers would see no difference after a `put` of this content. */
  holds(content: AccountContent): boolean;
  remove(key: AddressKey): void;
  /** Accounts stored with an older slot. */
  olderThan(slot: Slot, selection: AccountSelection): Address[];
  accounts(): Iterable<StoredAccountBytes>;
  /** Some addresses at random, without repetition. `random`: from 0 up to 1. */
  sample(count: number, random: () => number): Address[];
};
