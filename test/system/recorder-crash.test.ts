import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import {
  onEachEngine,
  type SeparateDatabase,
  type TestEngine,
} from '../support/history/history-engines.ts';
import { dumpContents } from '../support/history/history-reads.ts';
import { storedStepsPath } from '../support/localnet/simulated-steps.ts';
import { bundleScript } from '../support/processes/bundle-script.ts';
import { FAST_START } from '../support/processes/program-path.ts';

/** Kills per engine. For more: `KILLS=25 npx vitest run test/system/recorder-crash.test.ts`. */
const KILLS = Number(process.env['KILLS'] ?? 2);
const PLAN = { seed: 'tidegate', days: 1 };
/** Batches of the simulation. A process writes a random number of them before it is killed. */
const BATCHES = 13;
const PER_KILL_MS = 100_000;

const script = await bundleScript('record-steps.js');
const stepsFile = await storedStepsPath(PLAN);

/** Kills the process after some batches and milliseconds. Returns whether it completed before. */
async function record(
  { url, folder }: SeparateDatabase,
  batches: number,
  ms: number,
): Promise<boolean> {
  const task = JSON.stringify({ url, folder, stepsFile, ...PLAN });
  const child = spawn(process.execPath, [FAST_START, script, task], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString();
    if (text.split('written\n').length > batches) setTimeout(() => child.kill('SIGKILL'), ms);
  });
  await once(child, 'exit');
  return text.includes('complete');
}

type Contents = Awaited<ReturnType<typeof dumpContents>>;

/** The contents are the same on every engine, so the first engine records them for all. */
let undisturbed: Promise<Contents> | undefined;

async function recordUndisturbed(engine: TestEngine): Promise<Contents> {
  const database = await engine.separate();
  expect(await record(database, Number.POSITIVE_INFINITY, 0)).toBe(true);
  const history = await database.open();
  const contents = await dumpContents(history);
  await history.close();
  return contents;
}

onEachEngine('a recorder that is killed at random', (engine) => {
  test('writes the same rows as one that is not', {
    timeout: (KILLS + 3) * PER_KILL_MS,
  }, async () => {
    undisturbed ??= recordUndisturbed(engine);
    const expected = await undisturbed;
    expect(expected.length).toBeGreaterThan(1_000);

    const disturbed = await engine.separate();
    for (let kill = 0; kill < KILLS; kill++) {
      const batches = 1 + Math.floor(Math.random() * BATCHES);
      await record(disturbed, batches, Math.floor(Math.random() * 40));
    }
    expect(await record(disturbed, Number.POSITIVE_INFINITY, 0)).toBe(true);
    const after = await disturbed.open();
    expect(await dumpContents(after)).toEqual(expected);
    await after.close();
  });
});
