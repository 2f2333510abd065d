import {
  type Address,
  type ClusterAccount,
  type KeyedAccount,
  type Slot,
  toSlot,
} from '@tidegate/core/base';

/** An account since a slot; undefined if it was deleted then. */
type AccountVersion = { readonly slot: Slot; readonly account: ClusterAccount | undefined };

export type SavedVersions = ReadonlyMap<Address, readonly AccountVersion[]>;

const INITIAL_SLOT = toSlot(0n);

/** The retained versions of all accounts, by address and by owner. */
export class AccountVersions {
  /** Oldest first. Initial versions have slot 0. */
  readonly #versions = new Map<Address, AccountVersion[]>();
  /** Every address with a retained version of that owner. */
  readonly #addressesByOwner = new Map<Address, Set<Address>>();

  has(address: Address): boolean {
    return this.#versions.has(address);
  }

  newest(address: Address): ClusterAccount | undefined {
    return this.#versions.get(address)?.at(-1)?.account;
  }

  at(address: Address, slot: Slot): ClusterAccount | undefined {
    const versions = this.#versions.get(address);
    if (versions === undefined) return undefined;
    for (let i = versions.length - 1; i >= 0; i--) {
      const version = versions[i];
      if (version !== undefined && version.slot <= slot) return version.account;
    }
    return undefined;
  }

  /** The newest version of all accounts. */
  *accounts(): Iterable<KeyedAccount> {
    for (const [address, versions] of this.#versions) {
      const account = versions.at(-1)?.account;
      if (account !== undefined) yield { address, account };
    }
  }

  *accountsOf(program: Address, slot: Slot): Iterable<KeyedAccount> {
    for (const address of this.#addressesByOwner.get(program) ?? []) {
      const account = this.at(address, slot);
      if (account?.owner === program) yield { address, account };
    }
  }

  addInitial(address: Address, account: ClusterAccount): void {
    this.add(address, { slot: INITIAL_SLOT, account });
  }

  add(address: Address, version: AccountVersion): void {
    const versions = this.#versions.get(address);
    if (versions === undefined) this.#versions.set(address, [version]);
    else versions.push(version);
    if (version.account === undefined) return;
    const { owner } = version.account;
    const owned = this.#addressesByOwner.get(owner) ?? new Set();
    this.#addressesByOwner.set(owner, owned.add(address));
  }

  /** Drops versions that no view from `horizon` on can read. */
  prune(address: Address, horizon: Slot): void {
    const versions = this.#versions.get(address) ?? [];
    const first = versions.findLastIndex(({ slot }) => slot <= horizon);
    const isGone = first === versions.length - 1 && versions[first]?.account === undefined;
    this.#updateOwners(address, versions.splice(0, isGone ? versions.length : Math.max(first, 0)));
  }

  dropAfter(address: Address, slot: Slot): void {
    const versions = this.#versions.get(address) ?? [];
    const last = versions.findLastIndex((version) => version.slot <= slot);
    this.#updateOwners(address, versions.splice(last + 1));
  }

  save(): SavedVersions {
    const entries = Array.from(
      this.#versions,
      ([address, list]) => [address, list.slice()] as const,
    );
    return new Map(entries);
  }

  restore(saved: SavedVersions): void {
    this.#versions.clear();
    this.#addressesByOwner.clear();
    for (const [address, list] of saved) for (const version of list) this.add(address, version);
  }

  /** Updates the owner index after versions were dropped. */
  #updateOwners(address: Address, dropped: readonly AccountVersion[]): void {
    const versions = this.#versions.get(address) ?? [];
    if (versions.length === 0) this.#versions.delete(address);
    const owners = new Set(versions.map(({ account }) => account?.owner));
    for (const { account } of dropped) {
      if (account === undefined || owners.has(account.owner)) continue;
      this.#addressesByOwner.get(account.owner)?.delete(address);
    }
  }
}
