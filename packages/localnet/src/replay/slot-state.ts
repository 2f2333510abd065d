import { type Address, bytesEqual, type ClusterAccount } from '@tidegate/core/base';
import type { ObservedSlot, SeenAccounts } from './observed-slot.ts';
import { identifyProtocolAccount } from './protocol-accounts.ts';
import type { TransactionProof } from './slot-proof.ts';

/** The accounts of a slot between its transactions, as far as they are known. */
export class SlotState {
  readonly #slot: ObservedSlot;
  readonly #written = new Map<Address, ClusterAccount | undefined>();
  readonly #unknown = new Map<Address, TransactionProof>();
  /** Replaces accounts that an oracle writes without a transaction that is seen. */
  prices: SeenAccounts = new Map();

  constructor(slot: ObservedSlot) {
    this.#slot = slot;
  }

  has(address: Address): boolean {
    return this.#written.has(address) || this.#slot.before.has(address);
  }

  find(address: Address): ClusterAccount | undefined {
    if (this.#written.has(address)) return this.#written.get(address);
    return this.prices.get(address) ?? this.#slot.before.get(address);
  }

  get seenAccounts(): Iterable<ClusterAccount | undefined> {
    return this.#slot.before.values();
  }

  get writtenAccounts(): SeenAccounts {
    return this.#written;
  }

  /** The transaction after which the account is not known. */
  unknownSince(address: Address): TransactionProof | undefined {
    return this.#unknown.get(address);
  }

  get unknownAddresses(): Iterable<Address> {
    return this.#unknown.keys();
  }

  write(changes: ReadonlyMap<Address, ClusterAccount | undefined>): void {
    for (const [address, account] of changes) this.#written.set(address, account);
  }

  /** A transaction wrote some of the accounts, nobody knows what. An account that the slot did not change stays known. */
  loseTrack(addresses: Iterable<Address>, proof: TransactionProof): void {
    for (const address of addresses) {
      const account = this.find(address);
      this.#written.delete(address);
      const isProtocol = account !== undefined && identifyProtocolAccount(account) !== undefined;
      const isCompared = isProtocol || this.#slot.after.has(address);
      if (isCompared && !this.#isUnchanged(address) && !this.#unknown.has(address)) {
        this.#unknown.set(address, proof);
      }
    }
  }

  /** As `loseTrack`, of a transaction that may have written any account. */
  loseTrackOfAll(proof: TransactionProof): void {
    this.loseTrack(new Set([...this.#slot.before.keys(), ...this.#slot.after.keys()]), proof);
  }

  #isUnchanged(address: Address): boolean {
    const { before, after } = this.#slot;
    return (
      before.has(address) &&
      after.has(address) &&
      isSameAccount(before.get(address), after.get(address))
    );
  }
}

/** Whether owner and bytes are equal. The lamports of an account are not the programs' figures. */
export function isSameAccount(
  a: ClusterAccount | undefined,
  b: ClusterAccount | undefined,
): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.owner === b.owner && (a.data === b.data || bytesEqual(a.data, b.data));
}
