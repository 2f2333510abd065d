import type { Address, Slot } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import { type AbsenceReads, readAbsent } from '../source/absence-reads.ts';
import type { ChainReads } from '../source/chain-source.ts';

/** Absences of accounts that were known, since the start. */
export type AbsenceCounts = {
  /** Which a second read confirmed. */
  readonly confirmed: number;
  /** Which a second read refuted. */
  readonly refuted: number;
};

type AbsentAccountsOptions = {
  readonly reader: ChainReads;
  readonly random: () => number;
  /** All accounts that should exist. */
  readonly known: () => readonly Address[];
};

/** Reads known accounts again that a read did not return. */
export class AbsentAccounts {
  readonly #options: AbsentAccountsOptions;
  #confirmed = 0;
  #refuted = 0;

  constructor(options: AbsentAccountsOptions) {
    this.#options = options;
  }

  counts(): AbsenceCounts {
    return { confirmed: this.#confirmed, refuted: this.#refuted };
  }

  /** Returns those that exist. Throws SOURCE_UNAVAILABLE if the reads contradict each other. */
  async find(missing: readonly Address[], minSlot: Slot): Promise<AbsenceReads['found']> {
    if (missing.length === 0) return [];
    const { reader, random, known } = this.#options;
    const read = reader.getAccountsAgain ?? reader.getAccounts;
    const { found, absent, unknown } = await readAbsent(missing, {
      read: (addresses) => read.call(reader, addresses, minSlot),
      existing: known(),
      random,
    });
    this.#confirmed += absent.length;
    this.#refuted += found.length;
    if (unknown.length === 0) return found;
    const reason = `it returns some accounts in one read and not in the next, such as ${unknown[0]}`;
    throw new CodedError('SOURCE_UNAVAILABLE', { source: reader.name, reason });
  }
}
