import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../../../test/support/history/history-engines.ts';
import {
  lendingEvent,
  MIDNIGHT,
  obligationState,
  pricePoint,
  uniqueAddress,
  vaultEvent,
} from '../../../../../test/support/history/history-rows.ts';
import type { History } from '../open-history.ts';
import { HistoryWriter } from '../writing/history-writer.ts';
import { readCheckpoint, readGaps } from './checkpoints.ts';
import { readEventPage } from './event-pages.ts';
import { createHistoryReader } from './history-reader.ts';
import { readStateAsOf, readStates } from './position-states.ts';
import { readPointAsOf, readSeries } from './time-series.ts';
import { readWalletLoans } from './wallet-loans.ts';

onEachEngine('questions', (engine) => {
  test('a long series comes in pieces, oldest first, and within its bounds', async () => {
    const { db } = await engine.shared();
    const subject = uniqueAddress();
    const points = Array.from({ length: 5_003 }, (_, index) =>
      pricePoint({ subject, at: MIDNIGHT + BigInt(index) * 60n, slot: BigInt(index) }),
    );
    await new HistoryWriter(db).append({ points });
    const reader = createHistoryReader(db);
    const ask = { kind: 'price', resolution: 'minute', subject } as const;
    const range = {
      from: toUnixSeconds(MIDNIGHT + 60n),
      to: toUnixSeconds(MIDNIGHT + 5_002n * 60n),
    };
    const sizes: number[] = [];
    const prices: bigint[] = [];
    for await (const piece of readSeries(reader, ask, range)) {
      sizes.push(piece.length);
      prices.push(...piece.map(({ priceSf }) => priceSf));
    }
    expect(sizes).toEqual([5_000, 1]);
    expect(prices).toEqual(Array.from({ length: 5_001 }, (_, index) => BigInt(index + 1)));
  });

  test('the last point is the last that was taken by then', async () => {
    const { db } = await engine.shared();
    const subject = uniqueAddress();
    const at = (seconds: bigint) => pricePoint({ subject, at: MIDNIGHT + seconds, slot: seconds });
    await new HistoryWriter(db).append({ points: [at(50n), at(110n), at(3_700n)] });
    const reader = createHistoryReader(db);
    const lastBy = async (resolution: 'minute' | 'hour', seconds: bigint) => {
      const time = toUnixSeconds(MIDNIGHT + seconds);
      return (await readPointAsOf(reader, { kind: 'price', resolution, subject }, time))?.priceSf;
    };
    expect(await lastBy('minute', 49n)).toBeUndefined();
    expect(await lastBy('minute', 50n)).toBe(50n);
    expect(await lastBy('minute', 109n)).toBe(50n);
    expect(await lastBy('minute', 3_699n)).toBe(110n);
    expect(await lastBy('hour', 109n)).toBeUndefined();
    expect(await lastBy('hour', 4_000n)).toBe(3_700n);
    const stranger = { kind: 'price', resolution: 'day', subject: uniqueAddress() } as const;
    expect(await readPointAsOf(reader, stranger, toUnixSeconds(MIDNIGHT))).toBeUndefined();
  });

  test('events of a wallet come in pages, in either order, each exactly once', async () => {
    const { db } = await engine.shared();
    const wallet = uniqueAddress();
    const events = Array.from({ length: 7 }, (_, index) =>
      // two transactions a slot
      lendingEvent(
        { number: 100 + index, at: MIDNIGHT + BigInt(index >> 1), slot: BigInt(index >> 1) },
        { wallet, debtAmount: BigInt(index) },
      ),
    );
    const foreign = lendingEvent(
      { number: 120, at: MIDNIGHT, slot: 0n },
      { wallet: uniqueAddress() },
    );
    const secondLeg = { ...events[6], leg: 1, debtAmount: 7n } as (typeof events)[number];
    await new HistoryWriter(db).append({ lendingEvents: [...events, secondLeg, foreign] });
    const reader = createHistoryReader(db);
    const pages = async (order: 'oldest first' | 'newest first') => {
      const ask = {
        table: 'lendingEvent',
        of: 'wallet',
        address: wallet,
        order,
        limit: 3,
      } as const;
      const first = await readEventPage(reader, ask);
      const read = [first];
      for (let page = first; page.length === 3; read.push(page)) {
        const after = page.at(-1);
        page = await readEventPage(reader, after === undefined ? ask : { ...ask, after });
      }
      return read.map((page) => page.map(({ debtAmount }) => debtAmount));
    };
    expect(await pages('oldest first')).toEqual([
      [0n, 1n, 2n],
      [3n, 4n, 5n],
      [6n, 7n],
    ]);
    expect(await pages('newest first')).toEqual([
      [7n, 6n, 5n],
      [4n, 3n, 2n],
      [1n, 0n],
    ]);
    const bounded = await readEventPage(reader, {
      table: 'lendingEvent',
      of: 'wallet',
      address: wallet,
      from: toUnixSeconds(MIDNIGHT + 1n),
      to: toUnixSeconds(MIDNIGHT + 3n),
      order: 'oldest first',
      limit: 100,
    });
    expect(bounded.map(({ debtAmount }) => debtAmount)).toEqual([2n, 3n, 4n, 5n]);
    expect(bounded[0]).toEqual({
      ...events[2],
      signature: expect.objectContaining({ 1: 102, 63: 102 }),
      path: expect.objectContaining({ 0: 0, 1: 1 }),
    });
  });

  test('events of a wallet are looked up by the wallet alone, however many are of their kind', async () => {
    const { db } = await engine.shared();
    const wallets = Array.from({ length: 400 }, uniqueAddress);
    const vaultEvents = Array.from({ length: 8_000 }, (_, number) => {
      const where = { number, at: MIDNIGHT + BigInt(number), slot: BigInt(number) };
      return vaultEvent(where, { wallet: wallets[number % 400] ?? null });
    });
    await new HistoryWriter(db).append({ vaultEvents });
    const [address = uniqueAddress()] = wallets;
    const ask = { table: 'vaultEvent', of: 'wallet', address, order: 'oldest first' } as const;
    const { reader, planOf } = watch(db);
    expect(await readEventPage(reader, { ...ask, kinds: [1, 2], limit: 50 })).toHaveLength(20);
    expect(await readEventPage(reader, { ...ask, kinds: [2], limit: 50 })).toEqual([]);
    const plan = await planOf('vault_event');
    expect(plan).toContain('vault_event_wallet_at_slot_place_idx');
    expect(plan).not.toContain('vault_event_kind');
  });

  test('loans of a wallet are looked up, and not looked for among all', async () => {
    const { db } = await engine.shared();
    const wallets = Array.from({ length: 1_000 }, uniqueAddress);
    const obligationStates = wallets.flatMap((wallet) => {
      const state = { wallet, obligation: uniqueAddress(), deflated: null };
      return [1, 2, 3].map((number) => {
        const slot = BigInt(number);
        return obligationState({ number, at: MIDNIGHT + slot, slot }, state);
      });
    });
    await new HistoryWriter(db).append({ obligationStates });
    const { reader, planOf } = watch(db);
    const [wallet = uniqueAddress()] = wallets;
    const [loan = []] = await readWalletLoans(reader, wallet, toUnixSeconds(MIDNIGHT + 3n));
    expect(loan.map(({ slot }) => slot)).toEqual([1n, 2n]);
    expect(await planOf('obligation_state')).not.toContain('Seq Scan');
  });

  test('the state of a position is that after the last event by then', async () => {
    const { db } = await engine.shared();
    const obligation = uniqueAddress();
    const state = (number: number, slot: bigint) =>
      obligationState({ number, at: MIDNIGHT + slot, slot }, { obligation });
    const closed = { ...state(1, 12n), deflated: null };
    await new HistoryWriter(db).append({
      obligationStates: [state(2, 11n), state(1, 10n), closed],
    });
    const reader = createHistoryReader(db);
    const stateAt = async (slot: bigint) => {
      const ask = { table: 'obligationState', of: { obligation } } as const;
      const found = await readStateAsOf(reader, ask, toUnixSeconds(MIDNIGHT + slot));
      return found && (found.deflated === null ? null : [...found.deflated]);
    };
    expect(await stateAt(9n)).toBeUndefined();
    expect(await stateAt(10n)).toEqual([1]);
    expect(await stateAt(11n)).toEqual([2]);
    expect(await stateAt(12n)).toBeNull();
    const between = await readStates(
      reader,
      { table: 'obligationState', of: { obligation } },
      { from: toUnixSeconds(MIDNIGHT + 10n), to: toUnixSeconds(MIDNIGHT + 12n) },
    );
    expect(between.map(({ slot }) => slot)).toEqual([10n, 11n]);
  });

  test('a checkpoint goes on in its direction and never back', async () => {
    const { db } = await engine.shared();
    const writer = new HistoryWriter(db);
    const move = async (towards: 'newer' | 'older', slot: bigint) => {
      const name = `checkpoint ${towards}`;
      const checkpoint = { name, towards, slot: toSlot(slot), at: toUnixSeconds(slot * 2n) };
      await writer.append({ checkpoint });
      return await readCheckpoint(db, name);
    };
    expect(await readCheckpoint(db, 'checkpoint newer')).toBeUndefined();
    expect(await move('newer', 10n)).toEqual({ slot: 10n, unix: 20n });
    expect(await move('newer', 9n)).toEqual({ slot: 10n, unix: 20n });
    expect(await move('newer', 11n)).toEqual({ slot: 11n, unix: 22n });
    expect(await move('older', 10n)).toEqual({ slot: 10n, unix: 20n });
    expect(await move('older', 11n)).toEqual({ slot: 10n, unix: 20n });
    expect(await move('older', 9n)).toEqual({ slot: 9n, unix: 18n });
  });

  test('a gap grows and is told', async () => {
    const { db } = await engine.shared();
    const writer = new HistoryWriter(db);
    const gap = (since: bigint, until: bigint) => ({
      name: 'growing',
      since: toUnixSeconds(since),
      until: toUnixSeconds(until),
    });
    await writer.append({ gaps: [gap(50n, 60n), gap(10n, 20n)] });
    await writer.append({ gaps: [gap(10n, 15n), gap(50n, 70n)] });
    expect(await readGaps(db, 'growing')).toEqual([gap(10n, 20n), gap(50n, 70n)]);
  });
});

/** A reader, and how the database goes about what it asked for first of a table. */
function watch(db: History['db']) {
  const asked: string[] = [];
  const watched = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      const { sql: text, parameters } = db.getExecutor().compileQuery(node, queryId);
      asked.push(text.replaceAll(/\$(\d+)/g, (_, place) => `'${parameters[place - 1]}'`));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const planOf = async (table: string): Promise<string> => {
    const text = asked.find((each) => each.includes(table)) ?? '';
    const { rows } = await sql<Record<string, string>>`explain ${sql.raw(text)}`.execute(db);
    return rows.flatMap((row) => Object.values(row)).join('\n');
  };
  return { reader: createHistoryReader(watched), planOf };
}
