import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childCpuSeconds } from './child-cpu.ts';
import type { TestStage } from './stages.ts';
import {
  argumentsToRepeat,
  commandToRepeat,
  type FailedTest,
  readTestReport,
  type TestReport,
} from './test-report.ts';

/** What a stage did and what it cost. */
export type StageResult = TestReport & {
  readonly name: string;
  readonly isPassed: boolean;
  readonly seconds: number;
  /** Of all its processes; 0 where the system does not tell. */
  readonly cpuSeconds: number;
  /** What failed, with the command that runs it alone. Printed last. */
  readonly messages: readonly string[];
};

/** More would hide the first ones, and take long. */
const MAX_REPEATED = 10;

/** Runs the tests of a stage. What fails runs again alone, and fails the stage all the same. */
export function runTestStage(
  stage: TestStage,
  { seed, args }: { readonly seed: number; readonly args: readonly string[] },
): StageResult {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-report-'));
  const reportPath = join(folder, 'report.json');
  const env = { ...stage.env, TEST_SEED: `${seed}` };
  const startedAt = performance.now();
  const cpuBefore = childCpuSeconds();
  try {
    const pattern = stage.namePattern === undefined ? [] : ['-t', stage.namePattern];
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`];
    const code = runVitest(['run', ...pattern, ...reporters, ...args], {
      ...env,
      TEST_STAGE: stage.name,
    });
    const report = readTestReport(reportPath, process.cwd());
    const seconds = (performance.now() - startedAt) / 1000;
    const cpuSeconds = childCpuSeconds() - cpuBefore;
    const messages = code === 0 ? [] : repeatFailures(report.failures, env);
    // what the pattern leaves out ran in other stages
    const skipped = stage.namePattern === undefined ? report.skipped : 0;
    return {
      ...report,
      skipped,
      name: stage.name,
      isPassed: code === 0,
      seconds,
      cpuSeconds,
      messages,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Environment = Readonly<Record<string, string>>;

/** Runs failed tests again, each alone, and describes them. */
function repeatFailures(failures: readonly FailedTest[], env: Environment): readonly string[] {
  if (failures.length === 0) {
    return ['Vitest failed outside of the tests. Its output above says why.'];
  }
  const repeated = failures.slice(0, MAX_REPEATED).flatMap((failed) => {
    const name = `${failed.file} ${failed.name ?? ''}`.trim();
    console.error(`\nAgain, alone: ${name}`);
    const isPassed = runVitest(argumentsToRepeat(failed), env) === 0;
    const verdict = isPassed ? 'failed once, passed alone' : 'failed, also alone';
    return [`\n${verdict}: ${name}`, failed.reason, commandToRepeat(failed, env)];
  });
  const others = failures.length - MAX_REPEATED;
  return others > 0 ? [...repeated, `\nand ${others} others`] : repeated;
}

function runVitest(args: readonly string[], env: Environment): number {
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}
