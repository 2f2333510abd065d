import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StageResult } from './run-stage.ts';

export type BackgroundStage = {
  /** Waits for its end, prints its output and returns its result. */
  finish(): Promise<StageResult>;
};

/** Runs a stage beside others: one that mostly waits. */
export function startStage(name: string, seed: number): BackgroundStage {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-stage-'));
  const resultPath = join(folder, 'result.json');
  const outputPath = join(folder, 'output');
  const output = openSync(outputPath, 'w');
  const args = ['--import', 'tsx', 'scripts/run-tests.ts', '--all', name];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', output, output],
    env: { ...process.env, TEST_SEED: `${seed}`, TEST_RESULT: resultPath },
  });
  const ended = once(child, 'close');
  closeSync(output);
  return {
    finish: async () => {
      await ended;
      process.stdout.write(readFileSync(outputPath));
      const [result] = existsSync(resultPath) ? readResults(resultPath) : [];
      rmSync(folder, { recursive: true, force: true });
      return result ?? { ...NOTHING, name };
    },
  };
}

const readResults = (path: string): StageResult[] => JSON.parse(readFileSync(path, 'utf8'));

/** The result of a stage that ended without one. */
const NOTHING: Omit<StageResult, 'name'> = {
  isPassed: false,
  seconds: 0,
  cpuSeconds: 0,
  passed: 0,
  failed: 0,
  skipped: 0,
  failures: [],
  properties: [],
  messages: ['The stage ended without a result.'],
};
