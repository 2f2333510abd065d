import {
  type Address,
  type Ratio,
  ratioOfSf,
  type Slot,
  sfFromBits,
  ZERO_RATIO,
} from '@tidegate/core/base';
import type { LoanEvent, LoanLeg } from '@tidegate/core/views/lending';
import { pastCollateralWorth } from '@tidegate/core/views/series';
import { lendingKinds } from '@tidegate/core/views/transactions';
import { type EventsAsk, readEvents } from '../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readReserveAt } from '../../history/queries/reserve-snapshots.ts';
import type { EventRow } from '../../history/schema/event-tables.ts';

export type LendingRow = EventRow<'lendingEvent'>;

const PAGE = 5_000;

/** All of them, oldest first. */
export async function readAllLendingEvents(
  history: HistoryReader,
  ask: Pick<EventsAsk<'lendingEvent'>, 'of' | 'address' | 'from' | 'to'>,
): Promise<readonly LendingRow[]> {
  const all: LendingRow[] = [];
  let page: readonly LendingRow[];
  do {
    const after = all.at(-1);
    page = await readEvents(history, {
      ...ask,
      table: 'lendingEvent',
      order: 'oldest first',
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    all.push(...page);
  } while (page.length === PAGE);
  return all;
}

type FlowKind = 'deposit' | 'withdraw' | 'borrow' | 'repay';

/** What each kind is to the loan; the other sides of the same acts are left out. */
const flowKinds: Readonly<Partial<Record<(typeof lendingKinds)[number], FlowKind>>> = {
  deposit: 'deposit',
  depositObligationCollateral: 'deposit',
  withdraw: 'withdraw',
  withdrawObligationCollateral: 'withdraw',
  liquidationWithdraw: 'withdraw',
  borrow: 'borrow',
  repay: 'repay',
  liquidationRepay: 'repay',
};

export type LoanTerms = {
  readonly history: HistoryReader;
  decimalsOf(reserve: Address): bigint | undefined;
  /** Slots at whose end the loan had neither deposit nor debt. */
  readonly emptySlots: readonly Slot[];
};

/** What moved into or out of a loan. */
export type LoanFlow = {
  readonly row: LendingRow;
  readonly name: (typeof lendingKinds)[number];
  readonly kind: FlowKind;
  readonly leg: LoanLeg;
};

export async function loanFlows(
  rows: readonly LendingRow[],
  terms: Pick<LoanTerms, 'history' | 'decimalsOf'>,
): Promise<readonly LoanFlow[]> {
  const flows: LoanFlow[] = [];
  for (const row of rows) {
    const name = lendingKinds[row.kind];
    const kind = name && flowKinds[name];
    if (name === undefined || kind === undefined) continue;
    const leg = await legOf(row, terms);
    if (leg !== undefined) flows.push({ row, name, kind, leg });
  }
  return flows;
}

/** Rows ascend. Without prices of their time they are worth nothing, which is all that is known of them. */
export async function loanEvents(
  rows: readonly LendingRow[],
  terms: LoanTerms,
): Promise<readonly LoanEvent[]> {
  const flows = await loanFlows(rows, terms);
  const emptiedBy = new Set(
    terms.emptySlots.map((slot) => flows.findLastIndex(({ row }) => row.slot <= slot)),
  );
  return flows.map(({ kind, leg }, i) => ({ kind, leg, leavesEmpty: emptiedBy.has(i) }));
}

async function legOf(
  row: LendingRow,
  terms: Pick<LoanTerms, 'history' | 'decimalsOf'>,
): Promise<LoanLeg | undefined> {
  const { reserve, priceSf, solPriceSf, stakeRate } = row;
  const decimals = reserve === null ? undefined : terms.decimalsOf(reserve);
  const amount = await amountOf(row, terms.history);
  if (decimals === undefined || amount === undefined) return undefined;
  return {
    amount,
    decimals,
    price: priceOf(priceSf),
    solPrice: priceOf(solPriceSf),
    stakeRate: stakeRate ?? undefined,
  };
}

const priceOf = (priceSf: bigint | null): Ratio =>
  priceSf === null ? ZERO_RATIO : ratioOfSf(sfFromBits(priceSf));

/** In the reserve's token: what moved, or what the cTokens that moved were worth. */
async function amountOf(row: LendingRow, history: HistoryReader): Promise<bigint | undefined> {
  const { liquidityAmount, collateralAmount, redeemedAmount } = row;
  if (collateralAmount === null) return liquidityAmount ?? undefined;
  if (redeemedAmount === null && liquidityAmount !== null) return liquidityAmount;
  // a liquidator may redeem a part only: the rest is worth as much by piece
  if (liquidityAmount !== null && redeemedAmount !== null && redeemedAmount > 0n) {
    return (liquidityAmount * collateralAmount) / redeemedAmount;
  }
  const then = row.reserve === null ? undefined : await readReserveAt(history, row.reserve, row.at);
  return then && pastCollateralWorth(then, collateralAmount);
}
