import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageOf } from './candidates.ts';
import { checkoutFiles } from './checkout-copy.ts';
import { type CoverageMap, type CoveredTest, hashOf } from './coverage-map.ts';
import { joinRanges, type Ranges } from './covered-ranges.ts';
import { type FileResult, runVitest } from './run-vitest.ts';

const BUNDLE = 'packages/server/dist/bundle/node';
const TIMEOUT_MS = 4 * 60 * 60_000;

/** Runs the test files once, each in a thread of its own, and records what they execute. */
export async function collectCoverage(
  copy: string,
  files: readonly string[],
): Promise<{ readonly map: CoverageMap; readonly failing: readonly string[] }> {
  const folder = join(copy, 'mutation-coverage');
  const hook = await bundleHook(copy);
  // processes load the compiled files one by one instead of the bundle
  writeFileSync(join(copy, BUNDLE, 'main.js'), "export * from '../../cli/main.js';\n");
  const { files: results, output } = await runVitest(copy, {
    files,
    args: ['--config=mutation.config.ts'],
    env: {
      NODE_OPTIONS: `--import=${hook}`,
      MUTATION_ROOT: copy,
      MUTATION_COVERAGE_FOLDER: folder,
    },
    timeoutMs: TIMEOUT_MS,
  });
  // the next build makes it again
  rmSync(join(copy, BUNDLE, 'main.js'));
  if (results.length === 0) throw new Error(`no tests ran: ${output}`);
  const { tests, failing } = await withoutFailing(copy, results);
  return {
    map: { tests, sources: hashSources(copy), scripts: readScripts(folder, tests) },
    failing,
  };
}

async function bundleHook(copy: string): Promise<string> {
  const hook = join(copy, 'mutation-hook.mjs');
  await build({
    entryPoints: [join(copy, 'scripts/mutations/coverage-hook.ts')],
    outfile: hook,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  writeFileSync(join(copy, 'mutation.config.ts'), CONFIG);
  return hook;
}

const CONFIG = `import { mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';
export default mergeConfig(config, {
  test: { isolate: true, setupFiles: ['scripts/mutations/coverage-setup.ts'] },
});
`;

/** Instrumentation slows tests down and changes what processes load, so what fails gets a second run. */
async function withoutFailing(copy: string, results: readonly FileResult[]) {
  const failed = results.filter(({ hasPassed }) => !hasPassed).map(({ file }) => file);
  const again =
    failed.length === 0
      ? []
      : (await runVitest(copy, { files: failed, timeoutMs: TIMEOUT_MS })).files;
  const passedAgain = new Set(again.filter(({ hasPassed }) => hasPassed).map(({ file }) => file));
  const tests = results
    .filter(({ file, hasPassed }) => hasPassed || passedAgain.has(file))
    .map(
      ({ file, hasPassed, durationMs }): CoveredTest => ({
        file,
        costMs: durationMs,
        isMeasured: hasPassed,
      }),
    );
  return { tests, failing: failed.filter((file) => !passedAgain.has(file)) };
}

function hashSources(copy: string): Record<string, string> {
  const sources = checkoutFiles(copy).filter((file) => packageOf(file) !== undefined);
  return Object.fromEntries(
    sources.map((file) => [file, hashOf(readFileSync(join(copy, file), 'utf8'))]),
  );
}

type ThreadCoverage = {
  readonly testFile: string;
  readonly scripts: Readonly<Record<string, Ranges>>;
};

function readScripts(folder: string, tests: readonly CoveredTest[]): CoverageMap['scripts'] {
  const indexes = new Map(tests.map(({ file }, index) => [file, index]));
  const scripts = new Map<string, Map<number, Ranges>>();
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const thread = JSON.parse(readFileSync(join(folder, name), 'utf8')) as ThreadCoverage;
    const index = indexes.get(thread.testFile);
    if (index === undefined) continue;
    for (const [path, ranges] of Object.entries(thread.scripts)) {
      const byTest = scripts.get(path) ?? new Map<number, Ranges>();
      scripts.set(path, byTest.set(index, joinRanges(byTest.get(index) ?? [], ranges)));
    }
  }
  return Object.fromEntries([...scripts].map(([path, byTest]) => [path, groupByRanges(byTest)]));
}

function groupByRanges(byTest: ReadonlyMap<number, Ranges>): [Ranges, number[]][] {
  const groups = new Map<string, [Ranges, number[]]>();
  for (const [test, ranges] of byTest) {
    const key = ranges.join();
    const [, tests] = groups.get(key) ?? [ranges, []];
    groups.set(key, [ranges, [...tests, test]]);
  }
  return [...groups.values()];
}
