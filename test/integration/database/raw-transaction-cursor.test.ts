import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import type { History } from '#server/history/open-history.ts';
import { RawTransactionCursor } from '#server/history/raw/raw-transaction-cursor.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { assertAsyncProperty } from '../../support/properties/assert-property.ts';

const slot = fc.bigInt({ min: 0n, max: 6n });
const position = fc.record({ slot, place: fc.nat(2) });

type Position = { readonly slot: bigint; readonly place: number };

/** Stores transactions whose JSON is their number, with signatures in the same order. */
async function store({ db }: History, positions: readonly Position[]): Promise<void> {
  await db.deleteFrom('raw_transaction').execute();
  const rows = positions.map(({ slot, place }, number) => ({
    ...{ slot, place, at: 0n },
    signature: Uint8Array.of(number),
    deflated: deflateRawSync(`${number}`),
  }));
  if (rows.length > 0) await db.insertInto('raw_transaction').values(rows).execute();
}

/** The numbers of the transactions up to each slot. */
async function readEach(cursor: RawTransactionCursor, slots: readonly bigint[]) {
  const found: string[][] = [];
  for (const upTo of slots) {
    const numbers: string[] = [];
    for await (const page of cursor.readUpTo(toSlot(upTo))) {
      expect(page).not.toEqual([]);
      numbers.push(...page.map(({ json }) => json));
    }
    found.push(numbers);
  }
  return found;
}

onEachEngine('stored transactions', (engine) => {
  test('property: are read once, in ledger order, up to each slot', async () => {
    const history = await (await engine.fresh()).open();
    const inputs = fc.record({
      positions: fc.array(position, { maxLength: 12 }),
      after: fc.bigInt({ min: -1n, max: 5n }),
      ends: fc.array(slot, { maxLength: 4 }),
      pageSize: fc.integer({ min: 1, max: 4 }),
    });
    await assertAsyncProperty(
      fc.asyncProperty(inputs, async ({ positions, after, ends, pageSize }) => {
        await store(history, positions);
        const slots = [...ends.toSorted((a, b) => Number(a - b)), 9n];
        const ordered = positions
          .map((each, number) => ({ ...each, number }))
          .sort((a, b) => Number(a.slot - b.slot) || a.place - b.place || a.number - b.number);
        const expected = slots.map((end, i) => {
          const start = slots[i - 1] ?? after;
          const isIn = (each: Position) =>
            each.slot > after && each.slot > start && each.slot <= end;
          return ordered.filter(isIn).map(({ number }) => `${number}`);
        });
        const cursor = new RawTransactionCursor(history.db, toSlot(after), pageSize);
        expect(await readEach(cursor, slots)).toEqual(expected);
      }),
      100,
    );
    await history.close();
  });
});
