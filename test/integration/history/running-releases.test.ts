import { expect, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import type { RunningRelease } from '#core/protocol/releases/release-overlay.ts';
import {
  readRunningReleases,
  storeRunningReleases,
} from '#server/history/releases/running-releases.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';

const release = (version: string, from: bigint): RunningRelease => ({
  program: 'klend',
  version,
  from: toSlot(from),
});

const [OLD, NEW] = [release('1.24', 0n), release('1.25', 501n)];
const VAULTS: RunningRelease = { program: 'kvault', version: '2.3.0', from: toSlot(7n) };

onEachEngine('running releases', ({ fresh }) => {
  test('are stored once, with those before them', async () => {
    const { db, close } = await (await fresh()).open();
    await storeRunningReleases(db, [OLD, VAULTS]);
    await storeRunningReleases(db, [VAULTS]);
    // a process that could not read the earlier ones
    await storeRunningReleases(db, [NEW]);
    expect(await readRunningReleases(db)).toEqual([OLD, VAULTS, NEW]);
    await close();
  });

  test('a release that was rolled back is removed, and those of other programs stay', async () => {
    const { db, close } = await (await fresh()).open();
    await storeRunningReleases(db, [OLD, VAULTS, NEW]);
    await storeRunningReleases(db, [OLD]);
    expect(await readRunningReleases(db)).toEqual([OLD, VAULTS]);
    await close();
  });
});
