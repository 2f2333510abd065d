import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { lendingEventKinds } from '#server/history/event-kinds.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { readExistingSignatures } from '#server/history/queries/transaction-signatures.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { decodeSignature } from '#server/indexer/events/event-rows.ts';
import {
  TransactionRecorder,
  type TransactionRecorderOptions,
} from '#server/indexer/events/transaction-recorder.ts';
import type { FakeTransaction } from '../../support/fakes/fake-ledger.ts';
import { FakeSource } from '../../support/fakes/fake-source.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { onPglite } from '../../support/history/history-engines.ts';
import { pricePoint } from '../../support/history/history-rows.ts';
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

  /** A recorder whose state has reached a slot, and what it is to record. */
  async function createLagging() {
    const history = await (await fresh()).open();
    const simulated = simulatedLedger('events');
    const last = toSlot(simulated.transactions.at(-1)?.slot ?? 0n);
    const at = { slot: last, unix: toUnixSeconds(FIRST_AT) };
    const source = new FakeSource(at, simulated.accounts);
    source.ledger.add(...simulated.transactions);
    const progress = { state: toSlot(last - 1n), now: 0, seen: [] as string[] };
    const recorder = new TransactionRecorder({
      source,
      slotPrices: {
        waitFor: async (slot) => slot <= progress.state,
        at: (slot, samples) =>
          slot <= progress.state ? { ...samples, priceAt: () => sfFromInt(7n) } : samples,
      },
      now: () => progress.now,
      writer: new HistoryWriter(history.db),
      reader: createHistoryReader(history.db),
      ownerIndex: simulated.ownerLookup(),
      onTransactions: (each) => progress.seen.push(...each.map(({ signature }) => signature)),
      log: silentLog,
    });
    const listed = simulated.transactions.map((each) => ({
      signature: each.signature,
      slot: toSlot(each.slot),
      at: toUnixSeconds(each.at),
      failed: false,
    }));
    const record = async () =>
      (await recorder.record(listed)).missing.map(({ signature }) => signature);
    const ofLast = listed.filter(({ slot }) => slot === last).map(({ signature }) => signature);
    return { history, progress, record, last, ofLast };
  }

  test('is waited for while state is behind its slot, for a minute at most', async () => {
    const { history, progress, record, ofLast } = await createLagging();
    const waiting = await record();
    expect(waiting.length).toBeGreaterThan(0);
    expect(ofLast).toEqual(expect.arrayContaining(waiting));
    const stored = async () =>
      (await readExistingSignatures(history.db, waiting.map(decodeSignature))).length;
    expect(await stored()).toBe(0);
    progress.now = 59_000;
    expect(await record(), 'it waits on').toEqual(waiting);
    const passedOn = progress.seen.filter((signature) => waiting.includes(signature));
    expect(passedOn, 'each was passed on once').toEqual(waiting);
    progress.now = 60_000;
    expect(await record(), 'the wait has an end').toEqual([]);
    expect(await stored()).toBe(waiting.length);
    await history.close();
  });

  test('of a transaction that has waited is that of its slot', async () => {
    const { history, progress, record, last } = await createLagging();
    progress.state = toSlot(0n);
    expect((await record()).length).toBeGreaterThan(0);
    progress.state = last;
    expect(await record()).toEqual([]);
    const query = history.db.selectFrom('vault_event').select('price_sf').distinct();
    expect(await query.execute()).toEqual([{ price_sf: String(sfFromInt(7n)) }]);
    await history.close();
  });

  test('is the one that its transaction logged, before that of the last sample', async () => {
    const history = await (await fresh()).open();
    const simulated = simulatedLedger('events');
    const found = simulated.transactions.find(
      (each) => isLoanDeposit(each) && new Set(loggedPrices(each)).size === 1,
    );
    if (found === undefined) throw new Error('no deposit with one price');
    const { signature, at } = found;
    const slot = toSlot(found.slot);
    const source = new FakeSource({ slot, unix: toUnixSeconds(at) }, simulated.accounts);
    source.ledger.add(found);
    const writer = new HistoryWriter(history.db);
    const ownerIndex = simulated.ownerLookup();
    const mints = [...simulated.accounts].flatMap(
      ([address]) => ownerIndex.mintOfReserve(address) ?? [],
    );
    const sampleOf = (subject: Address) =>
      pricePoint({ subject, at, slot }, { priceSf: sfFromInt(7n) });
    await writer.append({ points: mints.map(sampleOf) });
    const reader = createHistoryReader(history.db);
    const recorder = new TransactionRecorder({
      source,
      writer,
      reader,
      ownerIndex,
      log: silentLog,
    });
    await recorder.record([{ signature, slot, at: toUnixSeconds(at), failed: false }]);
    const kind = lendingEventKinds.indexOf('deposit');
    const query = history.db
      .selectFrom('lending_event')
      .select('price_sf')
      .where('kind', '=', kind);
    const [event] = await query.execute();
    const dollars = Number(event?.price_sf) / 2 ** 60;
    expect(dollars.toFixed(4)).toBe(loggedPrices(found)[0]);
    await history.close();
  });
});

const isLoanDeposit = ({ response }: FakeTransaction): boolean =>
  JSON.stringify(response).includes('DepositReserveLiquidityAndObligationCollateral');

const loggedPrices = ({ response }: FakeTransaction): string[] =>
  [...JSON.stringify(response).matchAll(/Token: \S+ Price: (\d+\.\d{4})/g)].map(
    ([, price = '']) => price,
  );
