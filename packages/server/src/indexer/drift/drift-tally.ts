import type { Slot } from '@tidegate/core/base';
import type { AccountKind } from '@tidegate/core/state';

export type DriftScope = 'programs' | 'users';

/** What was found of a kind since the start. */
export type KindDrift = {
  readonly kind: AccountKind;
  /** Accounts that differed, by the source of updates that lost them. */
  readonly bySource: ReadonlyMap<string, number>;
  /** Undefined when all accounts of the kind have been compared since the last difference. */
  readonly open: OpenDrift | undefined;
  /** Epoch milliseconds. */
  readonly lastHealedAt: number;
};

type OpenDrift = {
  /** Of the read that found the first one. */
  readonly since: Slot;
  /** Epoch milliseconds. */
  readonly foundAt: number;
  readonly accounts: number;
};

/** Times are epoch milliseconds. */
export type DriftPass = {
  readonly scope: DriftScope;
  readonly everyMs: number;
  /** Of the first pass. */
  readonly since: number;
  readonly startedAt: number;
  readonly endsAt: number;
  readonly lastEndedAt: number | undefined;
};

export type DriftStatus = {
  readonly kinds: readonly KindDrift[];
  readonly passes: readonly DriftPass[];
};

/** Counts what the check finds. */
export class DriftTally {
  readonly #clock: () => number;
  readonly #onChange: (status: DriftStatus) => void;
  readonly #kinds = new Map<AccountKind, KindDrift>();
  readonly #passes = new Map<DriftScope, DriftPass>();
  #status: DriftStatus | undefined;

  /** `clock`: epoch milliseconds. */
  constructor(clock: () => number, onChange: (status: DriftStatus) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** An account differed and was healed. */
  add(kind: AccountKind, source: string, slot: Slot): void {
    const known = this.#kinds.get(kind);
    const now = this.#clock();
    const { since, foundAt, accounts } = known?.open ?? { since: slot, foundAt: now, accounts: 0 };
    this.#kinds.set(kind, {
      kind,
      bySource: new Map(known?.bySource).set(source, (known?.bySource.get(source) ?? 0) + 1),
      open: { since, foundAt, accounts: accounts + 1 },
      lastHealedAt: now,
    });
    this.#noteChange();
  }

  /** An account of a wrong endpoint was put right: no updates were lost. */
  count(kind: AccountKind, endpoint: string): void {
    const known = this.#kinds.get(kind);
    this.#kinds.set(kind, {
      kind,
      bySource: new Map(known?.bySource).set(endpoint, (known?.bySource.get(endpoint) ?? 0) + 1),
      open: known?.open,
      lastHealedAt: this.#clock(),
    });
    this.#noteChange();
  }

  /** Accounts of the kind that differed since the start. */
  countOf(kind: AccountKind): number {
    return [...(this.#kinds.get(kind)?.bySource.values() ?? [])].reduce((sum, n) => sum + n, 0);
  }

  /** All accounts of the kind were compared, and none differed. */
  close(kind: AccountKind): void {
    const known = this.#kinds.get(kind);
    if (known === undefined) return;
    this.#kinds.set(kind, { ...known, open: undefined });
    this.#noteChange();
  }

  beginPass(scope: DriftScope, everyMs: number): void {
    const startedAt = this.#clock();
    const { since = startedAt, lastEndedAt } = this.#passes.get(scope) ?? {};
    const endsAt = startedAt + everyMs;
    this.#passes.set(scope, { scope, everyMs, since, startedAt, endsAt, lastEndedAt });
    this.#noteChange();
  }

  endPass(scope: DriftScope): void {
    const pass = this.#passes.get(scope);
    if (pass === undefined) return;
    this.#passes.set(scope, { ...pass, lastEndedAt: this.#clock() });
    this.#noteChange();
  }

  /** The same object until something changes. */
  status(): DriftStatus {
    this.#status ??= {
      kinds: [...this.#kinds.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1)),
      passes: [...this.#passes.values()],
    };
    return this.#status;
  }

  #noteChange(): void {
    this.#status = undefined;
    this.#onChange(this.status());
  }
}
