import type { Slot } from '@tidegate/core/base';
import { backoffMs } from '../retry.ts';

/** How updates arrive, best first. */
export type StepName = 'grpc' | 'websocket' | 'polling';

export type LadderTiming = {
  /** A step without progress for this long is replaced. */
  readonly failAfterMs: number;
  /** Longest pause before a better step is tried again after its first failure; it doubles. */
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  /** A step that was active for this long starts again with the first pause. */
  readonly stableMs: number;
};

export const defaultLadderTiming: LadderTiming = {
  failAfterMs: 6_000,
  firstRetryMs: 5_000,
  maxRetryMs: 600_000,
  stableMs: 300_000,
};

export type LadderOptions = {
  /** Best first; at least one. The last one is never left. */
  readonly steps: readonly StepName[];
  /** Milliseconds that never go back. */
  readonly now: () => number;
  readonly random: () => number;
  readonly timing: LadderTiming;
};

type Step = {
  readonly name: StepName;
  failures: number;
  retryAt: number;
  /** Why it was left or could not be used. */
  lastError: string | undefined;
};

/** `retryInMs`: undefined unless the step waits to be tried again. */
type StepStatus = {
  readonly step: StepName;
  readonly active: boolean;
  readonly lastError: string | undefined;
  readonly retryInMs: number | undefined;
};

/** What is known of a running step, to decide whether it works. Times as of `now`. */
export type StepSignals = {
  readonly openedAt: number;
  /** When it announced its last slot. */
  readonly slotAt: number | undefined;
  /** Its last slot, or the cluster's slot when it was opened. */
  readonly slot: Slot | undefined;
  readonly isConnected: boolean;
  readonly lastError: string | undefined;
  /** Since when its oldest unconfirmed subscription waits. */
  readonly unconfirmedSince: number | undefined;
};

/** Slots by which a working step may be behind the slot of other requests. */
const MAX_LAG_SLOTS = 8n;

/** Why a step does not work; undefined while it does. A halted cluster is no failure of the step. */
export function findStepFailure(
  signals: StepSignals,
  { now, newestSlot }: { readonly now: number; readonly newestSlot: Slot | undefined },
  failAfterMs: number,
): string | undefined {
  const { openedAt, slotAt, slot, isConnected, lastError, unconfirmedSince } = signals;
  const seconds = failAfterMs / 1000;
  if (unconfirmedSince !== undefined && now - unconfirmedSince >= failAfterMs) {
    return lastError ?? `a subscription was not confirmed within ${seconds} s`;
  }
  if (now - (slotAt ?? openedAt) < failAfterMs) return undefined;
  if (!isConnected) return lastError ?? `no connection within ${seconds} s`;
  const isBehind =
    newestSlot !== undefined && slot !== undefined && newestSlot > slot + MAX_LAG_SLOTS;
  return isBehind ? `no new slot for ${seconds} s, while the cluster advances` : undefined;
}

/** Decides which step is active, and when a better one is tried again. */
export class SourceLadder {
  readonly #options: LadderOptions;
  readonly #steps: readonly Step[];
  #active = 0;
  #since: number;
  #reason = 'It is the preferred source.';

  constructor(options: LadderOptions) {
    this.#options = options;
    this.#since = options.now();
    this.#steps = options.steps.map((name) => ({
      name,
      failures: 0,
      retryAt: 0,
      lastError: undefined,
    }));
  }

  get active(): number {
    return this.#active;
  }

  get isLast(): boolean {
    return this.#active === this.#steps.length - 1;
  }

  /** Leaves the active step for the next one. The last one stays active. `minRetryMs`: for a step that seems to work. */
  fail(reason: string, minRetryMs = 0): void {
    const { now, timing } = this.#options;
    const step = this.#steps[this.#active];
    if (step === undefined || this.isLast) return;
    if (now() - this.#since >= timing.stableMs) step.failures = 0;
    this.#postpone(step, reason);
    step.retryAt = Math.max(step.retryAt, now() + minRetryMs);
    this.#activate(this.#active + 1, `${step.name}: ${reason}`);
  }

  /** The best step before the active one that may be tried again. */
  dueStep(): number | undefined {
    const now = this.#options.now();
    const index = this.#steps.findIndex(({ retryAt }, i) => i < this.#active && retryAt <= now);
    return index < 0 ? undefined : index;
  }

  rejectTrial(index: number, reason: string): void {
    const step = this.#steps[index];
    if (step !== undefined) this.#postpone(step, reason);
  }

  /** Activates a better step that works again. */
  promote(index: number): void {
    const step = this.#steps[index];
    if (step === undefined) return;
    step.lastError = undefined;
    this.#activate(index, 'It works again.');
  }

  status() {
    const { now } = this.#options;
    return {
      step: this.#steps[this.#active]?.name ?? 'polling',
      activeMs: now() - this.#since,
      reason: this.#reason,
      steps: this.#steps.map(
        ({ name, lastError, retryAt }, i): StepStatus => ({
          step: name,
          active: i === this.#active,
          lastError,
          retryInMs: i < this.#active ? Math.max(0, retryAt - now()) : undefined,
        }),
      ),
    };
  }

  #postpone(step: Step, reason: string): void {
    const { now, random, timing } = this.#options;
    const backoff = { firstMs: timing.firstRetryMs, maxMs: timing.maxRetryMs, random };
    step.retryAt = now() + backoffMs(backoff, step.failures);
    step.failures += 1;
    step.lastError = reason;
  }

  #activate(index: number, reason: string): void {
    this.#active = index;
    this.#since = this.#options.now();
    this.#reason = reason;
  }
}
