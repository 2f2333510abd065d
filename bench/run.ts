import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childCpuSeconds } from '../scripts/testing/child-cpu.ts';
import { parseBenchArguments } from './arguments.ts';
import { benchmarks } from './benchmarks.ts';
import type { Cost } from './report-cost.ts';

/**
 * `npm run bench` lists the benchmarks, `npm run bench -- NAME [NAME ...]` runs them, `npm run bench -- all` runs all,
 * `npm run bench -- costs` runs those that measure what a server costs; several print a table of the costs. `npm run bench --
 * --smoke [NAME ...]` runs all (or some) with tiny sizes and no thresholds.
 */
const names: readonly string[] = benchmarks.map(({ name }) => name);

function main(): void {
  const request = parseBenchArguments(process.argv.slice(2), names);
  if (request.kind === 'list') listBenchmarks();
  else if (request.kind === 'smoke') runSmoke(request.names);
  else if (request.kind === 'costs') process.exitCode = runInFull(costNames());
  else {
    const [name = ''] = request.names;
    process.exitCode =
      request.names.length === 1 ? run(name, request.sizes) : runInFull(request.names);
  }
}

function listBenchmarks(): void {
  console.log('Benchmarks (npm run bench -- NAME ..., or --smoke for a quick run of all):\n');
  console.log(
    `  ${'costs'.padEnd(9)} what a server costs, as one table: ${costNames().join(', ')}`,
  );
  console.log(`  ${'all'.padEnd(9)} all of the following`);
  for (const { name, summary, budget } of benchmarks) {
    console.log(`  ${name.padEnd(9)} ${summary}\n${' '.repeat(12)}budget: ${budget}`);
  }
}

function runSmoke(selected: readonly string[]): void {
  const costs: { benchmark: string; seconds: string; 'CPU seconds': string }[] = [];
  withSharedFolder((folder) => {
    for (const name of selected) {
      console.log(`\n== ${name} ==`);
      const [startedAt, cpuBefore] = [performance.now(), childCpuSeconds()];
      const code = run(name, [], { BENCH_SMOKE: '1', BENCH_CLUSTERS: folder });
      costs.push({
        benchmark: name,
        seconds: ((performance.now() - startedAt) / 1000).toFixed(1),
        'CPU seconds': (childCpuSeconds() - cpuBefore).toFixed(1),
      });
      if (code !== 0) {
        console.error(`Benchmark ${name} failed with exit code ${code}.`);
        process.exitCode = 1;
      }
    }
  });
  console.table(costs);
}

function costNames(): readonly string[] {
  return benchmarks.flatMap((benchmark) => ('isCost' in benchmark ? [benchmark.name] : []));
}

/** Benchmarks that fail or exceed a budget do not stop the others. */
function runInFull(selected: readonly string[]): number {
  return withSharedFolder((folder) => {
    const file = join(folder, 'costs');
    const env = { BENCH_COSTS_FILE: file, BENCH_CLUSTERS: folder };
    const failed = selected.filter((name) => {
      console.log(`\n== ${name} ==`);
      return run(name, [], env) !== 0;
    });
    console.table(existsSync(file) ? readCosts(file) : []);
    if (failed.length > 0) console.log(`Failed or over budget: ${failed.join(', ')}`);
    return failed.length === 0 ? 0 : 1;
  });
}

/** A folder for what several benchmarks share. */
function withSharedFolder<Result>(use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-costs-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readCosts(file: string) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { work, measured, budget, isWithinBudget }: Cost = JSON.parse(line);
    return { work, measured, budget, result: isWithinBudget ? 'within' : 'EXCEEDED' };
  });
}

function run(name: string, args: readonly string[], env: Record<string, string> = {}): number {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', file, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
