import type { Address } from '@tidegate/core/base';

/** Short numbers for addresses that recur in many records: markets, reserves, farms. */
export class AddressNumbers {
  readonly #numbers = new Map<Address, number>();
  readonly #addresses: Address[] = [];

  numberOf(address: Address): number {
    const known = this.#numbers.get(address);
    if (known !== undefined) return known;
    const number = this.#addresses.push(address) - 1;
    this.#numbers.set(address, number);
    return number;
  }

  addressOf(number: number): Address {
    const address = this.#addresses[number];
    if (address === undefined) throw new RangeError(`no address with number ${number}`);
    return address;
  }
}
