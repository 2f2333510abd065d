import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { readWholeSeries } from '../../support/history/history-reads.ts';
import { MIDNIGHT, pricePoint, uniqueAddress } from '../../support/history/history-rows.ts';
import { assertAsyncProperty } from '../../support/properties/assert-property.ts';

const sizes = { minute: 60n, hour: 3_600n, day: 86_400n } as const;
const resolution = fc.constantFrom('minute', 'hour', 'day');

/** Snapshots of two and a half days in any order, some close together, with unique slots. */
const snapshots = fc.uniqueArray(
  fc.record({
    at: fc.oneof(fc.bigInt(0n, 216_000n), fc.bigInt(3_500n, 3_700n)).map((at) => MIDNIGHT + at),
    slot: fc.bigInt(0n, 10_000n),
    resolution,
  }),
  { selector: ({ slot }) => slot, minLength: 1, maxLength: 40 },
);

const countsFor = { minute: ['minute'], hour: ['minute', 'hour'], day: ['minute', 'hour', 'day'] };

onEachEngine('roll-up', (engine) => {
  test('property: a bucket contains its snapshot with the highest slot', async () => {
    const history = await engine.shared();
    const writer = new HistoryWriter(history.db);
    const property = fc.asyncProperty(
      snapshots,
      fc.integer({ min: 1, max: 40 }),
      async (input, batchSize) => {
        const subject = uniqueAddress();
        const points = input.map((snapshot) =>
          pricePoint({ subject, ...snapshot }, { resolution: snapshot.resolution }),
        );
        for (let start = 0; start < points.length; start += batchSize) {
          await writer.append({ points: points.slice(start, start + batchSize) });
        }
        for (const selected of ['minute', 'hour', 'day'] as const) {
          const counting = input.filter((one) => countsFor[selected].includes(one.resolution));
          // a bucket contains its end, not its start
          const bucketOf = (at: bigint) => (at - 1n) / sizes[selected];
          const buckets = new Set(counting.map(({ at }) => bucketOf(at)));
          const expected = [...buckets].sort().map((bucket) => {
            const inside = counting.filter(({ at }) => bucketOf(at) === bucket);
            const slots = inside.map(({ slot }) => slot).sort((a, b) => Number(b - a));
            return { bucket: bucket * sizes[selected], slot: slots[0] };
          });
          const rows = await readWholeSeries(history, {
            kind: 'price',
            resolution: selected,
            subject,
          });
          expect(rows.map(({ bucket, slot }) => ({ bucket, slot }))).toEqual(expected);
        }
      },
    );
    await assertAsyncProperty(property, 8);
  });
});
