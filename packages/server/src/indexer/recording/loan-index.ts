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

/** The relevant fields of a loan, without empty deposit and borrow slots. */
type Loan = {
  readonly owner: Address;
  readonly market: Address;
  readonly tag: bigint;
  readonly elevationGroup: number;
  readonly fields: { readonly deposits: readonly Deposit[]; readonly borrows: readonly Borrow[] };
};

type Deposit = { readonly depositReserve: Address; readonly depositedAmount: bigint };

type Borrow = {
  readonly borrowReserve: Address;
  readonly borrowedAmountSf: Sf;
  readonly cumulativeBorrowRateBsf: { readonly value: Bsf };
};

type LoanRow = StateInput<'obligationState'>;

/** Accruing a debt in several steps rounds down this much more than in one step: less than 2^-40 lamports. */
const MAX_ROUNDING_SF = 1n << 20n;

/**
 * The current version of every loan. A refresh does not count as a change, because the accrued debt follows from the
 * previous state.
 */
export class LoanIndex {
  readonly #loans = new Map<Address, Loan>();
  readonly #byMarket = new Map<Address, Map<Address, Loan>>();
  /** Restored loans that have not been seen since. */
  readonly #unseen = new Set<Address>();
  /** Compressed at once: the first load changes every loan. */
  readonly #changed = new Map<Address, { readonly owner: Address; readonly deflated?: Buffer }>();

  /** Restores the index from the latest stored states. */
  constructor(states: Iterable<StateRow<'obligationState'>> = []) {
    for (const { obligation, deflated } of states) {
      if (deflated === null) continue;
      const data = inflateRawSync(deflated);
      this.#set(obligation, toLoan(layout.view({ owner: KLEND_PROGRAM, data })));
      this.#unseen.add(obligation);
    }
  }

  update(address: Address, account: RawAccount): void {
    this.#unseen.delete(address);
    const loan = toLoan(layout.view(account));
    const known = this.#loans.get(address);
    this.#set(address, loan);
    if (known !== undefined && isUnchanged(known, loan)) return;
    this.#changed.set(address, { owner: loan.owner, deflated: deflate(account.data) });
  }

  /** Marks a loan as closed. Ignores other addresses. */
  remove(address: Address): void {
    this.#unseen.delete(address);
    const known = this.#loans.get(address);
    if (known === undefined) return;
    this.#loans.delete(address);
    this.#byMarket.get(known.market)?.delete(address);
    this.#changed.set(address, { owner: known.owner });
  }

  /** Marks restored loans as closed that were not seen. Call it after all existing loans were updated. */
  removeUnseen(): void {
    for (const address of this.#unseen) this.remove(address);
    this.#unseen.clear();
  }

  /** Every loan of a market, including those without a position. */
  obligationsIn(market: Address): Iterable<Pick<Loan, 'fields'>> {
    return this.#byMarket.get(market)?.values() ?? [];
  }

  /** The states that changed since the last call, as of the end of a slot. */
  drainChanges({ slot, unix }: ChainTime): LoanRow[] {
    const rows = [...this.#changed].map(([obligation, { owner, deflated = null }]) => ({
      obligation,
      slot,
      at: unix,
      wallet: owner,
      deflated,
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

/** A copy: the result of zlib is a view of a buffer of 16 KB, which would stay in memory. */
const deflate = (data: Uint8Array): Buffer => Buffer.from(deflateRawSync(data));

function toLoan(view: ObligationView): Loan {
  const deposits: Deposit[] = [];
  for (const { depositReserve, depositedAmount } of view.deposits) {
    if (depositReserve !== ZERO_ADDRESS) deposits.push({ depositReserve, depositedAmount });
  }
  const borrows: Borrow[] = [];
  for (const { borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf } of view.borrows) {
    if (borrowReserve === ZERO_ADDRESS) continue;
    const { value } = cumulativeBorrowRateBsf;
    borrows.push({ borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf: { value } });
  }
  const { owner, lendingMarket: market, tag, elevationGroup } = view;
  return { owner, market, tag, elevationGroup, fields: { deposits, borrows } };
}

const isUnchanged = (a: Loan, b: Loan): boolean =>
  a.tag === b.tag &&
  a.elevationGroup === b.elevationGroup &&
  everyPair(a.fields.deposits, b.fields.deposits, isUnchangedDeposit) &&
  everyPair(a.fields.borrows, b.fields.borrows, hasOnlyAccrued);

const everyPair = <Item>(
  before: readonly Item[],
  now: readonly Item[],
  matches: (before: Item, now: Item) => boolean,
): boolean =>
  before.length === now.length &&
  before.every((item, index) => {
    const other = now[index];
    return other !== undefined && matches(item, other);
  });

const isUnchangedDeposit = (before: Deposit, now: Deposit): boolean =>
  now.depositReserve === before.depositReserve && now.depositedAmount === before.depositedAmount;

function hasOnlyAccrued(before: Borrow, now: Borrow): boolean {
  if (now.borrowReserve !== before.borrowReserve) return false;
  const rate = now.cumulativeBorrowRateBsf.value;
  if (rate < before.cumulativeBorrowRateBsf.value) return false;
  const difference = debtAt(before, rate) - now.borrowedAmountSf;
  return difference <= MAX_ROUNDING_SF && difference >= -MAX_ROUNDING_SF;
}
