import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchmarks } from './benchmarks.ts';

/**
 * `npm run bench` lists the benchmarks, `npm run bench -- NAME [options]` runs one, and
 * `npm run bench -- --smoke [NAME ...]` runs all (or some) with tiny sizes and no thresholds.
 */
const [first, ...rest] = process.argv.slice(2);
const names: readonly string[] = benchmarks.map(({ name }) => name);

if (first === undefined) {
  console.log('Benchmarks (npm run bench -- NAME, or --smoke for a quick run of all):\n');
  for (const { name, summary, budget } of benchmarks) {
    console.log(`  ${name.padEnd(9)} ${summary}\n${' '.repeat(12)}budget: ${budget}`);
  }
} else if (first === '--smoke') {
  runAll(rest.length === 0 ? names : rest);
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
