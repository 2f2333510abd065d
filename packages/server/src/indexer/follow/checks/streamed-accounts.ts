import type { Address, Slot } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import { BoundedMap } from '../../../caching/bounded-map.ts';

/** Takes about 3 MB. */
const MAX_ACCOUNTS = 20_000;

/** The accounts that a stream has sent last, with the slots of their newest updates. */
export class StreamedAccounts {
  readonly #slots = new BoundedMap<Address, Slot>({ max: MAX_ACCOUNTS });

  note(address: Address, slot: Slot): void {
    const known = this.#slots.get(address);
    this.#slots.set(address, known !== undefined && known > slot ? known : slot);
  }

  /** Whether what state has of the account came from a stream. */
  isNewest(address: Address, state: Pick<ClusterState, 'slotOf'>): boolean {
    const slot = this.#slots.get(address);
    return slot !== undefined && state.slotOf(address) === slot;
  }

  /** Undefined if the stream has not sent it, or if that was long ago. */
  slotOf(address: Address): Slot | undefined {
    return this.#slots.get(address);
  }
}
