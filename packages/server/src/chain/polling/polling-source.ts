import {
  type Address,
  CLOCK_SYSVAR,
  CodedError,
  type Commitment,
  decodeClockSysvar,
  formatError,
  type LatestBlockhash,
  type Logger,
  type Ratio,
  type SimulationResult,
  type Slot,
  type UnixSeconds,
} from '@tidegate/core/base';
import { backoffMs, sleepUnlessAborted } from '../retry.ts';
import type { ChainReader } from '../source/chain-reader.ts';
import type {
  AccountUpdate,
  ChainSource,
  ProgramScan,
  SlotTime,
  Subscription,
  SubscriptionListener,
  SubscriptionTarget,
} from '../source/chain-source.ts';
import type { LedgerReader } from '../source/ledger-reader.ts';
import { hashAccount, ProgramSnapshot, scanKey } from './program-snapshot.ts';

export type PollingSourceOptions = {
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  /** How often followed accounts are read. */
  readonly pollMs?: number;
  /** How often followed programs are read, whole. */
  readonly scanMs?: number;
};

type PolledAccount = {
  readonly listeners: Set<SubscriptionListener>;
  digest: string | undefined;
  /** Of the last reading. */
  slot: Slot | undefined;
};

/** What a reading has shown of a program. `floor`: how new what was told of it before may be. */
type Finding = {
  readonly program: ProgramSnapshot;
  readonly updates: readonly AccountUpdate[];
  readonly floor: Slot | undefined;
};

const LONGEST_PAUSE_MS = 10_000;

/**
 * Follows by reading again and again, for endpoints that send no updates. What it announces is the difference to
 * what was last read or handed out, so no change is missed for good and there is never a gap; an account
 * that changes twice between two readings is announced once.
 */
export class PollingSource implements ChainSource {
  readonly name: string;
  readonly commitment: Commitment;
  readonly ledger: LedgerReader;
  readonly #reader: ChainReader;
  readonly #options: Required<PollingSourceOptions>;
  readonly #programs = new Map<string, ProgramSnapshot>();
  readonly #accounts = new Map<Address, PolledAccount>();
  readonly #slotListeners = new Set<SubscriptionListener>();
  readonly #closing = new AbortController();
  #isRunning = false;
  #announced: Slot | undefined;

  constructor(reader: ChainReader, options: PollingSourceOptions) {
    this.name = reader.name;
    this.commitment = reader.commitment;
    this.ledger = reader.ledger;
    this.#reader = reader;
    this.#options = { pollMs: 400, scanMs: 15_000, ...options };
  }

  getGenesisHash(): Promise<string> {
    return this.#reader.getGenesisHash();
  }

  getSlotTime(): Promise<SlotTime> {
    return this.#reader.getSlotTime();
  }

  getSlotDurationMs(): Promise<Ratio | undefined> {
    return this.#reader.getSlotDurationMs();
  }

  async getAccounts(
    addresses: readonly Address[],
    minSlot?: Slot,
    maxBytes?: number,
  ): ReturnType<ChainSource['getAccounts']> {
    const answer = await this.#reader.getAccounts(addresses, minSlot, maxBytes);
    if (maxBytes !== undefined) return answer;
    addresses.forEach((address, i) => {
      const account = answer.accounts[i];
      if (account === undefined) return;
      for (const program of this.#programs.values()) {
        program.addAccount(address, account, answer.slot);
      }
    });
    return answer;
  }

  async scanProgram(scan: ProgramScan, minSlot?: Slot): ReturnType<ChainSource['scanProgram']> {
    const answer = await this.#reader.scanProgram(scan, minSlot);
    const program = this.#programs.get(scanKey(scan));
    // whoever asks for all of them may still not take them
    if (program?.slot !== undefined) tell(program, program.diff(answer));
    else program?.replaceAll(answer);
    return answer;
  }

  getLatestBlockhash(minSlot?: Slot): Promise<LatestBlockhash> {
    return this.#reader.getLatestBlockhash(minSlot);
  }

  simulate(...asked: Parameters<ChainSource['simulate']>): Promise<SimulationResult> {
    return this.#reader.simulate(...asked);
  }

  /** Ready at once: what is read from now on is what later readings are compared with. */
  subscribe(followed: SubscriptionTarget, listener: SubscriptionListener): Subscription {
    // An object of its own, so that the same listener may follow twice.
    const stop = this.#add(followed, bound(listener));
    this.#run();
    const ready = followed.kind === 'logs' ? this.#refuseLogs() : Promise.resolve();
    return { ready, stop };
  }

  close(): void {
    this.#closing.abort();
    this.#reader.close();
  }

  #refuseLogs(): Promise<never> {
    const reason = 'transactions are not announced to who reads again and again';
    const ready = Promise.reject(new CodedError('SOURCE_REFUSES', { source: this.name, reason }));
    ready.catch(() => undefined);
    return ready;
  }

  #add(followed: SubscriptionTarget, listener: SubscriptionListener): () => void {
    switch (followed.kind) {
      case 'slots':
        this.#slotListeners.add(listener);
        return () => this.#slotListeners.delete(listener);
      case 'accounts': {
        const stops = followed.addresses.map((address) => this.#addAccount(address, listener));
        return () => {
          for (const stop of stops) stop();
        };
      }
      case 'program':
        return this.#addProgram(followed.scan, listener);
      case 'logs':
        return () => undefined;
    }
  }

  #addAccount(address: Address, listener: SubscriptionListener): () => void {
    const unread = { digest: undefined, slot: undefined };
    const polled = this.#accounts.get(address) ?? { listeners: new Set(), ...unread };
    // Whoever comes later has not heard what was announced.
    Object.assign(polled, unread);
    this.#accounts.set(address, polled);
    polled.listeners.add(listener);
    return () => {
      polled.listeners.delete(listener);
      if (polled.listeners.size === 0) this.#accounts.delete(address);
    };
  }

  #addProgram(scan: ProgramScan, listener: SubscriptionListener): () => void {
    const key = scanKey(scan);
    const dueAt = this.#options.clock() + this.#options.scanMs;
    const polled = this.#programs.get(key) ?? new ProgramSnapshot(scan, dueAt);
    this.#programs.set(key, polled);
    polled.listeners.add(listener);
    return () => {
      polled.listeners.delete(listener);
      if (polled.listeners.size === 0) this.#programs.delete(key);
    };
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#loop();
  }

  async #loop(): Promise<void> {
    const { pollMs, random, log } = this.#options;
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted; ) {
      const backoff = { firstMs: pollMs, longestMs: LONGEST_PAUSE_MS, random };
      await sleepUnlessAborted(failures === 0 ? pollMs : backoffMs(backoff, failures), signal);
      if (signal.aborted) return;
      try {
        await this.#poll();
        if (failures > 0) log.info({ source: this.name }, 'polling works again');
        failures = 0;
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        const facts = { source: this.name, error: formatError(error) };
        if (failures === 0) log.warn(facts, 'polling failed');
        failures += 1;
      }
    }
  }

  async #poll(): Promise<void> {
    const startedAt = this.#options.clock();
    const due = [...this.#programs.values()].filter(({ dueAt }) => dueAt <= startedAt);
    const now = await this.#pollAccounts(due.length > 0);
    const found: Finding[] = [];
    try {
      for (const program of due) found.push(await this.#pollProgram(program));
    } finally {
      this.#tellFound(found, now.slot);
    }
    this.#announceSlot(now.slot, now.unix);
  }

  /**
   * Programs are read one after the other, each as of a later slot than the one that is announced for all of them.
   * What was found is told for that one: what is known of a slot may be newer than it, never older.
   */
  #tellFound(found: readonly Finding[], read: Slot): void {
    const complete = this.#completeAt(read);
    for (const { program, updates, floor } of found) {
      const isToldLater = floor !== undefined && complete !== undefined && floor > complete;
      const slot = isToldLater ? floor : complete;
      tell(program, slot === undefined ? updates : updates.map((each) => ({ ...each, slot })));
    }
  }

  /** Slots are announced as far as programs were read: beside these single accounts are read no more often. */
  async #pollAccounts(areProgramsDue: boolean): Promise<SlotTime> {
    const isNew = [...this.#accounts.values()].some(({ slot }) => slot === undefined);
    const isDue = areProgramsDue || isNew || this.#programs.size === 0;
    const followed = isDue ? [...this.#accounts] : [];
    const addresses = [CLOCK_SYSVAR, ...followed.map(([address]) => address)];
    const { slot, accounts } = await this.#reader.getAccounts(addresses, this.#announced);
    const [clock, ...rest] = accounts;
    followed.forEach(([address, polled], i) => {
      const account = rest[i];
      const digest = account === undefined ? 'none' : hashAccount(account);
      polled.slot = slot;
      if (digest === polled.digest) return;
      polled.digest = digest;
      for (const listener of [...polled.listeners]) listener.onAccount({ address, account, slot });
    });
    return { slot, unix: clock === undefined ? undefined : decodeClockSysvar(clock).unix };
  }

  async #pollProgram(program: ProgramSnapshot): Promise<Finding> {
    const reading = await this.#reader.scanProgram(program.scan, program.floor);
    program.dueAt = this.#options.clock() + this.#options.scanMs;
    const { floor } = program;
    return { program, floor, updates: program.diff(reading) };
  }

  /** The oldest reading decides: only up to there is everything known. */
  #completeAt(read: Slot): Slot | undefined {
    let complete = read;
    for (const { slot } of [...this.#programs.values(), ...this.#accounts.values()]) {
      if (slot === undefined) return undefined;
      if (slot < complete) complete = slot;
    }
    return complete;
  }

  #announceSlot(read: Slot, unix: UnixSeconds | undefined): void {
    const complete = this.#completeAt(read);
    if (complete === undefined) return;
    if (this.#announced !== undefined && complete <= this.#announced) return;
    this.#announced = complete;
    for (const listener of [...this.#slotListeners]) {
      listener.onSlot(complete, complete === read ? unix : undefined);
    }
  }
}

function tell({ listeners }: ProgramSnapshot, updates: readonly AccountUpdate[]): void {
  for (const update of updates) for (const listener of [...listeners]) listener.onAccount(update);
}

function bound(listener: SubscriptionListener): SubscriptionListener {
  return {
    onAccount: (update) => listener.onAccount(update),
    onSlot: (slot, unix) => listener.onSlot(slot, unix),
    onGap: (reason) => listener.onGap(reason),
  };
}
