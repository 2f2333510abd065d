import type { Address, Slot } from '@tidegate/core/base';
import type { AccountKind } from '@tidegate/core/state';
import type { SourceDoubt } from './source-doubt.ts';

export type AgreementStatus = {
  /** Accounts that were read from each endpoint and compared, since the start. */
  readonly compared: number;
  /** Of these, accounts that an endpoint returned wrong. */
  readonly wrong: number;
  /** Accounts on which the endpoints contradict each other now. */
  readonly disputed: number;
};

type Dispute = { readonly kind: AccountKind; readonly since: Slot; readonly detail: string };

type Recheck = Omit<Dispute, 'kind'>;

/** The findings of comparisons: accounts in dispute, and kinds that a wrong endpoint may have spoiled. */
export class DisputedAccounts {
  readonly #disputes = new Map<Address, Dispute>();
  readonly #rechecks = new Map<AccountKind, Recheck>();
  #compared = 0;
  #wrong = 0;
  #doubts: readonly SourceDoubt[] = [];

  status(): AgreementStatus {
    return { compared: this.#compared, wrong: this.#wrong, disputed: this.#disputes.size };
  }

  /** The same array until one of them changes. */
  doubts(): readonly SourceDoubt[] {
    return this.#doubts;
  }

  addresses(): readonly Address[] {
    return [...this.#disputes.keys()];
  }

  count(compared: number, wrong: number): void {
    this.#compared += compared;
    this.#wrong += wrong;
  }

  /** Returns whether it was not in dispute before. */
  add(address: Address, dispute: Dispute): boolean {
    const isNew = !this.#disputes.has(address);
    if (isNew) this.#disputes.set(address, dispute);
    if (isNew) this.#describe();
    return isNew;
  }

  resolve(address: Address): void {
    if (this.#disputes.delete(address)) this.#describe();
  }

  /** State may have accounts of a wrong endpoint. */
  recheck(kinds: readonly AccountKind[], recheck: Recheck): void {
    for (const kind of kinds) this.#rechecks.set(kind, recheck);
    this.#describe();
  }

  noteRechecked(kind: AccountKind): void {
    if (this.#rechecks.delete(kind)) this.#describe();
  }

  /** One reason per kind. */
  #describe(): void {
    const byKind = new Map<AccountKind, Recheck>(this.#rechecks);
    for (const { kind, since, detail } of this.#disputes.values()) {
      const known = byKind.get(kind);
      byKind.set(kind, { since: known && known.since < since ? known.since : since, detail });
    }
    this.#doubts = [...byKind].map(([kind, found]) => ({ kind, code: 'sourcesDiffer', ...found }));
  }
}
