import type { SeededRandom } from '#localnet/genesis/seed/seeded-random.ts';

export type NotificationFaultSettings = {
  /** How many of a thousand notifications are sent twice. */
  readonly duplicatedPermille: number;
  /** How many of a thousand notifications are sent some slots later. */
  readonly latePermille: number;
};

export const NO_NOTIFICATION_FAULTS: NotificationFaultSettings = {
  duplicatedPermille: 0,
  latePermille: 0,
};

/** How many slots late, at most. */
const MAX_LATE_SLOTS = 6n;

/** A connection delivers what concerns the clock in order; other notifications may be late. */
const MAY_BE_LATE = /"method":"(program|logs)Notification"/;

type HeldText = { readonly text: string; readonly slot: bigint };

/** Sends some notifications of a connection twice, and some later than others. */
export class NotificationFaults {
  readonly #random: SeededRandom;
  #held: HeldText[] = [];

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** What is sent in this slot. */
  deliver(
    texts: readonly string[],
    slot: bigint,
    { duplicatedPermille, latePermille }: NotificationFaultSettings,
  ): readonly string[] {
    const due = this.#held.filter((each) => each.slot <= slot).map(({ text }) => text);
    this.#held = this.#held.filter((each) => each.slot > slot);
    const sent = texts.flatMap((text) => {
      const isLate = this.#happens(latePermille) && MAY_BE_LATE.test(text);
      if (isLate) this.#held.push({ text, slot: slot + this.#random.between(1n, MAX_LATE_SLOTS) });
      const copies = this.#happens(duplicatedPermille) ? 2 : 1;
      return isLate ? [] : Array.from({ length: copies }, () => text);
    });
    return [...due, ...sent];
  }

  /** What was held, before its slots are undone. */
  flush(): readonly string[] {
    return this.#held.splice(0).map(({ text }) => text);
  }

  #happens(permille: number): boolean {
    return permille > 0 && this.#random.between(0n, 999n) < BigInt(permille);
  }
}
