import type { Address, Slot } from '@tidegate/core/base';
import { BoundedMap } from '../../caching/bounded-map.ts';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { AddressCoverage } from '../../history/queries/event-coverage.ts';

/** A position as of its last load. */
type LoadedPosition = {
  readonly coverage: AddressCoverage;
  /** All its events up to this slot are recorded. */
  readonly slot: Slot;
  /** Signature of its newest transaction. */
  readonly newest: string | undefined;
};

/** What is known of a position before a load. */
export type PositionHead = Pick<LoadedPosition, 'slot' | 'newest'> & {
  /** Of the last load; undefined before the first one. */
  readonly coverage: AddressCoverage | undefined;
  /** Whether it has no transaction since the last load. */
  readonly isUnchanged: boolean;
};

const MAX_POSITIONS = 10_000;

/** Positions that were loaded while events are not followed. In memory: after a restart they are listed again. */
export class LoadedPositions {
  readonly #source: Pick<ChainSource, 'getSlotTime' | 'ledger'>;
  readonly #positions = new BoundedMap<Address, LoadedPosition>({ max: MAX_POSITIONS });

  constructor(source: Pick<ChainSource, 'getSlotTime' | 'ledger'>) {
    this.#source = source;
  }

  has(address: Address): boolean {
    return this.#positions.get(address) !== undefined;
  }

  /** Whether the events of the position up to the slot are recorded. */
  hasUpTo(address: Address, slot: Slot): boolean {
    return (this.#positions.get(address)?.slot ?? -1n) >= slot;
  }

  /** Reads the slot first: the list may have later transactions, but lacks none up to it. */
  async readHead(address: Address): Promise<PositionHead> {
    const { slot } = await this.#source.getSlotTime();
    const [listed] = await this.#source.ledger.listSignatures({ address, limit: 1 });
    const known = this.#positions.get(address);
    const newest = listed?.signature;
    const isUnchanged = known !== undefined && known.newest === newest;
    return { slot, newest, coverage: known?.coverage, isUnchanged };
  }

  set(address: Address, coverage: AddressCoverage, { slot, newest }: PositionHead): void {
    this.#positions.set(address, { coverage, slot, newest });
  }
}
