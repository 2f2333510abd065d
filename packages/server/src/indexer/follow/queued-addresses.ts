import type { Address } from '@tidegate/core/base';

/** Counts the updates of each account that wait for their slot. */
export class QueuedAddresses {
  readonly #counts = new Map<Address, number>();

  has(address: Address): boolean {
    return this.#counts.has(address);
  }

  add(address: Address): void {
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1);
  }

  remove(address: Address): void {
    const count = this.#counts.get(address) ?? 0;
    if (count > 1) this.#counts.set(address, count - 1);
    else this.#counts.delete(address);
  }
}
