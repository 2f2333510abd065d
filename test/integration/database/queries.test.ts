import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { History } from '#server/history/open-history.ts';
import { readCheckpoint, readGaps } from '#server/history/queries/checkpoints.ts';
import { readEventPage } from '#server/history/queries/event-pages.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { readStates } from '#server/history/queries/position-states.ts';
import { readPointAsOf, readSeries } from '#server/history/queries/time-series.ts';
import { readWalletLoans } from '#server/history/queries/wallet-loans.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import {
  lendingEvent,
  MIDNIGHT,
  obligationState,
  pricePoint,
  uniqueAddress,
  vaultEvent,
} from '../../support/history/history-rows.ts';

onEachEngine('queries', (engine) => {
  test('a long series is returned in chunks, oldest first and within its range', async () => {
    const { db } = await engine.shared();
    const subject = uniqueAddress();
    const points = Array.from({ length: 5_003 }, (_, index) =>
      pricePoint({ subject, at: MIDNIGHT + BigInt(index) * 60n, slot: BigInt(index) }),
    );
    await new HistoryWriter(db).append({ points });
    const reader = createHistoryReader(db);
    const query = { kind: 'price', resolution: 'minute', subject } as const;
    const range = {
      from: toUnixSeconds(MIDNIGHT),
      to: toUnixSeconds(MIDNIGHT + 5_001n * 60n),
    };
    const sizes: number[] = [];
    const prices: bigint[] = [];
    for await (const chunk of readSeries(reader, query, range)) {
      sizes.push(chunk.length);
      prices.push(...chunk.map(({ priceSf }) => priceSf));
    }
    expect(sizes).toEqual([5_000, 1]);
    expect(prices).toEqual(Array.from({ length: 5_001 }, (_, index) => BigInt(index + 1)));
  });

  test('the point as of a time is the last one taken at or before it', async () => {
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
    const unknown = { kind: 'price', resolution: 'day', subject: uniqueAddress() } as const;
    expect(await readPointAsOf(reader, unknown, toUnixSeconds(MIDNIGHT))).toBeUndefined();
  });

  test('pages contain every event of a wallet exactly once, in either order', async () => {
    const { db } = await engine.shared();
    const wallet = uniqueAddress();
    const events = Array.from({ length: 7 }, (_, index) =>
      // two transactions per slot
      lendingEvent(
        { number: 100 + index, at: MIDNIGHT + BigInt(index >> 1), slot: BigInt(index >> 1) },
        { wallet, debtAmount: BigInt(index) },
      ),
    );
    const otherWalletEvent = lendingEvent(
      { number: 120, at: MIDNIGHT, slot: 0n },
      { wallet: uniqueAddress() },
    );
    const secondEvent = { ...events[6], eventIndex: 1, debtAmount: 7n } as (typeof events)[number];
    await new HistoryWriter(db).append({
      lendingEvents: [...events, secondEvent, otherWalletEvent],
    });
    const reader = createHistoryReader(db);
    const pages = async (order: 'oldest first' | 'newest first') => {
      const query = {
        table: 'lendingEvent',
        subject: 'wallet',
        address: wallet,
        order,
        limit: 3,
      } as const;
      const first = await readEventPage(reader, query);
      const read = [first];
      for (let page = first; page.length === 3; read.push(page)) {
        const after = page.at(-1);
        page = await readEventPage(reader, after === undefined ? query : { ...query, after });
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
      subject: 'wallet',
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

  test('the query for events of a wallet uses only the wallet index, even if it filters by kind', async () => {
    const { db } = await engine.shared();
    const wallets = Array.from({ length: 400 }, uniqueAddress);
    const vaultEvents = Array.from({ length: 8_000 }, (_, number) => {
      const where = { number, at: MIDNIGHT + BigInt(number), slot: BigInt(number) };
      return vaultEvent(where, { wallet: wallets[number % 400] ?? null });
    });
    await new HistoryWriter(db).append({ vaultEvents });
    const [address = uniqueAddress()] = wallets;
    const query = {
      table: 'vaultEvent',
      subject: 'wallet',
      address,
      order: 'oldest first',
    } as const;
    const { reader, planOf } = recordQueries(db);
    expect(await readEventPage(reader, { ...query, kinds: [1, 2], limit: 50 })).toHaveLength(20);
    expect(await readEventPage(reader, { ...query, kinds: [2], limit: 50 })).toEqual([]);
    const plan = await planOf('vault_event');
    expect(plan).toContain('vault_event_wallet_at_slot_place_idx');
    expect(plan).not.toContain('vault_event_kind');
  });

  test('the query for loans of a wallet does not scan the table', async () => {
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
    const { reader, planOf } = recordQueries(db);
    const [wallet = uniqueAddress()] = wallets;
    const [loan = []] = await readWalletLoans(reader, wallet, toUnixSeconds(MIDNIGHT + 3n));
    expect(loan.map(({ slot }) => slot)).toEqual([1n, 2n]);
    expect(await planOf('obligation_state')).not.toContain('Seq Scan');
  });

  test('states of a position are returned oldest first and within the range', async () => {
    const { db } = await engine.shared();
    const obligation = uniqueAddress();
    const state = (number: number, slot: bigint) =>
      obligationState({ number, at: MIDNIGHT + slot, slot }, { obligation });
    const closed = { ...state(1, 12n), deflated: null };
    await new HistoryWriter(db).append({
      obligationStates: [state(2, 11n), state(1, 10n), closed],
    });
    const reader = createHistoryReader(db);
    const statesIn = async (from: bigint, to: bigint) => {
      const states = await readStates(
        reader,
        { table: 'obligationState', subject: { obligation } },
        { from: toUnixSeconds(MIDNIGHT + from), to: toUnixSeconds(MIDNIGHT + to) },
      );
      return states.map(({ slot, deflated }) => [slot, deflated && [...deflated]]);
    };
    expect(await statesIn(0n, 10n)).toEqual([]);
    expect(await statesIn(10n, 11n)).toEqual([[10n, [1]]]);
    expect(await statesIn(10n, 12n)).toEqual([
      [10n, [1]],
      [11n, [2]],
    ]);
    expect(await statesIn(12n, 13n)).toEqual([[12n, null]]);
    expect(await statesIn(13n, 99n)).toEqual([]);
  });

  test('a checkpoint moves only in its direction', async () => {
    const { db } = await engine.shared();
    const writer = new HistoryWriter(db);
    const move = async (direction: 'newer' | 'older', slot: bigint) => {
      const name = `checkpoint ${direction}`;
      const checkpoint = { name, direction, slot: toSlot(slot), at: toUnixSeconds(slot * 2n) };
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

  test('a gap can grow but not shrink', async () => {
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

/** A reader that records its queries, and the query plan of the first query of a table. */
function recordQueries(db: History['db']) {
  const queries: string[] = [];
  const recordingDb = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      const { sql: text, parameters } = db.getExecutor().compileQuery(node, queryId);
      queries.push(text.replaceAll(/\$(\d+)/g, (_, index) => `'${parameters[index - 1]}'`));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const planOf = async (table: string): Promise<string> => {
    const text = queries.find((each) => each.includes(table)) ?? '';
    const { rows } = await sql<Record<string, string>>`explain ${sql.raw(text)}`.execute(db);
    return rows.flatMap((row) => Object.values(row)).join('\n');
  };
  return { reader: createHistoryReader(recordingDb), planOf };
}
