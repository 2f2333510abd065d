import type { Address } from '@tidegate/core/base';
import { PackedRecords } from '@tidegate/core/state';
import { AddressNumbers } from './address-numbers.ts';
import { RecordReader, RecordWriter } from './record-bytes.ts';

export type Stake = {
  readonly owner: Address;
  readonly farm: Address;
  readonly stake: bigint;
  /** Base units, including pending deposits and withdrawals. */
  readonly shares: bigint;
  /** Whether the stake is not zero, even if less than one base unit. */
  readonly isNonZero: boolean;
  /** Whether the account was seen since the recorder has started. */
  readonly isSeen: boolean;
};

/** Words of 64 bits. */
const U128 = 2;
const SEEN = 1;
const NON_ZERO = 2;

/** The stakes of a recorder, in about 120 bytes each. */
export class StakeRecords {
  readonly #farms = new AddressNumbers();
  readonly #records = new PackedRecords();
  readonly #writer = new RecordWriter();

  get(address: Address): Stake | undefined {
    const bytes = this.#records.get(address);
    if (bytes === undefined) return undefined;
    const reader = new RecordReader(bytes);
    const flags = reader.byte();
    const farm = this.#farms.addressOf(reader.number());
    const stake = reader.integer(U128);
    const shares = reader.integer(U128);
    const owner = reader.skipAddress()();
    const [isSeen, isNonZero] = [(flags & SEEN) !== 0, (flags & NON_ZERO) !== 0];
    return { owner, farm, stake, shares, isNonZero, isSeen };
  }

  set(address: Address, { owner, farm, stake, shares, isNonZero, isSeen }: Stake): void {
    const flags = (isSeen ? SEEN : 0) | (isNonZero ? NON_ZERO : 0);
    const writer = this.#writer.byte(flags).number(this.#farms.numberOf(farm));
    writer.integer(stake, U128).integer(shares, U128).address(owner);
    this.#records.set(address, writer.take());
  }

  delete(address: Address): void {
    this.#records.delete(address);
  }

  unseen(): Address[] {
    const unseen: Address[] = [];
    for (const [address, [flags = 0]] of this.#records.entries()) {
      if ((flags & SEEN) === 0) unseen.push(address);
    }
    return unseen;
  }
}
