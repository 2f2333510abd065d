import { type Address, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../../../test/support/history/history-engines.ts';
import {
  MIDNIGHT,
  pricePoint,
  uniqueAddress,
  vaultPoint,
} from '../../../../../test/support/history/history-rows.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { withStoredPrices } from './stored-prices.ts';

onEachEngine('prices out of history', (engine) => {
  const asked = async (subject: Address, ats: readonly bigint[]) => {
    const { db } = await engine.shared();
    return await withStoredPrices(createHistoryReader(db), (prices) =>
      ats.map((at) => prices.priceAt(subject, toUnixSeconds(MIDNIGHT + at))),
    );
  };

  test('the newest sample counts, be it of a minute or of an hour', async () => {
    const subject = uniqueAddress();
    const hourly = { resolution: 'hour' } as const;
    const { db } = await engine.shared();
    await new HistoryWriter(db).append({
      points: [
        pricePoint({ subject, at: MIDNIGHT + 30n, slot: 1n }, hourly),
        pricePoint({ subject, at: MIDNIGHT + 3_600n, slot: 2n }),
        pricePoint({ subject, at: MIDNIGHT + 3_670n, slot: 3n }),
        pricePoint({ subject, at: MIDNIGHT + 10_000n, slot: 4n }, hourly),
      ],
    });
    expect(
      await asked(subject, [29n, 30n, 3_599n, 3_600n, 3_669n, 3_670n, 9_999n, 10_000n]),
    ).toEqual([undefined, 1n, 1n, 2n, 2n, 3n, 3n, 4n]);
  });

  test('of what was never sampled there is no price', async () => {
    expect(await asked(uniqueAddress(), [0n])).toEqual([undefined]);
  });

  test('vaults tell what their shares were worth', async () => {
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
