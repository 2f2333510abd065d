import { type Address, formatError, type Logger, type Slot, toSlot } from '@tidegate/core/base';
import type {
  AccountKind,
  AccountSelection,
  ClusterState,
  SeenAddresses,
} from '@tidegate/core/state';
import { readAbsent } from '../../../chain/source/absence-reads.ts';
import type {
  AccountUpdate,
  ChainSource,
  ReadAccount,
} from '../../../chain/source/chain-source.ts';
import { CodedError } from '../../../errors.ts';
import type { SlotQueue } from '../slot-queue.ts';
import type { SourceDoubt } from './source-doubt.ts';

type AbsenceCheckOptions = {
  readonly source: ChainSource;
  readonly state: ClusterState;
  readonly queue: SlotQueue;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
};

/** A read of a set of accounts. */
export type SetRead = {
  readonly kind: AccountKind;
  readonly selection: AccountSelection;
  readonly seen: SeenAddresses;
  /** An account that state has of this slot or an earlier one, and that the read did not return, may be closed. */
  readonly completeAt: Slot;
  /** Of the read. */
  readonly slot: Slot;
  /** Whether the read has addresses only, so that a bad one can be given up. */
  readonly isListing?: boolean;
};

/** What a second read says of the accounts of state that a read did not return. */
export type CheckedAbsences = {
  readonly closed: ReadonlySet<Address>;
  readonly found: readonly ReadAccount[];
  /** Those that were found, and those of a bad read that were not read again. */
  readonly existing: ReadonlySet<Address>;
  /** Whose absence is neither confirmed nor refuted. */
  readonly unknown: ReadonlySet<Address>;
};

type Unconfirmed = { readonly kind: AccountKind; readonly since: Slot };

export type AbsenceStatus = {
  /** Absences that a second read confirmed, and those that it refuted, since the start. */
  readonly confirmed: number;
  readonly refuted: number;
  /** Accounts whose absence is neither confirmed nor refuted; they are served as they were. */
  readonly unconfirmed: number;
};

/** Time until unconfirmed absences are read again. */
const RETRY_MS = 5_000;
/** Unconfirmed absences that are read at a time. */
const RETRIED = 1_000;

/**
 * Believes that an account of state is closed only after a second read. A stream that announces it is believed at once;
 * it does not come here.
 */
export class AbsenceCheck {
  readonly #options: AbsenceCheckOptions;
  readonly #unconfirmed = new Map<Address, Unconfirmed>();
  #confirmed = 0;
  #refuted = 0;
  #retryAt = 0;
  #isRetrying = false;
  #doubts: readonly SourceDoubt[] = [];

  constructor(options: AbsenceCheckOptions) {
    this.#options = options;
  }

  status(): AbsenceStatus {
    const unconfirmed = this.#unconfirmed.size;
    return { confirmed: this.#confirmed, refuted: this.#refuted, unconfirmed };
  }

  /** The same array until one of them changes. */
  doubts(): readonly SourceDoubt[] {
    return this.#doubts;
  }

  /** Reads accounts of state again that a read did not return. */
  async check(read: SetRead): Promise<CheckedAbsences> {
    const { kind, selection, seen, completeAt, slot, isListing = false } = read;
    const missing = this.#options.state.findOlder(kind, { ...selection, except: seen }, completeAt);
    return this.#check(missing, slot, isListing);
  }

  /** Call it when the slot of the read is complete: removes what is closed, and keeps what is not known to be. */
  close(
    { kind, selection, seen, completeAt, slot }: SetRead,
    { closed, existing, unknown }: CheckedAbsences,
  ): void {
    const { state } = this.#options;
    const unchecked = new Set(unknown);
    for (const address of state.findOlder(kind, { ...selection, except: seen }, completeAt)) {
      if (closed.has(address)) state.apply({ address, account: undefined, slot });
      else if (!existing.has(address)) unchecked.add(address);
    }
    this.#hold(kind, unchecked, slot);
  }

  /**
   * Reads accounts by address, those of state twice if they are not returned. The result has no update for an account
   * whose absence is not confirmed.
   */
  async readAccounts(
    addresses: readonly Address[],
    minSlot: Slot,
  ): Promise<{ readonly slot: Slot; readonly updates: readonly AccountUpdate[] }> {
    const { source, state } = this.#options;
    const { slot, accounts } = await source.getAccounts(addresses, minSlot);
    const isMissing = (address: Address, i: number) =>
      accounts[i] === undefined && state.kindOf(address) !== undefined;
    const checked = await this.#check(addresses.filter(isMissing), slot, false);
    const { found, unknown } = checked;
    const again = new Map(found.map((update) => [update.address, update]));
    for (const address of unknown) {
      const kind = state.kindOf(address);
      if (kind !== undefined) this.#hold(kind, [address], slot);
    }
    const updates = addresses.flatMap((address, i) =>
      unknown.has(address) ? [] : [again.get(address) ?? { address, account: accounts[i], slot }],
    );
    return { slot: slotAfter(slot, checked), updates };
  }

  /** Call it regularly. */
  tick(): void {
    if (this.#isRetrying || this.#unconfirmed.size === 0) return;
    if (this.#options.clock() < this.#retryAt) return;
    this.#isRetrying = true;
    this.#retry()
      .catch((error: unknown) => {
        if (!(error instanceof CodedError)) throw error;
        this.#options.log.debug({ error: formatError(error) }, 'absences were not read again');
      })
      .finally(() => {
        this.#isRetrying = false;
        this.#retryAt = this.#options.clock() + RETRY_MS;
      });
  }

  async #check(
    missing: readonly Address[],
    minSlot: Slot,
    onlySamples: boolean,
  ): Promise<CheckedAbsences> {
    if (missing.length === 0) return NOTHING_MISSING;
    const { source, random, log } = this.#options;
    const readAgain = source.getAccountsAgain ?? source.getAccounts;
    const { found, absent, unknown, skipped } = await readAbsent(missing, {
      read: (addresses) => readAgain.call(source, addresses, minSlot),
      existing: this.#knownAccounts(),
      random,
      onlySamples,
    });
    this.#confirmed += absent.length;
    this.#refuted += found.length;
    if (found.length + unknown.length > 0) {
      const counts = { missing: missing.length, exist: found.length, unknown: unknown.length };
      log.warn({ ...counts, first: found[0]?.address ?? unknown[0] }, 'a read left out accounts');
    }
    const existing = new Set([...found.map(({ address }) => address), ...skipped]);
    return { closed: new Set(absent), found, existing, unknown: new Set(unknown) };
  }

  async #retry(): Promise<void> {
    const { state, queue } = this.#options;
    this.#forgetResolved();
    const held = [...this.#unconfirmed].slice(0, RETRIED);
    if (held.length === 0) return;
    const newest = queue.newestSlot;
    const { closed, found } = await this.#check(
      held.map(([address]) => address),
      newest,
      false,
    );
    for (const update of found) {
      queue.push({ slot: update.slot, run: () => void state.apply(update) });
      this.#unconfirmed.delete(update.address);
    }
    queue.push({
      slot: newest,
      run: () => {
        for (const address of closed) {
          const isNewer = (state.slotOf(address) ?? newest) > newest;
          if (!isNewer) state.apply({ address, account: undefined, slot: newest });
          this.#unconfirmed.delete(address);
        }
        this.#describe();
      },
    });
    this.#describe();
  }

  /** Forgets accounts that an update has changed or closed meanwhile. */
  #forgetResolved(): void {
    const { state } = this.#options;
    for (const [address, { since }] of this.#unconfirmed) {
      const slot = state.kindOf(address) === undefined ? undefined : state.slotOf(address);
      if (slot === undefined || slot > since) this.#unconfirmed.delete(address);
    }
    this.#describe();
  }

  #hold(kind: AccountKind, addresses: Iterable<Address>, since: Slot): void {
    for (const address of addresses) {
      if (!this.#unconfirmed.has(address)) this.#unconfirmed.set(address, { kind, since });
    }
    this.#describe();
  }

  /** Markets and reserves: every cluster has some, and they are rarely closed. */
  #knownAccounts(): Address[] {
    const { state } = this.#options;
    const markets = state.markets().map(({ address }) => address);
    return [
      ...markets.flatMap((market) => state.reservesOf(market).map(({ address }) => address)),
      ...markets,
    ].filter((address) => !this.#unconfirmed.has(address));
  }

  /** One reason per kind. */
  #describe(): void {
    const byKind = new Map<AccountKind, [Address, Unconfirmed][]>();
    for (const [address, held] of this.#unconfirmed) {
      byKind.set(held.kind, [...(byKind.get(held.kind) ?? []), [address, held]]);
    }
    this.#doubts = [...byKind].map(([kind, held]) => describe(kind, held));
  }
}

const NOTHING_MISSING: CheckedAbsences = {
  closed: new Set(),
  found: [],
  existing: new Set(),
  unknown: new Set(),
};

/** The slot after which everything that was read again is known. */
export const slotAfter = (slot: Slot, { found }: CheckedAbsences): Slot =>
  found.reduce((newest, each) => (each.slot > newest ? each.slot : newest), slot);

function describe(kind: AccountKind, held: readonly [Address, Unconfirmed][]): SourceDoubt {
  const since = held.reduce(
    (oldest, [, each]) => (each.since < oldest ? each.since : oldest),
    toSlot(2n ** 64n - 1n),
  );
  const [first] = held[0] ?? [''];
  const others = held.length === 1 ? '' : ` and ${held.length - 1} more`;
  const detail = `${first}${others} not returned by the node, not confirmed as closed`;
  return { kind, code: 'unconfirmedAbsence', detail, since };
}
