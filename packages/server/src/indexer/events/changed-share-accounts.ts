import type { Address } from '@tidegate/core/base';

/** Share accounts that changed, to be listed now, and again by the next poll because nodes may list late. */
export class ChangedShareAccounts {
  readonly #changed = new Set<Address>();
  readonly #listed = new Set<Address>();

  get isEmpty(): boolean {
    return this.#changed.size === 0;
  }

  add(address: Address): void {
    this.#changed.add(address);
  }

  /** Those that changed. */
  take(): readonly Address[] {
    const taken = [...this.#changed];
    this.#changed.clear();
    return taken;
  }

  /** Those that changed, and those that were listed since the last complete poll. */
  takeForPoll(): readonly Address[] {
    return [...new Set([...this.take(), ...this.#listed])];
  }

  /** Listing them failed. */
  putBack(addresses: readonly Address[]): void {
    for (const address of addresses) this.#changed.add(address);
  }

  noteListed(addresses: readonly Address[]): void {
    for (const address of addresses) this.#listed.add(address);
  }

  notePolled(): void {
    this.#listed.clear();
  }
}
