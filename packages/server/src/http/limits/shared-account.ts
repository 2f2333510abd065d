import type { CounterReply } from './limit-counters.ts';
import { SlidingWindow } from './sliding-window.ts';

type AccountLimit = {
  readonly caller: string;
  readonly windowSeconds: number;
  readonly quota: number;
};

/** What a process knows of a caller whose units other processes count too. */
export class SharedAccount {
  readonly caller: string;
  readonly windowSeconds: number;
  readonly quota: number;
  /** Everything that this process has admitted, by its own clock. */
  readonly own: SlidingWindow;
  /** What all processes have reported, by the clock of their process. */
  readonly shared: SlidingWindow;
  /** Of the last reply; epoch ms. */
  repliedAt = Number.NEGATIVE_INFINITY;
  #unreported = 0;
  /** Reported, but without a reply. */
  #reported = 0;
  #reports = 0;
  #now: number;
  #sharedNow: number;

  constructor({ caller, windowSeconds, quota }: AccountLimit, now: number) {
    this.caller = caller;
    this.windowSeconds = windowSeconds;
    this.quota = quota;
    this.own = new SlidingWindow(windowSeconds, now);
    this.shared = new SlidingWindow(windowSeconds, now);
    this.#now = now;
    this.#sharedNow = now;
  }

  get expiresAt(): number {
    return this.own.expiresAt;
  }

  /** Units that `shared` does not contain yet. */
  get unconfirmed(): number {
    return this.#unreported + this.#reported;
  }

  /** A process counts its own units even if the counters have lost them. */
  get total(): number {
    return Math.max(this.own.total, this.shared.total + this.unconfirmed);
  }

  get isReporting(): boolean {
    return this.#reports > 0;
  }

  advance(now: number, offsetMs: number): void {
    this.#now = now;
    this.#sharedNow = now + offsetMs;
    this.own.advance(now);
    this.shared.advance(this.#sharedNow);
  }

  spend(units: number): void {
    this.own.add(units);
    this.#unreported += units;
  }

  /** Returns the units to report. */
  beginReport(): number {
    const spent = this.#unreported;
    this.#unreported = 0;
    this.#reported += spent;
    this.#reports += 1;
    return spent;
  }

  endReport(spent: number): void {
    this.#reported -= spent;
    this.#reports -= 1;
  }

  forgetUnreported(): void {
    this.#unreported = 0;
  }

  learn({ now: countersNow, slices }: CounterReply, now: number): void {
    this.shared.replace(countersNow, slices);
    this.repliedAt = now;
  }

  secondsUntilFreed(needed: number): number {
    const isOwn = this.own.total > this.shared.total + this.unconfirmed;
    return isOwn
      ? this.own.secondsUntilFreed(this.#now, needed)
      : this.shared.secondsUntilFreed(this.#sharedNow, needed);
  }
}
