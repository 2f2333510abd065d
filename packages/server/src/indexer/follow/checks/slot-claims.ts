import { type ChainTime, type Logger, type Slot, toSlot } from '@tidegate/core/base';
import { type AccountKind, programAccountKinds } from '@tidegate/core/state';
import type { SlotQueue } from '../slot-queue.ts';
import { CompletenessDelay } from './completeness-delay.ts';
import type { SourceDoubt } from './source-doubt.ts';

type SlotClaimsOptions = {
  readonly queue: Pick<SlotQueue, 'completeSlot' | 'doubtAfter' | 'trust'>;
  /** Milliseconds that never go back. */
  readonly now: () => number;
  readonly log: Logger;
  /** A slot for which state was complete was not. */
  readonly onLate: () => void;
};

export type ClaimStatus = {
  /** Updates of slots for which state was complete, since the start. */
  readonly lateUpdates: number;
  /** How long announced slots wait until state is complete for them. */
  readonly delayMs: number;
  /** No later slot is known to be complete; undefined if the slot of state is. */
  readonly completeTo: Slot | undefined;
};

const NO_DOUBTS: readonly SourceDoubt[] = [];
const KINDS: readonly AccountKind[] = [...programAccountKinds.map(({ kind }) => kind), 'shares'];

/**
 * Decides when state is complete for an announced slot. An update that changes a complete slot shows that it was not: the
 * claim is withdrawn until later slots have waited for as long as that update was late.
 */
export class SlotClaims {
  readonly #options: SlotClaimsOptions;
  readonly #delay = new CompletenessDelay();
  #lateUpdates = 0;
  #completeTo: Slot | undefined;
  #doubts = NO_DOUBTS;

  constructor(options: SlotClaimsOptions) {
    this.#options = options;
  }

  status(): ClaimStatus {
    const { delayMs } = this.#delay;
    return { lateUpdates: this.#lateUpdates, delayMs, completeTo: this.#completeTo };
  }

  /** The same array until one of them changes. */
  doubts(): readonly SourceDoubt[] {
    return this.#doubts;
  }

  announce(at: ChainTime): void {
    this.#delay.announce(at, this.#options.now());
  }

  /** Call it when updates may have been missed. */
  interrupt(): void {
    this.#delay.interrupt();
  }

  /** The newest announced slot that state may be complete for. */
  due(): ChainTime | undefined {
    const due = this.#delay.due(this.#options.now());
    return due !== undefined && due.slot > this.#options.queue.completeSlot ? due : undefined;
  }

  /** Call it for an update of a slot that waits. */
  noteUpdate(slot: Slot): void {
    const now = this.#options.now();
    const lateness = this.#delay.delayMs === 0 ? undefined : this.#delay.latenessOf(slot, now);
    if (lateness !== undefined) this.#delay.noteLate(lateness, now);
  }

  /** Call it for an update that has changed state of a complete slot. */
  noteLate(slot: Slot): void {
    const { queue, now, log, onLate } = this.#options;
    this.#lateUpdates += 1;
    const lateness = this.#delay.latenessOf(slot, now()) ?? 0;
    this.#delay.noteLate(lateness, now());
    const completeTo = toSlot(slot > 0n ? slot - 1n : 0n);
    if (this.#completeTo !== undefined && this.#completeTo <= completeTo) return;
    if (this.#completeTo === undefined) {
      const details = { slot, completeSlot: queue.completeSlot, latenessMs: Math.round(lateness) };
      log.warn(details, 'an update of a complete slot arrived, slots wait longer');
    }
    this.#completeTo = completeTo;
    this.#doubts = KINDS.map((kind) => ({
      kind,
      code: 'lateUpdates',
      detail: `updates arrive late, complete only to slot ${completeTo}`,
      since: slot,
    }));
    queue.doubtAfter(completeTo);
    onLate();
  }

  /** Call it when state is complete for another slot, which has waited. */
  noteAdvance(): void {
    if (this.#completeTo === undefined || !this.#delay.isEnough) return;
    this.#completeTo = undefined;
    this.#doubts = NO_DOUBTS;
    this.#options.queue.trust();
  }
}
