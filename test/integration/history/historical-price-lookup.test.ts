import { expect, test } from 'vitest';
import { toUnixSeconds } from '#core/base/time.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { createHistoricalPriceLookup } from '#server/support/history/historical-price-lookup.ts';
import { onPglite } from '../../support/history/history-engines.ts';
import {
  MIDNIGHT,
  pricePoint,
  uniqueAddress,
  vaultPoint,
} from '../../support/history/history-rows.ts';

const HOUR = 3_600n;
const hourly = { resolution: 'hour' } as const;

onPglite('historical prices', (engine) => {
  test('an imported hour takes precedence over an earlier minute', async () => {
    const { db } = await engine.shared();
    const subject = uniqueAddress();
    const at = (seconds: bigint, slot: bigint) => ({ subject, at: MIDNIGHT + seconds, slot });
    const price = (value: bigint) => ({ priceSf: value << 60n });
    const shares = (value: bigint) => ({ sharesIssued: value });
    await new HistoryWriter(db).append({
      points: [
        pricePoint(at(30n, 1n), price(1n)),
        pricePoint(at(2n * HOUR, 2n), { ...hourly, ...price(2n) }),
        vaultPoint(at(30n, 1n), shares(1n)),
        vaultPoint(at(2n * HOUR, 2n), { ...hourly, ...shares(2n) }),
      ],
    });
    const prices = createHistoricalPriceLookup(createHistoryReader(db));
    const found: (readonly [bigint, bigint | undefined])[] = [];
    for (const seconds of [29n, 30n, 2n * HOUR - 1n, 2n * HOUR, 3n * HOUR]) {
      const when = toUnixSeconds(MIDNIGHT + seconds);
      const { numerator, denominator } = await prices.priceAt(subject, when);
      const row = await prices.sharesAt(subject, when);
      found.push([numerator / denominator, row?.sharesIssued]);
    }
    expect(found).toEqual([
      [0n, undefined],
      [1n, 1n],
      [1n, 1n],
      [2n, 2n],
      [2n, 2n],
    ]);
  });
});
