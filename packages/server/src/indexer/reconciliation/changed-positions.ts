import type { Slot } from '@tidegate/core/base';
import { positionName } from '../../history/queries/position-gaps.ts';
import type { PositionKey } from '../../history/queries/position-kinds.ts';

type Change = { readonly key: PositionKey; readonly first: Slot; readonly last: Slot };

/** Positions that changed and were not compared since, with the slots of their first and last change. */
export class ChangedPositions {
  readonly #changes = new Map<string, Change>();

  add(key: PositionKey, slot: Slot): void {
    const name = `${key.kind} ${positionName(key)}`;
    const first = this.#changes.get(name)?.first ?? slot;
    this.#changes.set(name, { key, first, last: slot });
  }

  /** Those with a change up to the slot. */
  upTo(slot: Slot): readonly PositionKey[] {
    return [...this.#changes.values()].filter(({ first }) => first <= slot).map(({ key }) => key);
  }

  /** Call it when all changes of positions up to the slot were compared. */
  forget(keys: readonly PositionKey[], slot: Slot): void {
    for (const key of keys) {
      const name = `${key.kind} ${positionName(key)}`;
      const change = this.#changes.get(name);
      if (change === undefined) continue;
      if (change.last <= slot) this.#changes.delete(name);
      else this.#changes.set(name, { ...change, first: change.last });
    }
  }

  /** Call it when later changes were undone. */
  takeBack(slot: Slot): void {
    for (const [name, change] of this.#changes) {
      if (change.first > slot) this.#changes.delete(name);
      else if (change.last > slot) this.#changes.set(name, { ...change, last: slot });
    }
  }
}
