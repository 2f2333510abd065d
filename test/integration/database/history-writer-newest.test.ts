import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { readWholeSeries } from '../../support/history/history-reads.ts';
import {
  MIDNIGHT,
  pricePoint,
  ratioOfThree,
  reservePoint,
  U64_MAX,
  U128_MAX,
  uniqueAddress,
  vaultPoint,
} from '../../support/history/history-rows.ts';
import { assertAsyncProperty } from '../../support/properties/assert-property.ts';

const amount = fc.bigInt(0n, U128_MAX);

/** Values for every column type: integers, fractions, null, bytes, addresses and arrays. */
const figures = fc.record({
  config: fc.uint8Array({ minLength: 1, maxLength: 40 }),
  available: fc.bigInt(0n, U64_MAX),
  oraclePriceSf: fc.option(amount),
  sum: fc.bigInt(-(10n ** 30n), 10n ** 30n),
  lent: fc.array(amount, { maxLength: 4 }),
});

onEachEngine('buckets newer than all existing ones', (engine) => {
  test('property: are stored exactly, by a new writer and by one that copies', async () => {
    const history = await engine.shared();
    const known = new HistoryWriter(history.db);
    let minute = 0n;
    const property = fc.asyncProperty(figures, async (given) => {
      const { config, available, oraclePriceSf, sum, lent } = given;
      minute += 1n;
      const at = MIDNIGHT + minute * 60n;
      const [first, next] = [uniqueAddress(), uniqueAddress()];
      const farm = sum > 0n ? uniqueAddress() : null;
      const reserves = lent.map(uniqueAddress);
      const pointsOf = (subject: typeof first) => [
        reservePoint({ subject, at, slot: minute }, { config, available, oraclePriceSf }),
        vaultPoint(
          { subject, at, slot: minute },
          { farm, interestUsd: ratioOfThree(sum), reserves, investedSf: lent },
        ),
      ];
      await new HistoryWriter(history.db).append({ points: pointsOf(first) });
      await known.append({ points: pointsOf(next) });
      for (const kind of ['reserve', 'vault'] as const) {
        for (const resolution of ['minute', 'hour', 'day'] as const) {
          const [a] = await readWholeSeries(history, { kind, resolution, subject: first });
          const [b] = await readWholeSeries(history, { kind, resolution, subject: next });
          const configs = kind === 'reserve' ? { config: expect.any(Number) } : {};
          expect(b).toEqual({ ...a, subject: next, ...configs });
        }
      }
      const query = { kind: 'reserve', resolution: 'minute', subject: next } as const;
      expect(await readWholeSeries(history, query)).toMatchObject([{ available, oraclePriceSf }]);
      const vaults = await readWholeSeries(history, { ...query, kind: 'vault' });
      expect(vaults).toMatchObject([{ farm, reserves, investedSf: lent }]);
    });
    await assertAsyncProperty(property, 12);
  });

  test('may exist already, if another writer wrote them', async () => {
    const history = await engine.shared();
    const subject = uniqueAddress();
    const at = MIDNIGHT + 500n * 86_400n;
    const one = new HistoryWriter(history.db);
    const other = new HistoryWriter(history.db);
    const point = (minute: bigint, slot: bigint) =>
      pricePoint({ subject, at: at + minute * 60n, slot });
    await one.append({ points: [point(0n, 1n)] });
    await other.append({ points: [point(1n, 20n), point(2n, 30n)] });
    await one.append({ points: [point(1n, 10n), point(2n, 40n), point(3n, 50n)] });
    await one.append({ points: [point(4n, 60n)] });
    const rows = await readWholeSeries(history, { kind: 'price', resolution: 'minute', subject });
    expect(rows.map(({ slot }) => slot)).toEqual([1n, 20n, 40n, 50n, 60n]);
  });
});
