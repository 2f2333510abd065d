import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StageResult } from './run-stage.ts';

export type BackgroundStages = {
  /** Waits for their end, prints their output and returns their results, up to the first that failed. */
  finish(): Promise<readonly StageResult[]>;
};

/** Runs stages, one after another, beside others. */
export function startStages(names: readonly string[], seed: number): BackgroundStages {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-stage-'));
  const resultPath = join(folder, 'result.json');
  const outputPath = join(folder, 'output');
  const output = openSync(outputPath, 'w');
  const args = ['--import', 'tsx', 'scripts/run-tests.ts', '--all', ...names];
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
      const results = existsSync(resultPath) ? readResults(resultPath) : [];
      rmSync(folder, { recursive: true, force: true });
      return results.length > 0 ? results : [{ ...NOTHING, name: names.join(', ') }];
    },
  };
}

const readResults = (path: string): StageResult[] => JSON.parse(readFileSync(path, 'utf8'));

/** The result of stages that ended without one. */
const NOTHING: Omit<StageResult, 'name'> = {
  isPassed: false,
  seconds: 0,
  cpuSeconds: 0,
  passed: 0,
  failed: 0,
  skipped: 0,
  failures: [],
  properties: [],
  messages: ['The stages ended without a result.'],
};
