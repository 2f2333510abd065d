import { type Address, formatError, type Logger, toAddress } from '@tidegate/core/base';
import { sleepUnlessAborted } from '../chain/retry.ts';
import type { HookStatus, HookTrigger } from '../clusters/cluster-hooks.ts';
import { CodedError } from '../errors.ts';
import { scheduleReplay, storeDelivery } from '../history/hooks/delivery-writes.ts';
import { readHook, readHooks } from '../history/hooks/hook-reads.ts';
import {
  enableStoredHook,
  insertHook,
  removeStoredHook,
  replaceSecret,
  WATCH_ROLES,
} from '../history/hooks/hook-writes.ts';
import type { History } from '../history/open-history.ts';
import { createHistoryReader, type HistoryReader } from '../history/queries/history-reader.ts';
import type { ClusterPrograms } from '../programs/cluster-programs.ts';
import type { Network } from '../registry/pinned-request.ts';
import {
  CrossingEvaluator,
  type EvaluatedCluster,
  firstSides,
  loadSubject,
} from './crossing-evaluator.ts';
import { processQueuedEvents } from './event-processor.ts';
import type { HookCommand } from './hook-command.ts';
import { type DelivererTiming, HookDeliverer } from './hook-deliverer.ts';
import { MAX_HOOKS_PER_KEY } from './hook-limits.ts';
import { type CreateDelivery, createDeliveryFactory, TEST_TYPE } from './payload.ts';
import { storeUpgradeDeliveries } from './upgrade-deliveries.ts';

export type HookRunnerOptions = {
  readonly history: History;
  readonly cluster: EvaluatedCluster;
  readonly network: Network;
  readonly allowsPrivate: boolean;
  readonly retentionDays: number;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  readonly timing?: Partial<DelivererTiming> | undefined;
};

const RETRY_MS = 1_000;
/** Other processes may record events too, such as a backfill. */
const QUEUE_POLL_MS = 5_000;

type CreateCommand = Extract<HookCommand, { readonly kind: 'create' }>;

/** Finds what hooks wait for, stores it as deliveries and sends these, while this process writes the history. */
export class HookRunner {
  readonly #options: HookRunnerOptions;
  readonly #evaluator: CrossingEvaluator;
  readonly #deliverer: HookDeliverer;
  readonly #createDelivery: CreateDelivery;
  readonly #historyReader: HistoryReader;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>[] = [];
  #isLoaded = false;
  #hasState = false;
  #isStarted = false;
  #evaluating: Promise<void> | undefined;
  #isSlotNew = false;
  #processing: Promise<void> | undefined;
  #isQueueNew = false;
  /** The programs whose upgrades are stored as deliveries. */
  #storedPrograms: ClusterPrograms | undefined;
  #storing: Promise<void> | undefined;

  constructor(options: HookRunnerOptions) {
    this.#options = options;
    const { history, cluster, clock, log } = options;
    this.#createDelivery = createDeliveryFactory(cluster, clock);
    this.#historyReader = createHistoryReader(history.db);
    const createDelivery = this.#createDelivery;
    const { signal } = this.#stopping;
    this.#evaluator = new CrossingEvaluator({ history, cluster, createDelivery, log, signal });
    // a failure to read leaves it as it is until the next change
    const onDisabled = () => void this.#evaluator.load().catch(() => undefined);
    this.#deliverer = new HookDeliverer({ ...options, onDisabled });
  }

  /** Call it when this process begins to write. */
  start(): void {
    this.#isStarted = true;
    this.#running.push(this.#loadUntilDone(), this.#pollQueue());
  }

  /** Call it when state is complete for a slot. */
  onSlot(): void {
    this.#isSlotNew = true;
    if (!this.#hasState) {
      this.#hasState = true;
      this.onRecorded();
    }
    this.#evaluating ??= this.#evaluateUntilDone().finally(() => {
      this.#evaluating = undefined;
    });
    this.#storing ??= this.#storeUpgrades().finally(() => {
      this.#storing = undefined;
    });
  }

  /** Call it after events were recorded or removed. */
  onRecorded(): void {
    // payloads need the decimals of tokens, which are in state
    if (this.#evaluator.storedHooks === 0 || !this.#hasState) return;
    this.#isQueueNew = true;
    this.#processing ??= this.#processUntilDone().finally(() => {
      this.#processing = undefined;
    });
  }

  status(): HookStatus {
    const hooks = [...this.#deliverer.hooks.values()];
    const active = hooks.filter(({ state }) => state === 'active').length;
    const { pending, counts } = this.#deliverer;
    return { active, disabled: hooks.length - active, pending, ...counts };
  }

  /** Carries out a change. Throws TOO_MANY_HOOKS. */
  async execute(command: HookCommand): Promise<void> {
    await this.#carryOut(command);
    this.#storedPrograms = undefined;
    if (!this.#isStarted) return;
    await this.#evaluator.load();
    this.#deliverer.wake();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#deliverer.stop();
    const working = [this.#evaluating, this.#processing, this.#storing];
    await Promise.all([...working, ...this.#running]);
  }

  async #carryOut(command: HookCommand): Promise<void> {
    const { history, cluster, clock, log } = this.#options;
    const { db } = history;
    const { owner, id } = command;
    const now = clock();
    switch (command.kind) {
      case 'create':
        return await this.#create(command);
      case 'remove':
        await removeStoredHook(db, command);
        return log.info({ hook: id }, 'a webhook was removed');
      case 'enable':
        await enableStoredHook(db, { owner, id, slot: cluster.reader.at().slot, now });
        return log.info({ hook: id }, 'a webhook was enabled');
      case 'rotateSecret':
        return await replaceSecret(db, command);
      case 'test':
        return await this.#storeTest(command);
      case 'replay':
        return await scheduleReplay(db, { hook: id, owner, range: command.range, now });
    }
  }

  async #create(command: CreateCommand): Promise<void> {
    const { history, cluster, log } = this.#options;
    const { id, owner, url, description, trigger, secret, createdAt } = command;
    const owned = await readHooks(history.db, owner);
    if (owned.length >= MAX_HOOKS_PER_KEY) {
      throw new CodedError('TOO_MANY_HOOKS', { limit: MAX_HOOKS_PER_KEY });
    }
    const watched = watchOf(trigger);
    const addresses = watched === undefined ? [] : [watched.address];
    const idOf = await this.#historyReader.ids.getOrCreateIds(addresses);
    const watches = watched ? [{ role: watched.role, address: idOf(watched.address) }] : [];
    await loadSubject(trigger, { cluster, log, signal: this.#stopping.signal });
    await insertHook(history.db, {
      hook: {
        ...{ id, owner, url, description, secret, trigger: JSON.stringify(trigger) },
        created_at: BigInt(createdAt),
        slot: cluster.reader.at().slot,
      },
      sides: firstSides(trigger, cluster),
      watches,
    });
    log.info({ hook: id, type: trigger.type, key: owner }, 'a webhook was created');
  }

  async #storeTest({ owner, id, delivery }: Extract<HookCommand, { kind: 'test' }>): Promise<void> {
    const { history, cluster } = this.#options;
    if ((await readHook(history.db, { owner, id })) === undefined) return;
    const key = `test:${delivery}`;
    const at = cluster.reader.at();
    const data = { message: 'This is a test delivery.' };
    const test = { id: delivery, hook: id, type: TEST_TYPE, key, at, data };
    await storeDelivery(history.db, this.#createDelivery(test));
  }

  /** What was stored before a restart is sent, and what was queued is processed. */
  async #loadUntilDone(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted && !this.#isLoaded) {
      try {
        await this.#evaluator.load();
        this.#isLoaded = true;
      } catch (error) {
        log.debug({ reason: formatError(error) }, 'webhooks were not loaded');
        await sleepUnlessAborted(RETRY_MS, signal);
      }
    }
    this.#deliverer.wake();
    this.onRecorded();
  }

  async #pollQueue(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleepUnlessAborted(QUEUE_POLL_MS, signal);
      if (!signal.aborted) this.onRecorded();
    }
  }

  async #evaluateUntilDone(): Promise<void> {
    while (this.#isSlotNew && this.#isLoaded && !this.#stopping.signal.aborted) {
      this.#isSlotNew = false;
      if (this.#evaluator.isEmpty) return;
      try {
        if (await this.#evaluator.evaluate()) this.#deliverer.wake();
      } catch (error) {
        // the stored sides are unchanged, so that the next slot finds the same crossings
        this.#options.log.debug({ reason: formatError(error) }, 'crossings were not stored');
      }
    }
  }

  /** After a failure the next slot tries again. */
  async #storeUpgrades(): Promise<void> {
    const { history, cluster, log } = this.#options;
    const programs = cluster.programs?.();
    if (!this.#isLoaded || programs === undefined || programs === this.#storedPrograms) return;
    const options = { history, reader: cluster.reader, createDelivery: this.#createDelivery };
    try {
      if (await storeUpgradeDeliveries(options, programs.deployed)) this.#deliverer.wake();
      this.#storedPrograms = programs;
    } catch (error) {
      log.debug({ reason: formatError(error) }, 'upgrades were not stored for webhooks');
    }
  }

  async #processUntilDone(): Promise<void> {
    const { history, cluster, log } = this.#options;
    const { reader } = cluster;
    const createDelivery = this.#createDelivery;
    const historyReader = this.#historyReader;
    const options = { history, historyReader, reader, createDelivery };
    while (this.#isQueueNew && !this.#stopping.signal.aborted) {
      this.#isQueueNew = false;
      try {
        if (await processQueuedEvents(options)) this.#deliverer.wake();
      } catch (error) {
        // they stay in the queue
        log.debug({ reason: formatError(error) }, 'queued events were not processed');
      }
    }
  }
}

/** The address whose events are queued; undefined for a crossing. */
function watchOf({
  type,
  wallet,
  obligation,
}: HookTrigger): { readonly role: number; readonly address: Address } | undefined {
  if (type === 'walletTransactions') {
    return { role: WATCH_ROLES.walletTransactions, address: toAddress(wallet ?? '') };
  }
  if (type !== 'liquidation') return undefined;
  return obligation === undefined
    ? { role: WATCH_ROLES.liquidationsOfWallet, address: toAddress(wallet ?? '') }
    : { role: WATCH_ROLES.liquidationsOfLoan, address: toAddress(obligation) };
}
