import { type Address, formatError } from '@tidegate/core/base';
import type { AccountKind } from '@tidegate/core/state';
import { sleepUnlessAborted } from '../../chain/retry.ts';
import { CodedError } from '../../errors.ts';
import type { ScannedAccountSet } from '../follow/account-sets.ts';
import { AccountScreen } from './account-screen.ts';
import { type DriftContext, isPolling, PROGRAM_KINDS, USER_KINDS } from './drift-context.ts';
import { type DriftScope, type DriftStatus, DriftTally } from './drift-tally.ts';
import { SampleCheck } from './sample-check.ts';
import { SuspectCheck } from './suspect-check.ts';

export type DriftTiming = {
  /** Time in which all accounts of programs are read: markets, reserves, vaults, farms, prices. */
  readonly programsMs: number;
  /** Time in which all loans, stakes and shares are read. */
  readonly usersMs: number;
  /** Shortest pause before a kind that still drifts is compared again. */
  readonly recheckMs?: number;
  /** Shortest time from one comparison of the sums over all positions to the next; by default that of ten of programs. */
  readonly sumsMs?: number;
};

export type DriftCheckOptions = DriftContext & {
  readonly timing: DriftTiming;
  /** The source of updates has lost some. Called when all accounts of the kind have been compared once. */
  readonly onLoss: (step: string, reason: string) => void;
  readonly onChange: (status: DriftStatus) => void;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** From 0 up to 1; seedable. */
  readonly random?: () => number;
};

/** A part of a pass, which costs a call or a few. */
type Work = () => Promise<void>;

/** So many passes read witnesses before one reads whole accounts. */
const PASSES_PER_WHOLE = { programs: 10, users: 24 } satisfies Record<DriftScope, number>;
/** A kind that still drifts is compared again after this many times the duration of the last comparison. */
const RECHECK_COST = 10;
const DEFAULT_RECHECK_MS = 5_000;

/**
 * Compares all of state with the chain, again and again, because a stream can lose an update without a sign. What differs is
 * put right, and all accounts of its kind are compared at once (docs/decisions/0039-state-drift.md).
 */
export class DriftCheck {
  readonly #options: DriftCheckOptions;
  readonly #tally: DriftTally;
  readonly #screen: AccountScreen;
  readonly #suspects: SuspectCheck;
  readonly #endpoints: SampleCheck;
  readonly #stopping = new AbortController();
  /** Kinds all of whose accounts are being compared. */
  readonly #widened = new Set<AccountKind>();
  /** An endpoint that returned wrong accounts, while all accounts are compared because of it. */
  #blamed: string | undefined;

  constructor(options: DriftCheckOptions) {
    this.#options = options;
    this.#tally = new DriftTally(options.clock, options.onChange);
    this.#screen = new AccountScreen(options);
    this.#suspects = new SuspectCheck({
      ...options,
      tally: this.#tally,
      blamed: () => this.#blamed,
      onDrift: (kind) => this.#widen(kind),
    });
    const { state, followed, random = Math.random } = options;
    this.#endpoints = new SampleCheck({
      ...{ state, followed, random },
      onSuspects: (addresses) => this.#suspects.run(addresses, undefined),
    });
  }

  /** Call it when state is loaded. */
  start(): void {
    const { timing, followed } = this.#options;
    const { programsMs, usersMs } = timing;
    followed.agreement.recheckWith((endpoint) => this.#recheck(endpoint));
    void this.#compareEndpoints(programsMs);
    void this.#repeat('programs', programsMs, (isWhole) => this.#programBatches(isWhole));
    void this.#repeat('users', usersMs, (isWhole) => this.#scans(USER_KINDS, isWhole));
  }

  stop(): void {
    this.#stopping.abort();
  }

  status(): DriftStatus {
    return this.#tally.status();
  }

  /** Compares all accounts of the kinds as a whole, now. Returns whether all were compared. */
  async compareKinds(kinds: readonly AccountKind[]): Promise<boolean> {
    let isComplete = true;
    for (const kind of kinds) isComplete = (await this.#compareAll(kind)) && isComplete;
    return isComplete;
  }

  /** Compares loans that state may lack. */
  async compareLoans(addresses: readonly Address[]): Promise<void> {
    await this.#attempt(() => this.#suspects.run(addresses, 'obligation'));
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** The calls of a pass are spread over its time. */
  async #repeat(
    scope: DriftScope,
    everyMs: number,
    list: (isWhole: boolean) => readonly Work[],
  ): Promise<void> {
    const { now } = this.#options;
    for (let pass = 1; !this.#isStopped; pass++) {
      const startedAt = now();
      const works = list(pass % PASSES_PER_WHOLE[scope] === 0);
      this.#tally.beginPass(scope, everyMs);
      let failures = 0;
      for (const [index, work] of works.entries()) {
        if (!(await this.#attempt(work))) failures += 1;
        await this.#sleep(startedAt + ((index + 1) * everyMs) / works.length - now());
      }
      if (failures === 0 && !this.#isStopped) this.#tally.endPass(scope);
      await this.#sleep(startedAt + everyMs - now());
    }
  }

  /** The accounts of programs and some of users of each endpoint. */
  async #compareEndpoints(everyMs: number): Promise<void> {
    while (!this.#isStopped) {
      await this.#attempt(() => this.#endpoints.run());
      await this.#sleep(this.#endpoints.pauseMs(everyMs));
    }
  }

  /** State may have accounts of a wrong endpoint, so all are compared with the others. Returns their kinds. */
  #recheck(endpoint: string): readonly AccountKind[] {
    const isRunning = this.#blamed !== undefined;
    this.#blamed = endpoint;
    if (!isRunning) void this.#recheckAll().finally(() => (this.#blamed = undefined));
    return [...PROGRAM_KINDS, ...USER_KINDS];
  }

  async #recheckAll(): Promise<void> {
    const { followed, timing } = this.#options;
    const { recheckMs = DEFAULT_RECHECK_MS } = timing;
    const waiting = new Set<AccountKind>([...PROGRAM_KINDS, ...USER_KINDS]);
    while (waiting.size > 0 && !this.#isStopped) {
      for (const kind of waiting) {
        const [healed, blamed] = [this.#suspects.healed, this.#blamed];
        const isComplete = await this.#compareAll(kind);
        if (!isComplete || this.#suspects.healed !== healed || this.#blamed !== blamed) continue;
        waiting.delete(kind);
        followed.agreement.noteRechecked(kind);
      }
      if (waiting.size > 0) await this.#sleep(recheckMs);
    }
  }

  #programBatches(isWhole: boolean): Work[] {
    return isPolling(this.#options.step()) ? [] : this.#batches(PROGRAM_KINDS, isWhole);
  }

  #batches(kinds: readonly AccountKind[], isWhole: boolean): Work[] {
    return this.#screen.batchesOf(kinds, isWhole).map((batch) => async () => {
      await this.#suspects.run(await this.#screen.readBatch(batch), undefined);
    });
  }

  #scans(kinds: readonly AccountKind[], isWhole: boolean): Work[] {
    return this.#scannedSets(kinds).map((set) => async () => {
      await this.#suspects.run(await this.#screen.readSet(set, isWhole), set.kind);
    });
  }

  #scannedSets(kinds: readonly AccountKind[]): ScannedAccountSet[] {
    return this.#options.followed.sets().flatMap(({ accountSet }) => {
      const { kind, scan } = accountSet;
      return scan === undefined || !kinds.includes(kind) ? [] : [{ ...accountSet, scan }];
    });
  }

  /** Compares all accounts of a kind as a whole, until none differs. */
  #widen(kind: AccountKind): void {
    if (this.#widened.has(kind) || this.#blamed !== undefined) return;
    this.#widened.add(kind);
    void this.#compareKind(kind, this.#options.step()).finally(() => this.#widened.delete(kind));
  }

  async #compareKind(kind: AccountKind, step: string): Promise<void> {
    const { now, onLoss, timing } = this.#options;
    const { recheckMs = DEFAULT_RECHECK_MS } = timing;
    for (let isFirst = true; !this.#isStopped; isFirst = false) {
      const startedAt = now();
      const before = this.#tally.countOf(kind);
      const isComplete = await this.#compareAll(kind);
      const count = this.#tally.countOf(kind);
      if (isFirst)
        onLoss(step, `updates were lost: ${count} accounts (${kind}) had to be corrected`);
      if (isComplete && count === before) {
        this.#tally.close(kind);
        return;
      }
      await this.#sleep(Math.max(recheckMs, RECHECK_COST * (now() - startedAt)));
    }
  }

  /** Whether all were compared. After a gap they are read again as a whole, but for those of users. */
  async #compareAll(kind: AccountKind): Promise<boolean> {
    const isOfUsers = USER_KINDS.includes(kind);
    const works = isOfUsers ? this.#scans([kind], true) : this.#batches([kind], true);
    let isComplete = !this.#options.followed.isResyncing();
    for (const work of works) isComplete = (await this.#attempt(work)) && isComplete;
    return isComplete;
  }

  /** Whether it succeeded. */
  async #attempt(work: Work): Promise<boolean> {
    if (this.#isStopped) return false;
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      const details = { error: formatError(error) };
      if (!this.#isStopped) this.#options.log.debug(details, 'state was not compared');
      return false;
    }
  }

  #sleep(ms: number): Promise<void> {
    return sleepUnlessAborted(Math.max(0, ms), this.#stopping.signal);
  }
}
