import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { onEachEngine, type TestDatabase } from '../../support/history/history-engines.ts';
import { dumpContents } from '../../support/history/history-reads.ts';
import { recordSimulation } from '../../support/history/recorded-simulation.ts';

/** On each engine. By `KILLS=25 npx vitest run test/indexer/killed-recording.test.ts` more often than usual. */
const KILLS = Number(process.env['KILLS'] ?? 4);
const PLAN = { seed: 'killed', days: 1 };
/** Parts that are handed over, of which a process writes a random number before it is killed. */
const PARTS = 30;
const PER_KILL_MS = 60_000;

const script = fileURLToPath(
  new URL('../../support/processes/record-simulation.ts', import.meta.url),
);

/** Killed after so many parts and milliseconds; whether it came to its end before. */
async function record({ url, folder }: TestDatabase, parts: number, ms: number): Promise<boolean> {
  const task = JSON.stringify({ url, folder, plan: PLAN });
  const child = spawn(process.execPath, ['--import', 'tsx', script, task], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString();
    if (text.split('written\n').length > parts) setTimeout(() => child.kill('SIGKILL'), ms);
  });
  await once(child, 'exit');
  return text.includes('whole');
}

onEachEngine('a recorder that is killed at random', (engine) => {
  test('leaves the same as one that is not', { timeout: (KILLS + 3) * PER_KILL_MS }, async () => {
    const undisturbed = await engine.fresh();
    const history = await undisturbed.open();
    await recordSimulation(PLAN, history);
    const expected = await dumpContents(history);
    await history.close();
    expect(expected.length).toBeGreaterThan(1_000);

    const disturbed = await engine.fresh();
    for (let kill = 0; kill < KILLS; kill++) {
      const parts = 1 + Math.floor(Math.random() * PARTS);
      await record(disturbed, parts, Math.floor(Math.random() * 40));
    }
    expect(await record(disturbed, Number.POSITIVE_INFINITY, 0)).toBe(true);
    const after = await disturbed.open();
    expect(await dumpContents(after)).toEqual(expected);
    await after.close();
  });
});
