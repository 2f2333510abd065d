import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchmarks } from './benchmarks.ts';
import type { Cost } from './report-cost.ts';

/**
 * `npm run bench` lists the benchmarks, `npm run bench -- NAME [options]` runs one, `npm run bench -- all` runs all,
 * `npm run bench -- costs` runs those that measure what a server costs; both print a table of the costs. `npm run bench --
 * --smoke [NAME ...]` runs all (or some) with tiny sizes and no thresholds.
 */
const [first, ...rest] = process.argv.slice(2);
const names: readonly string[] = benchmarks.map(({ name }) => name);

if (first === undefined) {
  console.log('Benchmarks (npm run bench -- NAME, or --smoke for a quick run of all):\n');
  console.log(
    `  ${'costs'.padEnd(9)} what a server costs, as one table: ${costNames().join(', ')}`,
  );
  console.log(`  ${'all'.padEnd(9)} all of the following`);
  for (const { name, summary, budget } of benchmarks) {
    console.log(`  ${name.padEnd(9)} ${summary}\n${' '.repeat(12)}budget: ${budget}`);
  }
} else if (first === '--smoke') {
  runAll(rest.length === 0 ? names : rest);
} else if (first === 'costs') {
  process.exitCode = runInFull(costNames());
} else if (first === 'all') {
  process.exitCode = runInFull(names);
} else {
  process.exitCode = run(first, rest);
}

function runAll(selected: readonly string[]): void {
  for (const name of selected) {
    console.log(`\n== ${name} ==`);
    const code = run(name, [], { BENCH_SMOKE: '1' });
    if (code !== 0) {
      console.error(`Benchmark ${name} failed with exit code ${code}.`);
      process.exitCode = 1;
    }
  }
}

function costNames(): readonly string[] {
  return benchmarks.flatMap((benchmark) => ('isCost' in benchmark ? [benchmark.name] : []));
}

/** Benchmarks that fail or exceed a budget do not stop the others. */
function runInFull(selected: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-costs-'));
  const file = join(folder, 'costs');
  const env = { BENCH_COSTS_FILE: file, BENCH_CLUSTERS: folder };
  try {
    const failed = selected.filter((name) => {
      console.log(`\n== ${name} ==`);
      return run(name, [], env) !== 0;
    });
    console.table(existsSync(file) ? readCosts(file) : []);
    if (failed.length > 0) console.log(`Failed or over budget: ${failed.join(', ')}`);
    return failed.length === 0 ? 0 : 1;
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
  if (!names.includes(name)) {
    console.error(`There is no benchmark "${name}". Choose one of ${names.join(', ')}.`);
    return 1;
  }
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', file, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}
