import { type ChainTime, type Logger, type Slot, toSlot, toUnixSeconds } from '@tidegate/core/base';
import type { History } from '../../history/open-history.ts';
import type { PositionVerdict } from '../../history/queries/position-changes.ts';
import { type PositionGap, positionName } from '../../history/queries/position-gaps.ts';
import type { PositionKey } from '../../history/queries/position-kinds.ts';
import { deletePositionGap, writePositionGap } from '../../history/writing/position-gap-writer.ts';

/** A gap that is stored, and how it is being closed. */
export type OpenGap = PositionGap & {
  /** Slots in which the position may have changed without a recorded event, newest first. */
  readonly changedSlots: readonly Slot[];
  /** Whether all lists and blocks were read, and every transaction that they have is recorded. */
  readonly isSearched: boolean;
};

type OpenGapsOptions = {
  readonly history: Pick<History, 'db'>;
  readonly clock: () => number;
  readonly log: Logger;
};

/** A gap that is younger is compared in each slot, because states and events may arrive apart. */
const YOUNG_MS = 60_000;

/** The gaps of a checker, in memory and in the database. */
export class OpenGaps {
  readonly #options: OpenGapsOptions;
  readonly #gaps = new Map<string, OpenGap>();
  #isCheckDue = false;
  #found = 0;
  #closed = 0;

  constructor(options: OpenGapsOptions) {
    this.#options = options;
  }

  get counts(): { readonly found: number; readonly closed: number } {
    return { found: this.#found, closed: this.#closed };
  }

  list(): readonly OpenGap[] {
    return [...this.#gaps.values()];
  }

  /** Takes the gaps that an earlier process has stored. */
  restore(gaps: readonly PositionGap[]): void {
    for (const gap of gaps) {
      this.#gaps.set(nameOf(gap.key), { ...gap, changedSlots: [], isSearched: false });
    }
    this.requestCheck();
  }

  get(key: PositionKey): OpenGap | undefined {
    return this.#gaps.get(nameOf(key));
  }

  /** Call it when events may have been added. */
  requestCheck(): void {
    this.#isCheckDue = true;
  }

  /** The gaps to be compared again. `isNewer`: whether a newer slot is recorded. */
  takeDue(isNewer: boolean): readonly OpenGap[] {
    if (this.#gaps.size === 0 || (!this.#isCheckDue && !isNewer)) return [];
    const isAll = this.#isCheckDue;
    this.#isCheckDue = false;
    const now = this.#options.clock();
    return this.list().filter(({ foundAt }) => isAll || now - foundAt < YOUNG_MS);
  }

  /** Stores a gap, or what changed of it. `known`: when all positions were known, before which none begins. */
  async open(verdict: PositionVerdict, known: ChainTime | undefined): Promise<void> {
    const { key, wallet, place, explained, newest, difference = '', changedSlots } = verdict;
    const before = this.get(key);
    const { history, clock, log } = this.#options;
    const gap: OpenGap = {
      key,
      wallet,
      place: place ?? before?.place,
      slot: explained?.slot ?? toSlot(-1n),
      at: explained?.at ?? known?.unix ?? toUnixSeconds(newest.at - 1n),
      foundAt: before?.foundAt ?? clock(),
      difference,
      changedSlots,
      isSearched: before?.isSearched === true && before.difference === difference,
    };
    this.#gaps.set(nameOf(key), gap);
    if (before?.difference === difference && before.slot === gap.slot) return;
    await writePositionGap(history.db, gap);
    if (before !== undefined) return;
    this.#found += 1;
    const position = positionName(key);
    log.warn({ kind: key.kind, position, difference }, 'events of a position are missing');
  }

  async close(key: PositionKey): Promise<void> {
    const name = nameOf(key);
    if (!this.#gaps.has(name)) return;
    await deletePositionGap(this.#options.history.db, key);
    this.#gaps.delete(name);
    this.#closed += 1;
    const position = positionName(key);
    this.#options.log.info({ kind: key.kind, position }, 'events of a position are complete again');
  }

  /** Call it after every list and block was read for a gap. */
  noteSearched({ key, difference }: OpenGap): void {
    const gap = this.get(key);
    if (gap === undefined || gap.difference !== difference) return;
    this.#gaps.set(nameOf(key), { ...gap, isSearched: true });
    this.requestCheck();
  }

  /** Call it when the states after a slot were deleted. */
  takeBack(last: Slot): void {
    for (const [name, gap] of this.#gaps) {
      if (gap.slot > last) this.#gaps.set(name, { ...gap, slot: last });
    }
    this.requestCheck();
  }
}

const nameOf = (key: PositionKey): string => `${key.kind} ${positionName(key)}`;
