import type { Slot } from '@tidegate/core/base';
import type { SumDifference } from './state-sums.ts';

/** A difference that a pass has found and no later one has seen closed. Times are epoch milliseconds. */
export type OpenSum = SumDifference & {
  readonly since: Slot;
  readonly foundAt: number;
  /** How often all of its positions were compared with the chain since. */
  readonly comparisons: number;
};

/** The last pass that compared all sums. */
export type SumPass = {
  readonly slot: Slot;
  readonly endedAt: number;
  /** Time of the processor that it took. */
  readonly cpuMs: number;
};

export type SumStatus = {
  readonly open: readonly OpenSum[];
  readonly lastPass: SumPass | undefined;
  /** Why nothing is compared at present. */
  readonly waitingFor: string | undefined;
  /** Differences that were found since the start. */
  readonly found: number;
};

/** Remembers which sums differ, since when. */
export class SumTally {
  readonly #onChange: (status: SumStatus) => void;
  #status: SumStatus = { open: [], lastPass: undefined, waitingFor: undefined, found: 0 };

  constructor(onChange: (status: SumStatus) => void) {
    this.#onChange = onChange;
  }

  get status(): SumStatus {
    return this.#status;
  }

  wait(waitingFor: string): void {
    if (this.#status.waitingFor !== waitingFor) this.#set({ waitingFor });
  }

  /** What a pass has found is all that is open. Returns what is new. */
  note(differences: readonly SumDifference[], lastPass: SumPass): readonly OpenSum[] {
    const { open: before, found } = this.#status;
    const open = differences.map((each) => {
      const known = before.find((other) => isSame(each, other));
      const { since = lastPass.slot, foundAt = lastPass.endedAt, comparisons = 0 } = known ?? {};
      return { ...each, since, foundAt, comparisons };
    });
    const added = open.filter((each) => !before.some((other) => isSame(each, other)));
    this.#set({ open, lastPass, waitingFor: undefined, found: found + added.length });
    return added;
  }

  /** Of the open sums only these still differ. */
  close(differing: readonly SumDifference[]): void {
    const { open } = this.#status;
    this.#set({ open: open.filter((each) => differing.some((other) => isSame(each, other))) });
  }

  /** All positions of the open sums were compared with the chain. */
  noteComparison(): void {
    const open = this.#status.open.map((each) => ({ ...each, comparisons: each.comparisons + 1 }));
    this.#set({ open });
  }

  #set(change: Partial<SumStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#onChange(this.#status);
  }
}

/** Whether they are of the same sum. */
export const isSame = (a: SumDifference, b: SumDifference): boolean =>
  a.of === b.of && a.address === b.address;
