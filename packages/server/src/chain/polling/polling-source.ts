import {
  type Address,
  CLOCK_SYSVAR,
  decodeClockSysvar,
  formatError,
  type Logger,
  type Slot,
  type UnixSeconds,
} from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import { backoffMs, sleepUnlessAborted } from '../retry.ts';
import type {
  ChainReads,
  ProgramScan,
  SlotTime,
  Subscription,
  SubscriptionListener,
  SubscriptionTarget,
} from '../source/chain-source.ts';
import { type AbsenceCounts, AbsentAccounts } from './absent-accounts.ts';
import { PolledAccounts } from './polled-accounts.ts';
import { addLeftOut, pollProgram, type ScanChanges } from './program-poll.ts';
import { ProgramSnapshot, type ScanResult, scanKey } from './program-snapshot.ts';

type PollingSourceOptions = {
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  /** How often subscribed accounts are read. */
  readonly pollMs?: number;
  /** How often the known accounts of subscribed programs are read. */
  readonly scanMs?: number;
  /** How often subscribed programs are scanned for new accounts. */
  readonly discoverMs?: number;
};

const MAX_RETRY_MS = 10_000;

/**
 * Polls endpoints that send no updates. It announces the differences from what it last read or returned, so no change is
 * lost and there are no gaps. An account that changes twice between two polls is announced once. New accounts of a program
 * are found by a scan, which is rare; accounts that are known are read by address. It does not read large programs: their
 * subscribers do, and a slot is announced without them.
 */
export class PollingSource {
  readonly #reader: ChainReads;
  readonly #options: Required<PollingSourceOptions>;
  readonly #programs = new Map<string, ProgramSnapshot>();
  readonly #accounts = new PolledAccounts();
  readonly #absent: AbsentAccounts;
  readonly #slotListeners = new Set<SubscriptionListener>();
  readonly #closed = new AbortController();
  #isRunning = false;
  #announced: Slot | undefined;

  constructor(reader: ChainReads, options: PollingSourceOptions) {
    this.#reader = reader;
    this.#options = { pollMs: 400, scanMs: 15_000, discoverMs: 600_000, ...options };
    const { random } = options;
    this.#absent = new AbsentAccounts({ reader, random, known: () => this.#knownAccounts() });
  }

  absences(): AbsenceCounts {
    return this.#absent.counts();
  }

  async getAccounts(
    addresses: readonly Address[],
    minSlot?: Slot,
    maxBytes?: number,
  ): ReturnType<ChainReads['getAccounts']> {
    const result = await this.#reader.getAccounts(addresses, minSlot, maxBytes);
    if (maxBytes !== undefined) return result;
    addresses.forEach((address, i) => {
      const account = result.accounts[i];
      if (account === undefined) return;
      for (const program of this.#programs.values()) {
        program.addAccount(address, account, result.slot);
      }
    });
    return result;
  }

  async scanProgram(scan: ProgramScan, minSlot?: Slot): ReturnType<ChainReads['scanProgram']> {
    const scanned = await this.#reader.scanProgram(scan, minSlot);
    const program = this.#programs.get(scanKey(scan));
    const result =
      program === undefined ? scanned : await addLeftOut(scanned, program, this.#absent);
    // announce the changes as well, because the caller may discard the result
    if (program?.slot !== undefined) program.announce(program.diff(result));
    else if (program !== undefined) this.#addFirstScan(program, result);
    return result;
  }

  /** Ready immediately: later polls are compared with what is read from now on. */
  subscribe(target: SubscriptionTarget, listener: SubscriptionListener): Subscription {
    const stop = this.#add(target, bindListener(listener));
    this.#run();
    const ready = this.#requireSupport(target);
    ready.catch(() => undefined);
    return { ready, sendsUpdates: () => !isLarge(target), isPolled: () => true, stop };
  }

  close(): void {
    this.#closed.abort();
  }

  async #requireSupport({ kind }: SubscriptionTarget): Promise<void> {
    if (kind !== 'logs' && kind !== 'transactions') return;
    throw new CodedError('SOURCE_REFUSES', {
      source: this.#reader.name,
      reason: `polling has no ${kind}`,
    });
  }

  #add(target: SubscriptionTarget, listener: SubscriptionListener): () => void {
    switch (target.kind) {
      case 'slots':
        this.#slotListeners.add(listener);
        return () => this.#slotListeners.delete(listener);
      case 'accounts': {
        if (isLarge(target)) return () => undefined;
        const stops = target.addresses.map((address) => this.#accounts.add(address, listener));
        return () => {
          for (const stop of stops) stop();
        };
      }
      case 'program':
        return isLarge(target) ? () => undefined : this.#addProgram(target.scan, listener);
      default:
        return () => undefined;
    }
  }

  #addProgram(scan: ProgramScan, listener: SubscriptionListener): () => void {
    const key = scanKey(scan);
    const now = this.#options.clock();
    const due = { dueAt: now + this.#options.scanMs, discoverAt: now + this.#options.discoverMs };
    const polled = this.#programs.get(key) ?? new ProgramSnapshot(scan, due);
    this.#programs.set(key, polled);
    polled.listeners.add(listener);
    return () => {
      polled.listeners.delete(listener);
      if (polled.listeners.size === 0) this.#programs.delete(key);
    };
  }

  #run(): void {
    if (this.#isRunning || !this.#hasSubscriptions()) return;
    this.#isRunning = true;
    void this.#loop().finally(() => {
      this.#isRunning = false;
      if (!this.#closed.signal.aborted) this.#run();
    });
  }

  /** First scans are for different slots. When all are there, one round of scans makes a slot complete. */
  #addFirstScan(program: ProgramSnapshot, result: ScanResult): void {
    program.replaceAll(result);
    const programs = [...this.#programs.values()];
    if (programs.length === 1 || programs.some(({ slot }) => slot === undefined)) return;
    for (const each of programs) each.dueAt = this.#options.clock();
  }

  #hasSubscriptions(): boolean {
    return this.#programs.size + this.#accounts.size + this.#slotListeners.size > 0;
  }

  async #loop(): Promise<void> {
    const { pollMs, random, log } = this.#options;
    const { signal } = this.#closed;
    for (let failures = 0; !signal.aborted && this.#hasSubscriptions(); ) {
      const backoff = { firstMs: pollMs, maxMs: MAX_RETRY_MS, random };
      await sleepUnlessAborted(failures === 0 ? pollMs : backoffMs(backoff, failures), signal);
      if (signal.aborted) return;
      try {
        await this.#poll();
        if (failures > 0) log.info({ source: this.#reader.name }, 'polling succeeds again');
        failures = 0;
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        const details = { source: this.#reader.name, error: formatError(error) };
        if (failures === 0) log.warn(details, 'polling failed, retrying');
        failures += 1;
      }
    }
  }

  async #poll(): Promise<void> {
    const startedAt = this.#options.clock();
    const due = [...this.#programs.values()].filter(({ dueAt }) => dueAt <= startedAt);
    // a slot is announced only after all programs were read, so nothing is read before
    if (due.length === 0 && !this.#accounts.hasUnread && this.#programs.size > 0) return;
    const now = await this.#pollAccounts();
    const changes: ScanChanges[] = [];
    try {
      for (const program of due) {
        changes.push(
          await pollProgram(program, this.#reader, { ...this.#options, absent: this.#absent }),
        );
      }
    } finally {
      this.#announceChanges(changes, now.slot);
    }
    this.#announceSlot(now.slot, now.unix);
  }

  /**
   * Programs are scanned one after the other, each at a later slot than the one announced for all of them. Updates are
   * announced for that common slot: the data of a slot may be newer than the slot, but never older.
   */
  #announceChanges(changes: readonly ScanChanges[], pollSlot: Slot): void {
    const complete = this.#completeSlot(pollSlot);
    for (const { program, updates, floor } of changes) {
      const isBelowFloor = floor !== undefined && complete !== undefined && floor > complete;
      const slot = isBelowFloor ? floor : complete;
      program.announce(slot === undefined ? updates : updates.map((each) => ({ ...each, slot })));
    }
  }

  async #pollAccounts(): Promise<SlotTime> {
    const { addresses } = this.#accounts;
    const { slot, accounts } = await this.#reader.getAccounts(
      [CLOCK_SYSVAR, ...addresses],
      this.#announced,
    );
    const [clock, ...rest] = accounts;
    await this.#accounts.announce(addresses, { slot, accounts: rest }, this.#absent);
    return { slot, unix: clock === undefined ? undefined : decodeClockSysvar(clock).unix };
  }

  #knownAccounts(): Address[] {
    const programs = [...this.#programs.values()].flatMap(({ addresses }) => addresses);
    return [...programs, ...this.#accounts.existing];
  }

  #completeSlot(pollSlot: Slot): Slot | undefined {
    return findCompleteSlot(pollSlot, [...this.#programs.values(), ...this.#accounts.values()]);
  }

  #announceSlot(pollSlot: Slot, unix: UnixSeconds | undefined): void {
    const complete = this.#completeSlot(pollSlot);
    if (complete === undefined) return;
    if (this.#announced !== undefined && complete <= this.#announced) return;
    this.#announced = complete;
    for (const listener of [...this.#slotListeners]) {
      listener.onSlot(complete, complete === pollSlot ? unix : undefined);
    }
  }
}

const isLarge = (target: SubscriptionTarget): boolean =>
  (target.kind === 'program' || target.kind === 'accounts') && target.isLarge === true;

/** A new object, so that the same listener may subscribe twice. */
function bindListener(listener: SubscriptionListener): SubscriptionListener {
  return {
    onAccount: (update) => listener.onAccount(update),
    onSlot: (slot, unix) => listener.onSlot(slot, unix),
    onGap: (reason) => listener.onGap(reason),
  };
}

/** The slot up to which everything was read: that of the oldest read. Undefined if something was not read yet. */
function findCompleteSlot(
  pollSlot: Slot,
  reads: Iterable<{ readonly slot: Slot | undefined }>,
): Slot | undefined {
  let complete = pollSlot;
  for (const { slot } of reads) {
    if (slot === undefined) return undefined;
    if (slot < complete) complete = slot;
  }
  return complete;
}
