import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { RawAccount } from '../base/account.ts';
import { type Address, ZERO_ADDRESS } from '../base/address.ts';
import type { Bsf } from '../base/big-fixed.ts';
import type { Sf } from '../base/fixed.ts';
import type { ChainTime } from '../base/time.ts';
import type { StateInput, StateRow } from '../history/event-tables.ts';
import { obligation as layout, type ObligationView } from '../protocol/klend/layout/obligation.ts';
import { debtAt } from '../protocol/klend/math/debt.ts';
import { KLEND_PROGRAM } from '../protocol/klend/program.ts';

/** What of a loan only its owner or a liquidator changes, and its debts, which grow by themselves. */
type Loan = { readonly owner: Address; readonly fixed: string; readonly debts: readonly Debt[] };

type Debt = {
  readonly reserve: Address;
  readonly borrowedAmountSf: Sf;
  readonly cumulativeBorrowRateBsf: { readonly value: Bsf };
};

type LoanRow = StateInput<'obligationState'>;

/** Bringing a debt up to date in several steps drops so much more of it than in one: less than 2^-40 lamports. */
const ROUNDING = 1n << 20n;

/**
 * The states of loans as they are kept: after each event, and not when somebody merely brings them up to date,
 * which changes nothing that could not be counted from the state before.
 */
export class LoanBook {
  readonly #loans = new Map<Address, Loan>();
  /** Of what was kept, what has not been seen since. */
  readonly #unseen = new Set<Address>();
  readonly #changed = new Map<Address, { readonly owner: Address; readonly data?: Uint8Array }>();

  /** What was kept last. */
  constructor(kept: Iterable<StateRow<'obligationState'>> = []) {
    for (const { obligation, deflated } of kept) {
      if (deflated === null) continue;
      const data = inflateRawSync(deflated);
      this.#loans.set(obligation, loanOf(layout.view({ owner: KLEND_PROGRAM, data })));
      this.#unseen.add(obligation);
    }
  }

  /** A loan as it is now. */
  note(address: Address, account: RawAccount): void {
    this.#unseen.delete(address);
    const loan = loanOf(layout.view(account));
    const known = this.#loans.get(address);
    if (known !== undefined && isSame(known, loan)) return;
    this.#loans.set(address, loan);
    this.#changed.set(address, { owner: loan.owner, data: account.data });
  }

  /** It exists no more. Nothing for what was no loan. */
  noteClosed(address: Address): void {
    this.#unseen.delete(address);
    const known = this.#loans.get(address);
    if (known === undefined) return;
    this.#loans.delete(address);
    this.#changed.set(address, { owner: known.owner });
  }

  /** After all loans that exist were seen: the others were closed meanwhile. */
  closeUnseen(): void {
    for (const address of this.#unseen) this.noteClosed(address);
    this.#unseen.clear();
  }

  /** What changed since the last time, as of the end of a slot. */
  take({ slot, unix }: ChainTime): LoanRow[] {
    const rows = [...this.#changed].map(([obligation, { owner, data }]) => ({
      ...{ obligation, slot, at: unix, wallet: owner },
      deflated: data === undefined ? null : deflateRawSync(data),
    }));
    this.#changed.clear();
    return rows;
  }
}

function loanOf({ owner, tag, elevationGroup, deposits, borrows }: ObligationView): Loan {
  const held: string[] = [];
  for (const { depositReserve, depositedAmount } of deposits) {
    if (depositReserve !== ZERO_ADDRESS) held.push(`${depositReserve} ${depositedAmount}`);
  }
  const debts: Debt[] = [];
  for (const { borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf } of borrows) {
    if (borrowReserve === ZERO_ADDRESS) continue;
    const { value } = cumulativeBorrowRateBsf;
    const debt = { reserve: borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf: { value } };
    debts.push(debt);
  }
  return { owner, fixed: [tag, elevationGroup, ...held].join(), debts };
}

const isSame = (a: Loan, b: Loan): boolean =>
  a.fixed === b.fixed &&
  a.debts.length === b.debts.length &&
  a.debts.every((debt, place) => hasOnlyGrown(debt, b.debts[place]));

function hasOnlyGrown(before: Debt, now: Debt | undefined): boolean {
  if (now === undefined || now.reserve !== before.reserve) return false;
  const rate = now.cumulativeBorrowRateBsf.value;
  if (rate < before.cumulativeBorrowRateBsf.value) return false;
  const difference = debtAt(before, rate) - now.borrowedAmountSf;
  return difference <= ROUNDING && difference >= -ROUNDING;
}
