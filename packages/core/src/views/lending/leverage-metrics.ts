import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { compareRatios } from '../../base/numbers/ratio.ts';
import { ONE_SF } from '../../base/numbers/scaled-fraction.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import { OBLIGATION_TAGS } from '../../protocol/klend/pda.ts';
import type { AddressedAccount, MarketSnapshot } from './market-snapshot.ts';
import { borrowPositions, depositPositions } from './obligation-positions.ts';
import { refreshObligationStats } from './obligation-report.ts';
import type { ReserveSnapshot } from './reserve-snapshot.ts';
import type { Omission } from './unavailable-figures.ts';

/** Loans of one kind with one deposit and one debt token. Amounts are whole tokens. */
export type LeverageRow = {
  readonly depositReserve: Address;
  readonly borrowReserve: Address;
  readonly tag: LeverageTag;
  readonly obligations: number;
  /** The unweighted mean over the loans. */
  readonly avgLeverage: Ratio;
  readonly totalDeposited: Ratio;
  readonly totalBorrowed: Ratio;
  readonly totalDepositedUsd: Ratio;
  readonly totalBorrowedUsd: Ratio;
};

type LeverageTag = 'Multiply' | 'Leverage';

export type LeverageTable = {
  readonly rows: readonly LeverageRow[];
  /** Number of loans that cannot be evaluated: malformed, or newer than their indexed reserves. */
  readonly omitted: number;
  /** The first 20 of them. */
  readonly omissions: readonly Omission[];
};

const LISTED_OMISSIONS = 20;

/** Fixed-rate loans belong to the same kind. */
const tagNames: ReadonlyMap<bigint, LeverageTag> = new Map([
  [BigInt(OBLIGATION_TAGS.multiply), 'Multiply'],
  [BigInt(OBLIGATION_TAGS.multiplyFixedRate), 'Multiply'],
  [BigInt(OBLIGATION_TAGS.leverage), 'Leverage'],
  [BigInt(OBLIGATION_TAGS.leverageFixedRate), 'Leverage'],
]);

/** The precision of the mean: more than the 40 digits that are shown. */
const MEAN_BITS = 192n;

type Sums = {
  readonly deposit: ReserveSnapshot;
  readonly borrow: ReserveSnapshot;
  readonly tag: LeverageTag;
  obligations: number;
  leverage: bigint;
  deposited: bigint;
  borrowed: bigint;
  depositedUsd: bigint;
  borrowedUsd: bigint;
};

/**
 * Considers loans with exactly one deposit and one debt. Sorted by deposits in USD, largest first.
 */
export function viewLeverage(
  obligations: Iterable<AddressedAccount<ObligationView>>,
  market: MarketSnapshot,
): LeverageTable {
  const pairs = new Map<string, Sums>();
  let omitted = 0;
  const omissions: Omission[] = [];
  for (const { address, fields } of obligations) {
    const tag = tagNames.get(fields.tag);
    if (tag === undefined || !isPair(fields)) continue;
    try {
      addLoan(pairs, { tag, obligation: fields, market });
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      omitted++;
      if (omitted <= LISTED_OMISSIONS) omissions.push({ address, reason: error.message });
    }
  }
  const rows = [...pairs.values()].map(toRow).sort(byDeposits);
  return { rows, omitted, omissions };
}

type Loan = {
  readonly tag: LeverageTag;
  readonly obligation: ObligationView;
  readonly market: MarketSnapshot;
};

function addLoan(pairs: Map<string, Sums>, { tag, obligation, market }: Loan): void {
  const [deposit] = depositPositions(obligation, market);
  const [borrow] = borrowPositions(obligation, market);
  const { leverage } = refreshObligationStats(obligation, market);
  if (deposit === undefined || borrow === undefined) return;
  const sums = sumsOf(pairs, { tag, deposit: deposit.reserve, borrow: borrow.reserve });
  sums.obligations++;
  sums.leverage +=
    leverage === undefined ? 0n : (leverage.numerator << MEAN_BITS) / leverage.denominator;
  sums.deposited += deposit.amount;
  sums.borrowed += borrow.amount;
  sums.depositedUsd += deposit.value;
  sums.borrowedUsd += borrow.value;
}

function sumsOf(pairs: Map<string, Sums>, pair: Pick<Sums, 'tag' | 'deposit' | 'borrow'>): Sums {
  const key = `${pair.tag} ${pair.deposit.address} ${pair.borrow.address}`;
  const found = pairs.get(key);
  if (found !== undefined) return found;
  const sums: Sums = {
    ...pair,
    obligations: 0,
    leverage: 0n,
    deposited: 0n,
    borrowed: 0n,
    depositedUsd: 0n,
    borrowedUsd: 0n,
  };
  pairs.set(key, sums);
  return sums;
}

function isPair({ deposits, borrows }: ObligationView): boolean {
  let positions = 0;
  for (const { depositReserve } of deposits) if (depositReserve !== ZERO_ADDRESS) positions++;
  if (positions !== 1) return false;
  for (const { borrowReserve } of borrows) if (borrowReserve !== ZERO_ADDRESS) positions++;
  return positions === 2;
}

function toRow(sums: Sums): LeverageRow {
  const { deposit, borrow, tag, obligations } = sums;
  return {
    depositReserve: deposit.address,
    borrowReserve: borrow.address,
    tag,
    obligations,
    avgLeverage: { numerator: sums.leverage, denominator: BigInt(obligations) << MEAN_BITS },
    totalDeposited: { numerator: sums.deposited, denominator: deposit.priceDivisor },
    totalBorrowed: { numerator: sums.borrowed, denominator: borrow.priceDivisor },
    totalDepositedUsd: { numerator: sums.depositedUsd, denominator: ONE_SF },
    totalBorrowedUsd: { numerator: sums.borrowedUsd, denominator: ONE_SF },
  };
}

function byDeposits(a: LeverageRow, b: LeverageRow): number {
  const key = (row: LeverageRow) => `${row.depositReserve} ${row.borrowReserve} ${row.tag}`;
  return compareRatios(b.totalDepositedUsd, a.totalDepositedUsd) || (key(a) < key(b) ? -1 : 1);
}
