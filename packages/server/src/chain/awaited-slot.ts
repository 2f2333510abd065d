import { type Slot, toSlot } from '@tidegate/core/base';

/** The newest slot that was reached, and the calls that wait for a later one. */
export class AwaitedSlot {
  #slot = toSlot(-1n);
  #waiters: (() => void)[] = [];

  /** Undefined before the first update. */
  get slot(): Slot | undefined {
    return this.#slot < 0n ? undefined : this.#slot;
  }

  /** Wakes all calls that wait. Undefined: nothing new was reached. */
  update(slot: Slot | undefined): void {
    if (slot !== undefined && slot > this.#slot) this.#slot = slot;
    for (const wake of this.#waiters.splice(0)) wake();
  }

  /** Later slots are no longer reached. */
  takeBack(slot: Slot): void {
    if (slot < this.#slot) this.#slot = slot;
  }

  /** Whether the slot is reached within `timeoutMs`. Calls `request` before each wait. */
  async waitFor(slot: Slot, timeoutMs: number, request = (): void => undefined): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while (this.#slot < slot) {
      const restMs = deadline - performance.now();
      if (restMs <= 0) return false;
      request();
      await this.#nextUpdate(restMs);
    }
    return true;
  }

  #nextUpdate(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#waiters.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
