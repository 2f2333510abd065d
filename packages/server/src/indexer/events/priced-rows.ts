import type { Slot, UnixSeconds } from '@tidegate/core/base';
import type { HistoryEvent, TransactionView } from '@tidegate/core/views/transactions';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import type { SlotPrices } from '../prices/slot-prices.ts';
import { withStoredPrices } from '../prices/stored-prices.ts';
import { transactionPrices } from '../prices/transaction-prices.ts';
import { type EventRows, toEventRows } from './event-rows.ts';
import type { OwnerIndex } from './owner-index.ts';
import { notePriceMisses, type PriceWait } from './price-wait.ts';

/** A transaction with its place in the block and its events. */
export type PricedTransaction = {
  readonly view: TransactionView;
  readonly at: UnixSeconds;
  readonly events: readonly HistoryEvent[];
  readonly transactionIndex: number;
};

type PriceSources = {
  readonly reader: HistoryReader;
  readonly ownerIndex: OwnerIndex;
  readonly slotPrices?: Pick<SlotPrices, 'at' | 'waitFor'>;
  readonly priceWait: PriceWait;
};

/** A node may list a transaction before state has its slot, whose prices the events have. */
const STATE_WAIT_MS = 5_000;

/** The rows of events with their prices. `waiting`: transactions whose prices state will have soon; they have no rows. */
export async function createPricedRows<Transaction extends PricedTransaction>(
  ordered: readonly Transaction[],
  { reader, ownerIndex: owners, slotPrices, priceWait }: PriceSources,
): Promise<{ readonly rows: EventRows; readonly waiting: readonly Transaction[] }> {
  const reached = await reachedSlots(ordered, slotPrices);
  return await withStoredPrices(reader, (samples) => {
    const all = ordered.map((each) => {
      const { events, transactionIndex, at, view } = each;
      const ofSlot = slotPrices?.at(view.slot, samples) ?? samples;
      const noted = notePriceMisses(transactionPrices(view.loggedPrices, ofSlot, owners));
      const rows = toEventRows(events, { transactionIndex, at, owners, prices: noted.prices });
      const isEarly = noted.isMissing() && !reached.has(view.slot);
      return { each, rows, waits: isEarly && priceWait.mayWait(view.signature) };
    });
    const known = all.filter(({ waits }) => !waits).map(({ rows }) => rows);
    return {
      rows: {
        lendingEvents: known.flatMap(({ lendingEvents }) => lendingEvents),
        vaultEvents: known.flatMap(({ vaultEvents }) => vaultEvents),
        farmEvents: known.flatMap(({ farmEvents }) => farmEvents),
      },
      waiting: all.filter(({ waits }) => waits).map(({ each }) => each),
    };
  });
}

/** Slots whose prices state has, if it will have any. Waits a while for the newest one. */
async function reachedSlots(
  ordered: readonly PricedTransaction[],
  slotPrices: PriceSources['slotPrices'],
): Promise<ReadonlySet<Slot>> {
  const slots = [...new Set(ordered.map(({ view }) => view.slot))];
  const newest = slots.at(-1);
  if (slotPrices === undefined || newest === undefined) return new Set(slots);
  if (await slotPrices.waitFor(newest, STATE_WAIT_MS)) return new Set(slots);
  const reached = await Promise.all(slots.map((slot) => slotPrices.waitFor(slot, 0)));
  return new Set(slots.filter((_, index) => reached[index]));
}
