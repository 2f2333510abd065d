import type { ChainTime, Slot } from '@tidegate/core/base';

type Announcement = ChainTime & { readonly announcedAt: number };

/** Longest delay: later updates are not waited for. */
const MAX_DELAY_MS = 60_000;
/** Time without a late update after which the delay is halved. */
const QUIET_MS = 60_000;
/** A delay that is halved below this is not needed. */
const MIN_DELAY_MS = 100;
/** Added to the lateness of an update, because the next one may be later. */
const MARGIN_MS = 200;
/** More announcements than a delay can hold back. */
const MAX_ANNOUNCEMENTS = 2_000;

/** Holds announced slots back for as long as updates were late. Times are those of a clock that never goes back. */
export class CompletenessDelay {
  /** Oldest first. The newest one that is due stays, to tell how late an update is. */
  #announcements: Announcement[] = [];
  #delayMs = 0;
  #lateAt = 0;
  #isEnough = true;

  get delayMs(): number {
    return this.#delayMs;
  }

  /** False while updates are later than slots can wait. */
  get isEnough(): boolean {
    return this.#isEnough;
  }

  announce(at: ChainTime, now: number): void {
    const last = this.#announcements.at(-1);
    if (last !== undefined && at.slot <= last.slot) return;
    this.#announcements.push({ ...at, announcedAt: now });
    const excess = this.#announcements.length - MAX_ANNOUNCEMENTS;
    if (excess > 0) this.#announcements.splice(0, excess);
  }

  /** Updates were missed: what was announced before is not complete. */
  interrupt(): void {
    this.#announcements = [];
  }

  /** Milliseconds since the slot was announced as complete; undefined if it was not, or too long ago to be known. */
  latenessOf(slot: Slot, now: number): number | undefined {
    const announcement = this.#announcements.find((each) => each.slot >= slot);
    return announcement && Math.max(0, now - announcement.announcedAt);
  }

  /** Later slots wait for as long. */
  noteLate(latenessMs: number, now: number): void {
    this.#lateAt = now;
    const needed = latenessMs * 1.25 + MARGIN_MS;
    if (needed > this.#delayMs) this.#delayMs = Math.min(MAX_DELAY_MS, Math.ceil(needed));
    if (needed > MAX_DELAY_MS) this.#isEnough = false;
  }

  /** The newest slot that has waited. */
  due(now: number): ChainTime | undefined {
    this.#shrink(now);
    const announcement = this.#announcements.findLast(
      ({ announcedAt }) => now - announcedAt >= this.#delayMs,
    );
    return announcement && { slot: announcement.slot, unix: announcement.unix };
  }

  #shrink(now: number): void {
    if (this.#delayMs === 0 || now - this.#lateAt < QUIET_MS) return;
    this.#lateAt = now;
    this.#isEnough = true;
    this.#delayMs = this.#delayMs / 2 < MIN_DELAY_MS ? 0 : Math.ceil(this.#delayMs / 2);
  }
}
