import type { Address, RawAccount } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';

type FirstPassOptions = {
  readonly state: Pick<ClusterState, 'accounts'>;
  readonly onAccount: (address: Address, account: RawAccount) => void;
  /** False while there is no room for more. */
  readonly hasRoom: () => boolean;
};

/** Accounts per slot. Fewer are recorded at once, with the first slot. */
export const ACCOUNTS_PER_SLOT = 4_000;
/** Accounts before yielding to the event loop. */
const CHUNK = 200;

/**
 * Passes every account of state on once, some per slot, so that the first load of a large cluster is not in memory twice.
 * Between two slots state is that of the last one. An account that changes during the pass is recorded by its change, and
 * found unchanged later.
 */
export class FirstPass {
  readonly #options: FirstPassOptions;
  readonly #accounts: ReturnType<ClusterState['accounts']> extends Iterable<infer Account>
    ? Iterator<Account>
    : never;
  #left = 0;
  #isDone = false;
  #isScheduled = false;
  #isStopped = false;

  constructor(options: FirstPassOptions) {
    this.#options = options;
    this.#accounts = options.state.accounts()[Symbol.iterator]();
    this.#left = ACCOUNTS_PER_SLOT;
    while (this.#left > 0 && !this.#isDone) this.#pass(CHUNK);
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Call it after a slot was recorded. */
  onSlot(): void {
    this.#left = ACCOUNTS_PER_SLOT;
    this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#isStopped || this.#isDone || !this.#options.hasRoom()) return;
      this.#pass(CHUNK);
      if (this.#left > 0) this.#schedule();
    });
  }

  #pass(count: number): void {
    for (let passed = 0; passed < count; passed++) {
      const next = this.#accounts.next();
      if (next.done === true) {
        this.#isDone = true;
        return;
      }
      const { address, owner, data } = next.value;
      // the state reuses the buffer of the data
      this.#options.onAccount(address, { owner, data: data.slice() });
      this.#left -= 1;
    }
  }
}
