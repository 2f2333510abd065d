import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  type Address,
  type Bsf,
  type ChainTime,
  type RawAccount,
  type Sf,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { obligation as layout, type ObligationView } from '@tidegate/core/protocol/klend/layout';
import { debtAt } from '@tidegate/core/protocol/klend/math';
import type { StateInput, StateRow } from '../../history/schema/event-tables.ts';

/** What of a loan is kept and counted; free places left out. */
type Loan = {
  readonly owner: Address;
  readonly market: Address;
  readonly tag: bigint;
  readonly elevationGroup: number;
  readonly fields: { readonly deposits: readonly Deposit[]; readonly borrows: readonly Debt[] };
};

type Deposit = { readonly depositReserve: Address; readonly depositedAmount: bigint };

type Debt = {
  readonly borrowReserve: Address;
  readonly borrowedAmountSf: Sf;
  readonly cumulativeBorrowRateBsf: { readonly value: Bsf };
};

type LoanRow = StateInput<'obligationState'>;

/** Bringing a debt up to date in several steps drops so much more of it than in one: less than 2^-40 lamports. */
const ROUNDING = 1n << 20n;

/**
 * All loans as they are. A state of one is kept after each event, and not when somebody merely brings it up to
 * date, which changes nothing that could not be counted from the state before.
 */
export class LoanIndex {
  readonly #loans = new Map<Address, Loan>();
  readonly #byMarket = new Map<Address, Map<Address, Loan>>();
  /** Of what was kept, what has not been seen since. */
  readonly #unseen = new Set<Address>();
  readonly #changed = new Map<Address, { readonly owner: Address; readonly data?: Uint8Array }>();

  /** What was kept last. */
  constructor(kept: Iterable<StateRow<'obligationState'>> = []) {
    for (const { obligation, deflated } of kept) {
      if (deflated === null) continue;
      const data = inflateRawSync(deflated);
      this.#set(obligation, loanOf(layout.view({ owner: KLEND_PROGRAM, data })));
      this.#unseen.add(obligation);
    }
  }

  /** A loan as it is now. */
  note(address: Address, account: RawAccount): void {
    this.#unseen.delete(address);
    const loan = loanOf(layout.view(account));
    const known = this.#loans.get(address);
    this.#set(address, loan);
    if (known !== undefined && isSame(known, loan)) return;
    this.#changed.set(address, { owner: loan.owner, data: account.data });
  }

  /** It exists no more. Nothing for what was no loan. */
  noteClosed(address: Address): void {
    this.#unseen.delete(address);
    const known = this.#loans.get(address);
    if (known === undefined) return;
    this.#loans.delete(address);
    this.#byMarket.get(known.market)?.delete(address);
    this.#changed.set(address, { owner: known.owner });
  }

  /** After all loans that exist were seen: the others were closed meanwhile. */
  closeUnseen(): void {
    for (const address of this.#unseen) this.noteClosed(address);
    this.#unseen.clear();
  }

  /** Every loan of a market, those without a position included. */
  obligationsIn(market: Address): Iterable<Pick<Loan, 'fields'>> {
    return this.#byMarket.get(market)?.values() ?? [];
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

  #set(address: Address, loan: Loan): void {
    const { market } = loan;
    this.#loans.set(address, loan);
    const others = this.#byMarket.get(market);
    if (others === undefined) this.#byMarket.set(market, new Map([[address, loan]]));
    else others.set(address, loan);
  }
}

function loanOf(view: ObligationView): Loan {
  const deposits: Deposit[] = [];
  for (const { depositReserve, depositedAmount } of view.deposits) {
    if (depositReserve !== ZERO_ADDRESS) deposits.push({ depositReserve, depositedAmount });
  }
  const borrows: Debt[] = [];
  for (const { borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf } of view.borrows) {
    if (borrowReserve === ZERO_ADDRESS) continue;
    const { value } = cumulativeBorrowRateBsf;
    borrows.push({ borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf: { value } });
  }
  const { owner, lendingMarket: market, tag, elevationGroup } = view;
  return { owner, market, tag, elevationGroup, fields: { deposits, borrows } };
}

const isSame = (a: Loan, b: Loan): boolean =>
  a.tag === b.tag &&
  a.elevationGroup === b.elevationGroup &&
  isEach(a.fields.deposits, b.fields.deposits, isSameDeposit) &&
  isEach(a.fields.borrows, b.fields.borrows, hasOnlyGrown);

const isEach = <Item>(
  before: readonly Item[],
  now: readonly Item[],
  isAs: (before: Item, now: Item) => boolean,
): boolean =>
  before.length === now.length &&
  before.every((item, place) => {
    const other = now[place];
    return other !== undefined && isAs(item, other);
  });

const isSameDeposit = (before: Deposit, now: Deposit): boolean =>
  now.depositReserve === before.depositReserve && now.depositedAmount === before.depositedAmount;

function hasOnlyGrown(before: Debt, now: Debt): boolean {
  if (now.borrowReserve !== before.borrowReserve) return false;
  const rate = now.cumulativeBorrowRateBsf.value;
  if (rate < before.cumulativeBorrowRateBsf.value) return false;
  const difference = debtAt(before, rate) - now.borrowedAmountSf;
  return difference <= ROUNDING && difference >= -ROUNDING;
}
