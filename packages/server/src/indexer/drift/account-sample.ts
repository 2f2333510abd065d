import type { Address } from '@tidegate/core/base';
import type { AccountKind, ClusterState } from '@tidegate/core/state';
import { sampleOf } from '@tidegate/core/state';
import { PROGRAM_KINDS, USER_KINDS } from './drift-context.ts';

/** Accounts of programs and of users in one sample; together less than a request holds. */
const PROGRAM_ACCOUNTS = 32;
const USER_ACCOUNTS = 32;

/** Chooses accounts to compare: all of programs in turn, in random order, and some of users at random. */
export class AccountSample {
  readonly #state: ClusterState;
  readonly #random: () => number;
  #rest: Address[] = [];
  #rounds = 0;

  /** `random`: from 0 up to 1. */
  constructor(state: ClusterState, random: () => number) {
    this.#state = state;
    this.#random = random;
  }

  /** Whether all accounts of programs were chosen once. */
  get isThrough(): boolean {
    return this.#rounds > 0;
  }

  next(): Address[] {
    const users = USER_KINDS.flatMap((kind) =>
      this.#state.sample(kind, Math.floor(USER_ACCOUNTS / USER_KINDS.length), this.#random),
    );
    return [...this.#nextOfPrograms(), ...users];
  }

  #nextOfPrograms(): Address[] {
    if (this.#rest.length === 0) this.#rest = this.#shuffled(PROGRAM_KINDS);
    const next = this.#rest.splice(0, PROGRAM_ACCOUNTS);
    if (this.#rest.length === 0) this.#rounds += 1;
    return next;
  }

  #shuffled(kinds: readonly AccountKind[]): Address[] {
    const all = Array.from(this.#state.accounts(kinds), ({ address }) => address);
    return sampleOf(all, all.length, this.#random);
  }
}
