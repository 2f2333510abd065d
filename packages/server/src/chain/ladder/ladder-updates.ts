import { formatError, type Logger, type Slot } from '@tidegate/core/base';
import { CodedError, hasCode } from '../../errors.ts';
import { createDeferred } from '../deferred.ts';
import type {
  Subscription,
  SubscriptionListener,
  SubscriptionTarget,
} from '../source/chain-source.ts';
import {
  defaultLadderTiming,
  findStepFailure,
  type LadderTiming,
  SourceLadder,
  type StepName,
} from './source-ladder.ts';
import { type LadderSubscription, StepRun, type UpdateStream } from './step-run.ts';

/** A way to get updates. `open` starts it; it is closed when another step takes over. */
export type LadderStep = { readonly name: StepName; open(): UpdateStream };

export type LadderUpdatesOptions = {
  /** The newest slot from another source, to detect a stalled step. */
  readonly newestSlot: () => Slot | undefined;
  /** Milliseconds that never go back. */
  readonly now: () => number;
  readonly random: () => number;
  readonly log: Logger;
  readonly timing?: Partial<LadderTiming> | undefined;
  /** How often the steps are checked. */
  readonly checkMs?: number | undefined;
};

const DEFAULT_CHECK_MS = 500;
/** A check that is this late shows that this process was busy: what arrived in the meantime is not read yet. */
const BUSY_MS = 1_000;

/**
 * Takes updates from the best step that works. A step that fails is replaced by the next; better steps are tried again
 * in the background and take over when all subscriptions are confirmed and slots arrive. A listener whose subscription
 * moves gets a gap, because the steps do not deliver updates at the same time.
 */
export class LadderUpdates {
  readonly #steps: readonly LadderStep[];
  readonly #options: LadderUpdatesOptions;
  readonly #timing: LadderTiming;
  readonly #ladder: SourceLadder;
  readonly #subscriptions = new Set<LadderSubscription>();
  #run: StepRun | undefined;
  /** A better step that is being tried. */
  #trial: { readonly index: number; readonly run: StepRun } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checkedAt: number | undefined;
  /** Steps are not judged before this time. */
  #judgeAt = 0;
  #isClosed = false;

  constructor(steps: readonly LadderStep[], options: LadderUpdatesOptions) {
    this.#steps = steps;
    this.#options = options;
    this.#timing = { ...defaultLadderTiming, ...options.timing };
    const { now, random } = options;
    const names = steps.map(({ name }) => name);
    this.#ladder = new SourceLadder({ steps: names, now, random, timing: this.#timing });
  }

  subscribe(target: SubscriptionTarget, listener: SubscriptionListener): Subscription {
    const { promise: ready, resolve, reject } = createDeferred<void>();
    const subscription: LadderSubscription = {
      target,
      listener,
      resolve,
      reject,
      isLive: false,
      isStopped: false,
    };
    this.#subscriptions.add(subscription);
    this.#activeRun()?.attach(subscription);
    this.#trial?.run.attach(subscription);
    return {
      ready,
      sendsUpdates: () => this.#run?.sendsUpdates(subscription) ?? true,
      isPolled: () => this.#run?.isPolled(subscription) ?? false,
      stop: () => this.#stop(subscription),
    };
  }

  /** No step is active before the first subscription opens one. */
  status() {
    const status = this.#ladder.status();
    if (this.#run !== undefined) return { ...status, endpoints: this.#run.status() };
    const steps = status.steps.map((step) => ({ ...step, active: false }));
    return { ...status, reason: 'No source is open yet.', steps, endpoints: [] };
  }

  /** Leaves a step that lost updates, although it seems to work. Does nothing if another one is active, or if it is the last. */
  reportLoss(step: string, reason: string): void {
    const isActive = this.#run !== undefined && this.#ladder.status().step === step;
    if (isActive && !this.#ladder.isLast) this.#fail(reason, this.#timing.maxRetryMs);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#trial?.run.close();
    this.#run?.close();
    for (const subscription of [...this.#subscriptions]) this.#stop(subscription);
  }

  #stop(subscription: LadderSubscription): void {
    subscription.isStopped = true;
    this.#subscriptions.delete(subscription);
    this.#run?.detach(subscription);
    this.#trial?.run.detach(subscription);
  }

  /** The first subscription opens the first step. */
  #activeRun(): StepRun | undefined {
    if (this.#run !== undefined || this.#isClosed) return this.#run;
    this.#run = this.#open(this.#ladder.active);
    if (this.#steps.length === 1) return this.#run;
    const { checkMs = DEFAULT_CHECK_MS } = this.#options;
    this.#timer = setInterval(() => this.#check(), checkMs).unref();
    return this.#run;
  }

  #open(index: number): StepRun | undefined {
    const { now, newestSlot } = this.#options;
    const stream = this.#steps[index]?.open();
    if (stream === undefined) return undefined;
    // the last step is never left, so it is not watched
    const isWatched = index < this.#steps.length - 1;
    const run: StepRun = new StepRun(stream, {
      now,
      newestSlot,
      isWatched,
      isActive: () => run === this.#run,
      onConfirmed: (subscription) => this.#confirm(subscription, run),
      onRejected: (subscription, error) => this.#handleRejection(subscription, run, error),
    });
    return run;
  }

  #check(): void {
    if (this.#wasBusy()) return;
    this.#checkTrial();
    if (this.#run === undefined || this.#ladder.isLast) {
      this.#startTrial();
      return;
    }
    const failure = this.#failureOf(this.#run);
    if (failure === undefined) this.#startTrial();
    else this.#fail(failure);
  }

  /** Whether this process was too busy to read what the steps sent. */
  #wasBusy(): boolean {
    const { now, checkMs = DEFAULT_CHECK_MS } = this.#options;
    const [before = now(), at] = [this.#checkedAt, now()];
    this.#checkedAt = at;
    if (at - before - checkMs >= BUSY_MS) this.#judgeAt = at + this.#timing.failAfterMs / 2;
    return at < this.#judgeAt;
  }

  #failureOf(run: StepRun): string | undefined {
    const { now, newestSlot } = this.#options;
    const observed = { now: now(), newestSlot: newestSlot() };
    return findStepFailure(run.signals(), observed, this.#timing.failAfterMs);
  }

  /** Moves all subscriptions to the next step. */
  #fail(reason: string, minRetryMs?: number): void {
    const from = this.#steps[this.#ladder.active]?.name;
    const lastSlot = this.#run?.deliveredSlot;
    this.#run?.close();
    this.#endTrial();
    this.#ladder.fail(reason, minRetryMs);
    this.#run = this.#open(this.#ladder.active);
    const to = this.#steps[this.#ladder.active]?.name;
    this.#options.log.warn({ from, to, reason, lastSlot }, 'updates come from another source');
    for (const subscription of this.#subscriptions) this.#run?.attach(subscription);
  }

  #startTrial(): void {
    const index = this.#ladder.dueStep();
    if (this.#trial !== undefined || index === undefined) return;
    const run = this.#open(index);
    if (run === undefined) return;
    this.#trial = { index, run };
    for (const subscription of this.#subscriptions) run.attach(subscription);
  }

  #checkTrial(): void {
    if (this.#trial === undefined) return;
    const { index, run } = this.#trial;
    if (run.isComplete) {
      this.#promote(index, run);
      return;
    }
    const { openedAt, lastError } = run.signals();
    if (this.#options.now() - openedAt < this.#timing.failAfterMs) return;
    this.#rejectTrial(lastError ?? 'it does not confirm all subscriptions and announce slots');
  }

  #rejectTrial(reason: string): void {
    if (this.#trial === undefined) return;
    this.#ladder.rejectTrial(this.#trial.index, reason);
    this.#options.log.debug(
      { step: this.#steps[this.#trial.index]?.name, reason },
      'better source still fails',
    );
    this.#endTrial();
  }

  #endTrial(): void {
    this.#trial?.run.close();
    this.#trial = undefined;
  }

  #promote(index: number, run: StepRun): void {
    const from = this.#steps[this.#ladder.active]?.name;
    const lastSlot = this.#run?.deliveredSlot;
    this.#run?.close();
    this.#run = run;
    this.#trial = undefined;
    this.#ladder.promote(index);
    this.#options.log.info(
      { from, to: this.#steps[index]?.name, lastSlot },
      'updates come from a better source again',
    );
    for (const subscription of [...this.#subscriptions]) this.#confirm(subscription, run);
  }

  /** A subscription that was live before may have missed updates. */
  #confirm(subscription: LadderSubscription, run: StepRun): void {
    if (run !== this.#run || subscription.isStopped) return;
    if (subscription.isLive) subscription.listener.onGap(this.#ladder.status().reason);
    subscription.isLive = true;
    subscription.resolve();
  }

  #handleRejection(subscription: LadderSubscription, run: StepRun, error: unknown): void {
    if (!(error instanceof CodedError)) throw error;
    const { target, isLive } = subscription;
    // not all steps have them, and their subscriber works without
    const isNotice = target.kind === 'logs' || target.kind === 'transactions';
    const isOptional = isNotice || (target.kind === 'program' && target.isOptional);
    if (run === this.#trial?.run) {
      if (!isNotice) this.#rejectTrial(formatError(error));
    } else if (run === this.#run) {
      if (isNotice && isLive) this.#confirm(subscription, run);
      else if (
        !hasCode(error, 'SOURCE_REFUSES') ||
        (isOptional && !isLive) ||
        this.#ladder.isLast
      ) {
        this.#subscriptions.delete(subscription);
        subscription.reject(error);
      } else this.#fail(formatError(error));
    }
  }
}
