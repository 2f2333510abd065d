import { type Address, type Ratio, type Slot, ZERO_RATIO } from '@tidegate/core/base';
import type { RulesAt } from '@tidegate/core/protocol/releases';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import {
  type CollateralEvent,
  findEmptyingEvents,
  type LoanEvent,
  type PricedAmount,
} from '@tidegate/core/views/lending';
import { historicalCollateralWorth, samplePrice } from '@tidegate/core/views/series';
import { lendingEventKinds } from '../../history/event-kinds.ts';
import { type EventsQuery, readEventPage } from '../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readReserveAsOf } from '../../history/queries/reserve-snapshots.ts';
import type { EventRow } from '../../history/schema/event-tables.ts';
import { createHistoricalPriceLookup } from '../history/historical-price-lookup.ts';

export type LendingEventRow = EventRow<'lendingEvent'>;

const PAGE_SIZE = 5_000;

/** Oldest first. */
export async function readAllLendingEvents(
  history: HistoryReader,
  query: Pick<EventsQuery<'lendingEvent'>, 'subject' | 'address' | 'from' | 'to'>,
): Promise<readonly LendingEventRow[]> {
  const all: LendingEventRow[] = [];
  let page: readonly LendingEventRow[];
  do {
    const after = all.at(-1);
    page = await readEventPage(history, {
      ...query,
      table: 'lendingEvent',
      order: 'oldest first',
      limit: PAGE_SIZE,
      ...(after === undefined ? {} : { after }),
    });
    all.push(...page);
  } while (page.length === PAGE_SIZE);
  return all;
}

type FlowKind = 'deposit' | 'withdraw' | 'borrow' | 'repay';

/** Effect of each event kind on the loan. Other kinds are the counterparts of the same actions. */
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
  readonly rulesAt: RulesAt;
  /** Slots after which the recorded states of the loan have neither deposits nor debts. */
  readonly emptySlots: readonly Slot[];
};

type AmountContext = Omit<LoanEventContext, 'emptySlots'>;

/** A token movement into or out of a loan. */
export type LoanFlow = {
  readonly row: LendingEventRow;
  readonly name: (typeof lendingEventKinds)[number];
  readonly kind: FlowKind;
  readonly amounts: PricedAmount;
};

export async function readLoanFlows(
  rows: readonly LendingEventRow[],
  context: AmountContext,
): Promise<readonly LoanFlow[]> {
  const flows: LoanFlow[] = [];
  for (const row of rows) {
    const name = lendingEventKinds[row.kind];
    const kind = name && flowKinds[name];
    if (name === undefined || kind === undefined) continue;
    const amounts = await pricedAmountOf(row, context);
    if (amounts !== undefined) flows.push({ row, name, kind, amounts });
  }
  return flows;
}

/** An event of a loan, and whether the prices that it needs are recorded. */
export type RecordedLoanEvent = LoanEvent & {
  readonly row: LendingEventRow;
  readonly isPriced: boolean;
};

/** Rows must be oldest first, and contain all events of the loan. */
export async function readLoanEvents(
  rows: readonly LendingEventRow[],
  context: LoanEventContext,
): Promise<readonly RecordedLoanEvent[]> {
  const flows = await readLoanFlows(rows, context);
  const emptied = findEmptiedFlows(rows, flows, context.emptySlots);
  return flows.map((flow, i) => {
    const { row, name, kind, amounts } = flow;
    const leavesEmpty = emptied.has(i);
    if (isLiquidation(name)) return { row, kind: 'liquidate', leavesEmpty, isPriced: true };
    const isPriced = amounts.price.numerator > 0n && amounts.solPrice.numerator > 0n;
    return { row, kind, moved: amounts, leavesEmpty, isPriced };
  });
}

/**
 * Indexes of the flows that left the loan empty. Events tell it exactly; the states of a slot also know of a debt that
 * was forgiven.
 */
function findEmptiedFlows(
  rows: readonly LendingEventRow[],
  flows: readonly LoanFlow[],
  emptySlots: readonly Slot[],
): ReadonlySet<number> {
  const rowIndexes = new Map(rows.map((row, index) => [row, index]));
  const emptying = [...findEmptyingEvents(rows.map(toCollateralEvent))];
  return new Set([
    ...emptySlots.map((slot) => flows.findLastIndex(({ row }) => row.slot <= slot)),
    ...emptying.map((index) =>
      flows.findLastIndex(({ row }) => (rowIndexes.get(row) ?? 0) <= index),
    ),
  ]);
}

function toCollateralEvent(row: LendingEventRow): CollateralEvent {
  const { slot, transactionIndex, reserve, collateralAmount } = row;
  const name = lendingEventKinds[row.kind];
  return {
    transaction: `${slot} ${transactionIndex}`,
    kind: (name && collateralKinds[name]) ?? 'other',
    reserve: reserve ?? undefined,
    collateral: collateralAmount ?? undefined,
  };
}

const collateralKinds: Readonly<
  Partial<Record<(typeof lendingEventKinds)[number], CollateralEvent['kind']>>
> = {
  initObligation: 'open',
  deposit: 'deposit',
  depositObligationCollateral: 'deposit',
  withdraw: 'withdraw',
  withdrawObligationCollateral: 'withdraw',
  liquidationWithdraw: 'seize',
};

/** The liquidator pays and receives, not the owner. */
const isLiquidation = (name: LoanFlow['name']): boolean =>
  name === 'liquidationRepay' || name === 'liquidationWithdraw';

/** Undefined if an amount is not recorded or the reserve is unknown; a price that is not recorded is zero. */
export async function pricedAmountOf(
  row: LendingEventRow,
  context: AmountContext,
): Promise<PricedAmount | undefined> {
  const { reserve, priceSf, solPriceSf, stakeRate } = row;
  const decimals = reserve === null ? undefined : context.decimalsOf(reserve);
  const amount = await amountOf(row, context);
  if (decimals === undefined || amount === undefined) return undefined;
  return {
    amount,
    decimals,
    price: priceSf === null ? await priceOf(row.mint, row, context) : samplePrice(priceSf),
    solPrice:
      solPriceSf === null ? await priceOf(WRAPPED_SOL_MINT, row, context) : samplePrice(solPriceSf),
    stakeRate: stakeRate ?? undefined,
  };
}

/** A price that was imported after the event was recorded; zero if there is none. */
const priceOf = async (
  mint: Address | null,
  { at }: LendingEventRow,
  { history }: Pick<LoanEventContext, 'history'>,
): Promise<Ratio> =>
  mint === null ? ZERO_RATIO : await createHistoricalPriceLookup(history).priceAt(mint, at);

/** Amount in the reserve's token: as moved, or the value of the moved cTokens. */
async function amountOf(
  row: LendingEventRow,
  { history, rulesAt }: AmountContext,
): Promise<bigint | undefined> {
  const { liquidityAmount, collateralAmount, redeemedAmount } = row;
  if (collateralAmount === null) return liquidityAmount ?? undefined;
  if (redeemedAmount === null && liquidityAmount !== null) return liquidityAmount;
  // A liquidator may redeem only a part; the rest has the same exchange rate.
  if (liquidityAmount !== null && redeemedAmount !== null && redeemedAmount > 0n) {
    return (liquidityAmount * collateralAmount) / redeemedAmount;
  }
  const reserve =
    row.reserve === null ? undefined : await readReserveAsOf(history, row.reserve, row.at);
  return reserve && historicalCollateralWorth(reserve, collateralAmount, rulesAt(row.slot).lending);
}
