import type { Address } from '../base/encoding/address.ts';
import type { Slot } from '../base/time.ts';
import type { AddressKey } from './address-key.ts';

/** An account that exists, as of a slot. The bytes are the holding's from here on. */
export type AccountWrite = {
  readonly key: AddressKey;
  /** The program that keeps it. */
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly slot: Slot;
};

/** A part of what is held: of a program, and of it the accounts of one wallet, of one mint or at some addresses. */
export type AccountSelection = {
  readonly program: Address;
  readonly owner?: Address;
  readonly mint?: Address;
  readonly addresses?: ReadonlySet<Address>;
};

/** The write side of everything that keeps accounts of one kind. */
export type AccountStore = {
  /** As of which slot the account is held. */
  slotOf(key: AddressKey): Slot | undefined;
  put(change: AccountWrite): void;
  remove(key: AddressKey): void;
  /** Accounts that are held as of a slot before this one. */
  olderThan(slot: Slot, selection: AccountSelection): Address[];
};
