import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Address, ChainTime, RawAccount } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { obligation as layout } from '@tidegate/core/protocol/klend/layout';
import { debtAt } from '@tidegate/core/protocol/klend/math';
import { PackedRecords } from '@tidegate/core/state';
import { hasPositions } from '@tidegate/core/views/series';
import type { StateInput, StateRow } from '../../history/schema/event-tables.ts';
import { type Borrow, type Deposit, LoanCodec, type RecordedLoan, toLoan } from './loan-codec.ts';

type LoanRow = StateInput<'obligationState'>;

/** Accruing a debt in several steps rounds down this much more than in one step: less than 2^-40 lamports. */
const MAX_ROUNDING_SF = 1n << 20n;

/**
 * The current version of every loan. A refresh does not count as a change, because the accrued debt follows from the
 * previous state.
 */
export class LoanIndex {
  readonly #codec = new LoanCodec();
  readonly #loans = new PackedRecords();
  /** Loans with a position, by market. */
  readonly #withPositions = new Map<Address, number>();
  /** Compressed at once: the first load changes every loan. */
  readonly #changed = new Map<Address, { readonly owner: Address; readonly deflated?: Buffer }>();

  /** Takes the latest stored states. Call it before the first update. */
  restore(states: Iterable<StateRow<'obligationState'>>): void {
    for (const { obligation, deflated } of states) {
      if (deflated === null) continue;
      const data = inflateRawSync(deflated);
      this.#set(obligation, {
        ...toLoan(layout.view({ owner: KLEND_PROGRAM, data })),
        isSeen: false,
      });
    }
  }

  update(address: Address, account: RawAccount): void {
    const loan = { ...toLoan(layout.view(account)), isSeen: true };
    const known = this.#get(address);
    const isSame = known !== undefined && isUnchanged(known, loan);
    if (known !== undefined) this.#count(known, -1);
    this.#set(address, loan);
    if (isSame) return;
    this.#changed.set(address, { owner: loan.owner, deflated: deflate(account.data) });
  }

  /** Marks a loan as closed. Returns its owner; undefined for another address. */
  remove(address: Address): Address | undefined {
    const known = this.#get(address);
    if (known === undefined) return undefined;
    const { owner } = known;
    this.#count(known, -1);
    this.#loans.delete(address);
    this.#changed.set(address, { owner });
    return owner;
  }

  /** Marks restored loans as closed that were not seen. Call it after all existing loans were updated. */
  removeUnseen(): void {
    const unseen: Address[] = [];
    for (const [address, bytes] of this.#loans.entries()) {
      if (!this.#codec.decode(bytes).isSeen) unseen.push(address);
    }
    for (const address of unseen) this.remove(address);
  }

  /** Every loan of a market, including those without a position. */
  *obligationsIn(market: Address): Iterable<Pick<RecordedLoan, 'fields'>> {
    for (const [, bytes] of this.#loans.entries()) {
      if (this.#codec.marketOf(bytes) === market) yield this.#codec.decode(bytes);
    }
  }

  countWithPositions(market: Address): number {
    return this.#withPositions.get(market) ?? 0;
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

  #get(address: Address): RecordedLoan | undefined {
    const bytes = this.#loans.get(address);
    return bytes && this.#codec.decode(bytes);
  }

  #set(address: Address, loan: RecordedLoan): void {
    this.#loans.set(address, this.#codec.encode(loan));
    this.#count(loan, 1);
  }

  #count({ market, fields }: RecordedLoan, change: 1 | -1): void {
    if (!hasPositions(fields)) return;
    this.#withPositions.set(market, (this.#withPositions.get(market) ?? 0) + change);
  }
}

/** A copy: the result of zlib is a view of a buffer of 16 KB, which would stay in memory. */
const deflate = (data: Uint8Array): Buffer => Buffer.from(deflateRawSync(data));

const isUnchanged = (a: RecordedLoan, b: RecordedLoan): boolean =>
  a.owner === b.owner &&
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
