import { type Address, formatError, toSlot } from '@tidegate/core/base';
import type { AccountKind } from '@tidegate/core/state';
import { sleepUnlessAborted } from '../../chain/retry.ts';
import { CodedError } from '../../errors.ts';
import { type DriftContext, isPolling, SLOT_WAIT_MS } from '../drift/drift-context.ts';
import { DepositCheck } from './deposit-check.ts';
import { findMissingLoans } from './missing-loans.ts';
import { positionsOf, StateSums, type SumDifference } from './state-sums.ts';
import { isSame, type SumPass, type SumStatus, SumTally } from './sum-tally.ts';

export type SumCheckOptions = DriftContext & {
  /** Shortest time from one pass to the next. */
  readonly everyMs: number;
  /** Shortest time from one comparison with the chain to the next, while a sum differs. */
  readonly repairMs: number;
  /** Whether state has all loans and stakes. */
  readonly hasAllPositions: () => boolean;
  /** Compares accounts with the chain and puts them right: these, or all of the kinds. */
  readonly compare: {
    /** Whether all were compared. */
    readonly kinds: (kinds: readonly AccountKind[]) => Promise<boolean>;
    readonly loans: (addresses: readonly Address[]) => Promise<void>;
  };
  readonly onChange: (status: SumStatus) => void;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
};

/** Longest part of a pass, which holds up requests, and the pause after it. */
const PART_MS = 4;
const PART_PAUSE_MS = 8;
/** A pass is followed by this many times its time of the processor: half a percent of a core. */
const REST_PER_WORK = 200;
/** Shortest time to the next pass while a sum differs. */
const RECHECK_MS = 5_000;
/** The number of slots at which a difference must be seen. */
const SIGHTINGS = 4;

/**
 * Compares the sums over all loans and stakes with what reserves and farms count. Unlike a comparison with the chain this finds
 * what a node leaves out of every answer (docs/decisions/0044-sums-close.md).
 */
export class SumCheck {
  readonly #options: SumCheckOptions;
  readonly #tally: SumTally;
  readonly #deposits: DepositCheck;
  readonly #stopping = new AbortController();
  #repairedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SumCheckOptions) {
    this.#options = options;
    this.#tally = new SumTally(options.onChange);
    this.#deposits = new DepositCheck(options);
  }

  /** Call it when state is loaded. */
  start(): void {
    void this.#repeat();
  }

  stop(): void {
    this.#stopping.abort();
  }

  status(): SumStatus {
    return this.#tally.status;
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  get #isOpen(): boolean {
    return this.#tally.status.open.length > 0;
  }

  async #repeat(): Promise<void> {
    const { everyMs, log } = this.#options;
    while (!this.#isStopped) {
      let cpuMs = 0;
      try {
        const reason = this.#obstacle();
        if (reason !== undefined) this.#tally.wait(reason);
        if (reason === undefined || (reason === POLLING && this.#isOpen))
          cpuMs = await this.#pass();
        await this.#repair();
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        if (!this.#isStopped) log.debug({ error: formatError(error) }, 'sums were not compared');
      }
      const restMs = this.#isOpen ? Math.min(everyMs, RECHECK_MS) : everyMs;
      await this.#sleep(Math.max(restMs, REST_PER_WORK * cpuMs));
    }
  }

  /** Why the sums of state need not close. */
  #obstacle(): string | undefined {
    const { hasAllPositions, step, state, followed } = this.#options;
    if (!hasAllPositions())
      return 'all loans and stakes: they are read per wallet, or not loaded yet';
    if (followed.isResyncing()) return 'the end of an interruption';
    const unreadable = SUMMED.flatMap((kind) => state.unreadable.ofKind(kind)).length;
    if (unreadable > 0) return `a release that can decode ${unreadable} accounts`;
    return isPolling(step()) ? POLLING : undefined;
  }

  /** Returns the time of the processor that it took, in milliseconds. */
  async #pass(): Promise<number> {
    const { state, now, clock, followed } = this.#options;
    const gaps = followed.gaps();
    const sums = new StateSums(state);
    let cpuMs = 0;
    try {
      for (let isThrough = false; !isThrough && !this.#isStopped; ) {
        const startedAt = now();
        isThrough = sums.visitFor(PART_MS, now);
        cpuMs += now() - startedAt;
        await this.#sleep(PART_PAUSE_MS);
      }
      const found = await this.#confirm(sums);
      if (this.#isStopped || found === undefined || followed.gaps() !== gaps) return cpuMs;
      const obstacle = this.#obstacle();
      if (obstacle !== undefined && obstacle !== POLLING) return cpuMs;
      const pass = { slot: followed.queue.completeSlot, endedAt: clock(), cpuMs };
      if (obstacle === POLLING) this.#tally.close(found);
      else this.#note(found, pass);
      return cpuMs;
    } finally {
      sums.stop();
    }
  }

  #note(found: readonly SumDifference[], pass: SumPass): void {
    for (const { of, address, difference } of this.#tally.note(found, pass)) {
      const details = { of, address, difference, slot: pass.slot };
      this.#options.log.warn(details, 'the sum over all positions differs from what is counted');
      this.#repairedAt = Number.NEGATIVE_INFINITY;
    }
  }

  /** What differs at several slots: a slot may have counted as complete too early. Undefined if it could not be decided. */
  async #confirm(sums: StateSums): Promise<readonly SumDifference[] | undefined> {
    const { queue } = this.#options.followed;
    let found: readonly SumDifference[] | undefined;
    for (let sighting = 0; sighting < SIGHTINGS && found?.length !== 0; sighting++) {
      if (found !== undefined)
        await queue.waitForSlot(toSlot(queue.completeSlot + 1n), SLOT_WAIT_MS);
      const ofDeposits = await this.#deposits.run(sums);
      if (ofDeposits === undefined) return undefined;
      const differing = [...sums.differences(), ...ofDeposits];
      const before = found;
      found = before
        ? differing.filter((each) => before.some((other) => isSame(each, other)))
        : differing;
    }
    return found;
  }

  /** Looks for what is missing, as long as a sum differs. */
  async #repair(): Promise<void> {
    const { compare, now, repairMs, state } = this.#options;
    const { open } = this.#tally.status;
    if (open.length === 0 || now() - this.#repairedAt < repairMs || this.#isStopped) return;
    this.#repairedAt = now();
    const kinds = new Set(open.map(({ of }) => positionsOf(of)));
    if (kinds.has('obligation')) {
      await compare.loans(await findMissingLoans(state, () => this.#sleep(0)));
    }
    const owners: AccountKind[] = [...kinds].map((kind) => OWNERS[kind]);
    if (await compare.kinds([...owners, ...kinds])) this.#tally.noteComparison();
  }

  #sleep(ms: number): Promise<void> {
    return sleepUnlessAborted(ms, this.#stopping.signal);
  }
}

/** Then a sum that closes is right, and one that does not may be. */
const POLLING = 'a stream: while the server polls, loans are older than reserves';

const SUMMED: readonly AccountKind[] = ['obligation', 'farmUser', 'reserve', 'farm'];

/** The accounts that count the positions. */
const OWNERS = { obligation: 'reserve', farmUser: 'farm' } as const;
