import type { Address } from '@tidegate/core/base';
import { obligation } from '@tidegate/core/protocol/klend/layout';
import type { ClusterState } from '@tidegate/core/state';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { SlotQueue } from './slot-queue.ts';

type UnknownLoansOptions = {
  readonly source: Pick<ChainSource, 'getAccounts'>;
  readonly state: ClusterState;
  readonly queue: SlotQueue;
  /** Whether updates of loans arrive, so that state has every loan. */
  readonly receivesUpdates: () => boolean;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** An address without a loan is not read again within this time, in milliseconds. */
  readonly freshMs: number;
  /** Longest time that a request waits for the slot of the read. */
  readonly waitMs: number;
};

/** Most addresses that are read within `freshMs`; others are answered from state. */
const MAX_READS = 50;

/**
 * While no updates arrive, a loan that state lacks may have been created since loans were last read. It is read by its address,
 * so that only a loan that does not exist is unknown.
 */
export class UnknownLoans {
  readonly #options: UnknownLoansOptions;
  /** When addresses were read, and the reads that run. */
  readonly #reads = new Map<Address, { readonly at: number; readonly done: Promise<void> }>();

  constructor(options: UnknownLoansOptions) {
    this.#options = options;
  }

  /** Resolves when state has the loan, or it is known that there is none. */
  async load(address: Address): Promise<void> {
    const { state, receivesUpdates, clock } = this.#options;
    if (receivesUpdates() || state.kindOf(address) !== undefined) return;
    this.#forgetOld();
    const known = this.#reads.get(address);
    if (known !== undefined) return known.done;
    if (this.#reads.size >= MAX_READS) return;
    const done = this.#read(address);
    this.#reads.set(address, { at: clock(), done });
    // the next request reads again
    done.catch(() => this.#reads.delete(address));
    await done;
  }

  async #read(address: Address): Promise<void> {
    const { source, state, queue, waitMs } = this.#options;
    const { slot, accounts } = await source.getAccounts([address], queue.completeSlot);
    const [account] = accounts;
    if (account === undefined || !obligation.matches(account)) return;
    // a loan that is newer than its reserves would owe at a rate that they do not have yet
    queue.push({
      slot,
      run: () => void state.apply({ address, account, slot, onlyKind: 'obligation' }),
    });
    await queue.waitForSlot(slot, waitMs);
  }

  #forgetOld(): void {
    const { clock, freshMs } = this.#options;
    for (const [address, { at }] of this.#reads) {
      if (clock() - at >= freshMs) this.#reads.delete(address);
    }
  }
}
