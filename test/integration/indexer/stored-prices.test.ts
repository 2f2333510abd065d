import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { withStoredPrices } from '#server/indexer/prices/stored-prices.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import {
  MIDNIGHT,
  pricePoint,
  uniqueAddress,
  vaultPoint,
} from '../../support/history/history-rows.ts';

onEachEngine('stored prices', (engine) => {
  const readPrices = async (subject: Address, ats: readonly bigint[]) => {
    const { db } = await engine.shared();
    return await withStoredPrices(createHistoryReader(db), (prices) =>
      ats.map((at) => prices.priceAt(subject, toUnixSeconds(MIDNIGHT + at))),
    );
  };

  test('a price is that of the newest minute or hour sample', async () => {
    const subject = uniqueAddress();
    const hourly = { resolution: 'hour' } as const;
    const { db } = await engine.shared();
    await new HistoryWriter(db).append({
      points: [
        pricePoint({ subject, at: MIDNIGHT + 30n, slot: 1n }, hourly),
        pricePoint({ subject, at: MIDNIGHT + 3_601n, slot: 2n }),
        pricePoint({ subject, at: MIDNIGHT + 3_670n, slot: 3n }),
        pricePoint({ subject, at: MIDNIGHT + 10_000n, slot: 4n }, hourly),
      ],
    });
    expect(
      await readPrices(subject, [29n, 30n, 3_600n, 3_601n, 3_669n, 3_670n, 9_999n, 10_000n]),
    ).toEqual([undefined, 1n, 1n, 2n, 2n, 3n, 3n, 4n]);
  });

  test('a token that was never sampled has no price', async () => {
    expect(await readPrices(uniqueAddress(), [0n])).toEqual([undefined]);
  });

  test('a vault sample determines the share price', async () => {
    const { db } = await engine.shared();
    const subject = uniqueAddress();
    const sample = { aumSf: 5n << 60n, sharesIssued: 4n };
    await new HistoryWriter(db).append({
      points: [vaultPoint({ subject, at: MIDNIGHT, slot: 1n }, sample)],
    });
    const rate = await withStoredPrices(createHistoryReader(db), (prices) =>
      prices.tokensPerShareAt(subject, toUnixSeconds(MIDNIGHT + 59n)),
    );
    expect((rate?.numerator ?? 0n) * 4n).toBe((rate?.denominator ?? 0n) * 5n);
  });
});
