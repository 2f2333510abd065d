import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileCost } from './testing/cost-reporter.ts';

/*
 * CPU time of each test file, the most expensive first: `npm run test:costs [-- FILTER ...]`. Files run one after another
 * with one worker. `TEST_STAGE=system npm run test:costs` measures the files of a stage.
 */
const LISTED = 20;

const { TEST_STAGE = 'quick' } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'tidegate-costs-'));
const costsPath = join(folder, 'costs.json');
try {
  const reporters = ['--reporter=dot', '--reporter=./scripts/testing/cost-reporter.ts'];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...reporters];
  const { status } = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TEST_STAGE, TEST_COSTS: costsPath },
  });
  const costs: readonly FileCost[] = JSON.parse(readFileSync(costsPath, 'utf8'));
  const total = costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  console.log(`\n${costs.length} files, ${total.toFixed(0)} s of CPU time; the most expensive:\n`);
  for (const cost of costs.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds).slice(0, LISTED)) {
    console.log(`${cost.cpuSeconds.toFixed(1).padStart(6)} s  ${cost.file} (${cost.tests} tests)`);
  }
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
