import {
  type Address,
  type Ratio,
  ratioOfSf,
  type Slot,
  sfFromBits,
  ZERO_RATIO,
} from '@tidegate/core/base';
import type { LoanEvent, PricedAmount } from '@tidegate/core/views/lending';
import { historicalCollateralWorth } from '@tidegate/core/views/series';
import { lendingEventKinds } from '../../history/event-kinds.ts';
import { type EventsQuery, readEventPage } from '../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readReserveAsOf } from '../../history/queries/reserve-snapshots.ts';
import type { EventRow } from '../../history/schema/event-tables.ts';

export type LendingEventRow = EventRow<'lendingEvent'>;

const PAGE = 5_000;

/** All of them, oldest first. */
export async function readAllLendingEvents(
  history: HistoryReader,
  ask: Pick<EventsQuery<'lendingEvent'>, 'subject' | 'address' | 'from' | 'to'>,
): Promise<readonly LendingEventRow[]> {
  const all: LendingEventRow[] = [];
  let page: readonly LendingEventRow[];
  do {
    const after = all.at(-1);
    page = await readEventPage(history, {
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
const flowKinds: Readonly<Partial<Record<(typeof lendingEventKinds)[number], FlowKind>>> = {
  deposit: 'deposit',
  depositObligationCollateral: 'deposit',
  withdraw: 'withdraw',
  withdrawObligationCollateral: 'withdraw',
  liquidationWithdraw: 'withdraw',
  borrow: 'borrow',
  repay: 'repay',
  liquidationRepay: 'repay',
};

export type LoanEventContext = {
  readonly history: HistoryReader;
  decimalsOf(reserve: Address): bigint | undefined;
  /** Slots at whose end the loan had neither deposit nor debt. */
  readonly emptySlots: readonly Slot[];
};

/** What moved into or out of a loan. */
export type LoanFlow = {
  readonly row: LendingEventRow;
  readonly name: (typeof lendingEventKinds)[number];
  readonly kind: FlowKind;
  readonly amounts: PricedAmount;
};

export async function readLoanFlows(
  rows: readonly LendingEventRow[],
  terms: Pick<LoanEventContext, 'history' | 'decimalsOf'>,
): Promise<readonly LoanFlow[]> {
  const flows: LoanFlow[] = [];
  for (const row of rows) {
    const name = lendingEventKinds[row.kind];
    const kind = name && flowKinds[name];
    if (name === undefined || kind === undefined) continue;
    const amounts = await legOf(row, terms);
    if (amounts !== undefined) flows.push({ row, name, kind, amounts });
  }
  return flows;
}

/** Rows ascend. Without prices of their time they are worth nothing, which is all that is known of them. */
export async function readLoanEvents(
  rows: readonly LendingEventRow[],
  terms: LoanEventContext,
): Promise<readonly LoanEvent[]> {
  const flows = await readLoanFlows(rows, terms);
  const emptiedBy = new Set(
    terms.emptySlots.map((slot) => flows.findLastIndex(({ row }) => row.slot <= slot)),
  );
  return flows.map(({ kind, amounts }, i) => ({ kind, leg: amounts, leavesEmpty: emptiedBy.has(i) }));
}

async function legOf(
  row: LendingEventRow,
  terms: Pick<LoanEventContext, 'history' | 'decimalsOf'>,
): Promise<PricedAmount | undefined> {
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
async function amountOf(row: LendingEventRow, history: HistoryReader): Promise<bigint | undefined> {
  const { liquidityAmount, collateralAmount, redeemedAmount } = row;
  if (collateralAmount === null) return liquidityAmount ?? undefined;
  if (redeemedAmount === null && liquidityAmount !== null) return liquidityAmount;
  // a liquidator may redeem a part only: the rest is worth as much by piece
  if (liquidityAmount !== null && redeemedAmount !== null && redeemedAmount > 0n) {
    return (liquidityAmount * collateralAmount) / redeemedAmount;
  }
  const then =
    row.reserve === null ? undefined : await readReserveAsOf(history, row.reserve, row.at);
  return then && historicalCollateralWorth(then, collateralAmount);
}
