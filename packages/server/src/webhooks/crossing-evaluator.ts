import { formatError, formatRatio, LIVE_DIGITS, type Logger, toAddress } from '@tidegate/core/base';
import { sleepUnlessAborted } from '../chain/retry.ts';
import type { HookTrigger } from '../clusters/cluster-hooks.ts';
import type { Cluster } from '../clusters/served-clusters.ts';
import { type SideChange, storeSideChanges } from '../history/hooks/delivery-writes.ts';
import { readHookSides, readHooks } from '../history/hooks/hook-reads.ts';
import type { NewSide } from '../history/hooks/hook-writes.ts';
import type { History } from '../history/open-history.ts';
import {
  type Band,
  bandOf,
  type CrossingDirection,
  crossingBetween,
  healthySide,
  reportsCrossing,
  type Side,
  sideOf,
} from './crossing.ts';
import { createMeasurer, type Measured, type MeasuredCluster } from './measures.ts';
import { type CreateDelivery, DELIVERY_TYPES, newDeliveryId } from './payload.ts';
import { parseStoredTrigger } from './trigger-schema.ts';

export type EvaluatedCluster = MeasuredCluster &
  Pick<Cluster, 'historyMode' | 'hasAllPositions' | 'loadWallet' | 'loadObligation' | 'programs'>;

type EvaluatorOptions = {
  readonly history: Pick<History, 'db'>;
  readonly cluster: EvaluatedCluster;
  readonly createDelivery: CreateDelivery;
  readonly log: Logger;
  /** Aborted when evaluation ends. */
  readonly signal: AbortSignal;
};

type CrossingHook = {
  readonly id: string;
  readonly trigger: HookTrigger;
  readonly band: Band;
  /** By subject, as they are stored. */
  readonly sides: Map<string, Side>;
};

/**
 * Compares the values of crossings with their stored sides. A side changes in memory only after it is stored with its
 * delivery: after a failure or a restart the next comparison finds the same crossing.
 */
export class CrossingEvaluator {
  readonly #options: EvaluatorOptions;
  #hooks: readonly CrossingHook[] = [];
  #storedHooks = 0;
  /** Reads and changes of the stored sides, one after another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: EvaluatorOptions) {
    this.#options = options;
  }

  /** Reads the active hooks and their sides. */
  load(): Promise<void> {
    return this.#enqueue(() => this.#load());
  }

  /** Returns whether deliveries were stored. */
  evaluate(): Promise<boolean> {
    return this.#enqueue(() => this.#evaluate());
  }

  #enqueue<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #load(): Promise<void> {
    const { db } = this.#options.history;
    const stored = await readHooks(db);
    this.#storedHooks = stored.length;
    const active = stored.filter(({ state }) => state === 'active');
    const sides = await readHookSides(
      db,
      active.map(({ id }) => id),
    );
    this.#hooks = active.flatMap((row) => {
      const trigger = parseStoredTrigger(row.trigger);
      const band = bandOfTrigger(trigger);
      if (band === undefined) return [];
      const own = sides.filter(({ hook }) => hook === row.id);
      return { id: row.id, trigger, band, sides: new Map(own.map((s) => [s.subject, s.side])) };
    });
  }

  /** Whether no active hook waits for a crossing. */
  get isEmpty(): boolean {
    return this.#hooks.length === 0;
  }

  /** The number of hooks of all types. */
  get storedHooks(): number {
    return this.#storedHooks;
  }

  async #evaluate(): Promise<boolean> {
    const { cluster, history } = this.#options;
    const hooks = this.#hooks;
    for (const { trigger } of hooks) await loadSubject(trigger, this.#options);
    // from here on one version of the state
    const measure = createMeasurer(cluster);
    const changes = hooks.flatMap((hook) =>
      measure(hook.trigger).flatMap((measured) => this.#compare(hook, measured) ?? []),
    );
    if (changes.length === 0) return false;
    await storeSideChanges(history.db, changes);
    const byId = new Map(hooks.map((hook) => [hook.id, hook]));
    for (const { hook, subject, side } of changes) byId.get(hook)?.sides.set(subject, side);
    return changes.some(({ delivery }) => delivery !== undefined);
  }

  /** Undefined if the value is on the side where it was. */
  #compare({ id, trigger, band, sides }: CrossingHook, measured: Measured): SideChange | undefined {
    const { cluster, createDelivery } = this.#options;
    const at = cluster.reader.at();
    const stored = sides.get(measured.subject);
    const before = stored ?? (trigger.wallet === undefined ? undefined : healthySide(trigger));
    const after = sideOf(band, before, measured.value);
    if (stored === after) return undefined;
    const direction = crossingBetween(before, after);
    const change = { hook: id, subject: measured.subject, side: after, slot: at.slot, at: at.unix };
    if (direction === undefined || !reportsCrossing(trigger.direction, direction)) {
      return { ...change, delivery: undefined };
    }
    // the stored side, not the key, keeps a crossing from being delivered twice
    const deliveryId = newDeliveryId();
    const delivery = createDelivery({
      id: deliveryId,
      hook: id,
      type: DELIVERY_TYPES[trigger.type],
      key: `crossing:${deliveryId}`,
      at,
      data: crossingJson(trigger, band, { measured, direction }),
    });
    return { ...change, delivery };
  }
}

/** Sides of all subjects of a trigger now, before any crossing. */
export function firstSides(trigger: HookTrigger, cluster: MeasuredCluster): NewSide[] {
  const band = bandOfTrigger(trigger);
  if (band === undefined) return [];
  const { slot, unix: at } = cluster.reader.at();
  return createMeasurer(cluster)(trigger).map(({ subject, value }) => {
    return { subject, side: sideOf(band, undefined, value), slot, at };
  });
}

/** Undefined if the trigger is no crossing. */
function bandOfTrigger({ threshold, ...rest }: HookTrigger): Band | undefined {
  return threshold === undefined ? undefined : bandOf({ threshold, ...rest });
}

/** A slow endpoint delays the other hooks no longer than this. */
const LOAD_MS = 2_000;

/** Where not all loans are followed, one must be requested to be followed. */
export async function loadSubject(
  { wallet, obligation, type }: HookTrigger,
  { cluster, log, signal }: Pick<EvaluatorOptions, 'cluster' | 'log' | 'signal'>,
): Promise<void> {
  if (type !== 'loanHealth' || (cluster.hasAllPositions?.() ?? true)) return;
  const load = async (): Promise<void> => {
    if (wallet !== undefined) await cluster.loadWallet(toAddress(wallet));
    if (obligation !== undefined) await cluster.loadObligation(toAddress(obligation));
  };
  const loaded = load().catch((error: unknown) => {
    log.debug({ reason: formatError(error) }, 'a loan of a webhook could not be loaded');
  });
  await Promise.race([loaded, sleepUnlessAborted(LOAD_MS, signal)]);
}

type FoundCrossing = { readonly measured: Measured; readonly direction: CrossingDirection };

const crossingJson = (
  trigger: HookTrigger,
  band: Band,
  { measured: { value, unit, details, stalePrices }, direction }: FoundCrossing,
) => ({
  ...details,
  direction,
  value: formatRatio(value, LIVE_DIGITS),
  threshold: formatRatio(band.threshold, LIVE_DIGITS),
  resetsAt: formatRatio(direction === 'rising' ? band.fall : band.rise, LIVE_DIGITS),
  unit,
  stalePrices,
  ...(trigger.type === 'reserveCap' && { cap: trigger.cap ?? 'deposit' }),
});
