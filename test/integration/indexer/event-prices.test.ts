import { expect, test } from 'vitest';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import {
  TransactionRecorder,
  type TransactionRecorderOptions,
} from '#server/indexer/events/transaction-recorder.ts';
import { FakeSource } from '../../support/fakes/fake-source.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { onPglite } from '../../support/history/history-engines.ts';
import { FIRST_AT, simulatedLedger } from '../../support/history/simulated-ledger.ts';

onPglite('the price of an event', ({ fresh }) => {
  test('is that of its slot, also if the transaction is listed before state has the slot', async () => {
    const history = await (await fresh()).open();
    const simulated = simulatedLedger('events');
    const last = toSlot(simulated.transactions.at(-1)?.slot ?? 0n);
    const source = new FakeSource(
      { slot: last, unix: toUnixSeconds(FIRST_AT) },
      simulated.accounts,
    );
    source.ledger.add(...simulated.transactions);
    let reached = toSlot(0n);
    const slotPrices: TransactionRecorderOptions['slotPrices'] = {
      async waitFor(slot) {
        reached = slot;
        return true;
      },
      at: (slot, samples) =>
        slot <= reached ? { ...samples, priceAt: () => sfFromInt(7n) } : samples,
    };
    const recorder = new TransactionRecorder({
      source,
      slotPrices,
      writer: new HistoryWriter(history.db),
      reader: createHistoryReader(history.db),
      ownerIndex: simulated.ownerLookup(),
      log: silentLog,
    });
    const recorded = recorder.record(
      simulated.transactions.map(({ signature, slot, at }) => ({
        signature,
        slot: toSlot(slot),
        at: toUnixSeconds(at),
        failed: false,
      })),
    );
    expect((await recorded).missing).toEqual([]);
    const query = history.db.selectFrom('vault_event').select('price_sf').distinct();
    expect(await query.execute()).toEqual([{ price_sf: String(sfFromInt(7n)) }]);
    await history.close();
  });
});
