import type { Address, ClusterAccount, Slot } from '@tidegate/core/base';
import { toSlot } from '@tidegate/core/base';

/** An account as of a slot: undefined if it does not exist, `unknown` if nobody saw it. */
export type KnownAccount = ClusterAccount | undefined | 'unknown';

type Version = { readonly slot: Slot; readonly account: KnownAccount };

/** Of an account that is not stored. */
const OVERHEAD_BYTES = 100;

const sizeOf = (account: KnownAccount): number =>
  account === undefined || account === 'unknown'
    ? OVERHEAD_BYTES
    : OVERHEAD_BYTES + account.data.length;

/** The versions of recently changed accounts. An account without versions is as state has it. */
export class AccountVersions {
  readonly #versions = new Map<Address, Version[]>();
  #bytes = 0;

  get byteLength(): number {
    return this.#bytes;
  }

  has(address: Address): boolean {
    return this.#versions.has(address);
  }

  /** The account from a slot on. `before`: what it was until then, if it has no versions yet. */
  add(address: Address, version: Version, before: () => KnownAccount): void {
    const known = this.#versions.get(address);
    if (known === undefined) {
      const base = { slot: toSlot(0n), account: before() };
      this.#versions.set(address, [base, version]);
      this.#bytes += sizeOf(base.account) + sizeOf(version.account);
      return;
    }
    const newest = known.at(-1);
    // state ignores what is older than what it has
    if (newest !== undefined && newest.slot > version.slot) return;
    if (newest?.slot === version.slot) this.#bytes -= sizeOf(known.pop()?.account);
    known.push(version);
    this.#bytes += sizeOf(version.account);
  }

  /** Nobody knows the account from the slot on, until its next version. */
  addUnknown(address: Address, slot: Slot, before: () => KnownAccount): void {
    const isKnownLater = this.#versions.get(address)?.some((each) => each.slot >= slot) === true;
    if (!isKnownLater) this.add(address, { slot, account: 'unknown' }, before);
    else this.#insertUnknown(address, slot);
  }

  /** A change was found that no version announced: nobody knows when it happened. */
  addFound(address: Address, version: Version): void {
    const last = this.#versions.get(address)?.at(-1)?.slot ?? toSlot(0n);
    if (last + 1n < version.slot) this.addUnknown(address, toSlot(last + 1n), () => 'unknown');
    this.add(address, version, () => 'unknown');
  }

  /** The slot of the last version that is not newer; undefined if the account has no versions. */
  at(address: Address, slot: Slot): Version | undefined {
    return this.#versions.get(address)?.findLast((version) => version.slot <= slot);
  }

  /** Drops what only slots before this one need. */
  prune(before: Slot): void {
    for (const [address, versions] of this.#versions) {
      const current = versions.findLastIndex(({ slot }) => slot < before);
      for (const { account } of versions.splice(0, Math.max(current, 0))) {
        this.#bytes -= sizeOf(account);
      }
      const [only, next] = versions;
      if (next !== undefined || only === undefined || only.account === 'unknown') continue;
      if (only.slot >= before) continue;
      this.#versions.delete(address);
      this.#bytes -= sizeOf(only.account);
    }
  }

  clear(): void {
    this.#versions.clear();
    this.#bytes = 0;
  }

  #insertUnknown(address: Address, slot: Slot): void {
    const versions = this.#versions.get(address) ?? [];
    const next = versions.findIndex((each) => each.slot >= slot);
    if (versions[next]?.slot === slot) return;
    versions.splice(next, 0, { slot, account: 'unknown' });
    this.#bytes += OVERHEAD_BYTES;
  }
}
