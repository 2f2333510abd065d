import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { SAMPLER_CHECKPOINT, SAMPLES_SINCE_CHECKPOINT } from '#server/history/checkpoint-names.ts';
import type { History } from '#server/history/open-history.ts';
import { readCheckpoint } from '#server/history/queries/checkpoints.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { dumpRows, readWholeSeries } from '../../support/history/history-reads.ts';
import {
  MIDNIGHT,
  pricePoint,
  reservePoint,
  uniqueAddress,
  vaultPoint,
} from '../../support/history/history-rows.ts';

const HOUR = 3_600n;

/** Two samples in the last hour of a day, the third in the first hour of the next. */
const SAMPLES = [
  { slot: 10n, at: MIDNIGHT - 120n },
  { slot: 20n, at: MIDNIGHT - 60n },
  { slot: 30n, at: MIDNIGHT + 60n },
] as const;

async function record({ db }: History, subject: Address): Promise<HistoryWriter> {
  const writer = new HistoryWriter(db);
  const [first] = SAMPLES;
  const checkpointOf = ({ slot, at }: { slot: bigint; at: bigint }) =>
    ({ slot: toSlot(slot), at: toUnixSeconds(at) }) as const;
  await writer.append({
    checkpoint: { name: SAMPLES_SINCE_CHECKPOINT, direction: 'older', ...checkpointOf(first) },
  });
  for (const sample of SAMPLES) {
    const time = { subject, ...sample };
    await writer.append({
      points: [reservePoint(time, { available: sample.slot }), pricePoint(time), vaultPoint(time)],
      checkpoint: { name: SAMPLER_CHECKPOINT, direction: 'newer', ...checkpointOf(sample) },
    });
  }
  return writer;
}

onEachEngine('slots that are removed', (engine) => {
  test('leave each minute, hour and day with the last sample before them', async () => {
    const history = await (await engine.fresh()).open();
    const subject = uniqueAddress();
    const writer = await record(history, subject);
    await writer.removeAfter(toSlot(15n));
    const read = async (resolution: 'minute' | 'hour' | 'day') =>
      (await readWholeSeries(history, { kind: 'reserve', resolution, subject })).map(
        ({ bucket, slot, available }) => [bucket, slot, available],
      );
    expect(await read('minute')).toEqual([[MIDNIGHT - 180n, 10n, 10n]]);
    expect(await read('hour')).toEqual([[MIDNIGHT - HOUR, 10n, 10n]]);
    expect(await read('day')).toEqual([[MIDNIGHT - 24n * HOUR, 10n, 10n]]);
    const days = await Promise.all(
      (['price', 'vault'] as const).map((kind) =>
        readWholeSeries(history, { kind, resolution: 'day', subject }),
      ),
    );
    expect(days.map((rows) => rows.map(({ slot }) => slot))).toEqual([[10n], [10n]]);
    expect(await readCheckpoint(history.db, SAMPLER_CHECKPOINT)).toEqual({
      slot: 10n,
      unix: MIDNIGHT - 120n,
    });
    expect((await readCheckpoint(history.db, SAMPLES_SINCE_CHECKPOINT))?.slot).toBe(10n);
    await history.close();
  });

  test('take everything with them if nothing was recorded before', async () => {
    const history = await (await engine.fresh()).open();
    const writer = await record(history, uniqueAddress());
    await writer.append({
      obligationStates: [
        {
          obligation: uniqueAddress(),
          slot: toSlot(30n),
          at: toUnixSeconds(MIDNIGHT),
          wallet: uniqueAddress(),
          deflated: null,
        },
      ],
    });
    await writer.removeAfter(toSlot(9n));
    const rows = (await dumpRows(history)).filter((line) => !/^(migration|origin) /.test(line));
    expect(rows).toEqual([]);
    await history.close();
  });

  test('do not concern earlier ones', async () => {
    const history = await (await engine.fresh()).open();
    const writer = await record(history, uniqueAddress());
    const before = await dumpRows(history);
    await writer.removeAfter(toSlot(30n));
    expect(await dumpRows(history)).toEqual(before);
    await history.close();
  });
});
