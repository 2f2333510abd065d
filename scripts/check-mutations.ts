import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { candidatesOf } from './mutations/candidates.ts';
import { checkTypes } from './mutations/check-types.ts';
import { checkoutFiles, copyCheckout, removeCopy } from './mutations/checkout-copy.ts';
import { chooseMutants } from './mutations/choose-mutants.ts';
import { collectCoverage } from './mutations/collect-coverage.ts';
import { confirmResults } from './mutations/confirm-results.ts';
import type { CoverageMap } from './mutations/coverage-map.ts';
import { describeMutation, type Mutant } from './mutations/mutation.ts';
import { type MutationOptions, matchesPatterns, parseOptions } from './mutations/options.ts';
import { describeResult, summarize } from './mutations/report.ts';
import { endRuns } from './mutations/run-vitest.ts';
import { listTestFiles } from './mutations/test-files.ts';
import { type MutantResult, tryMutant } from './mutations/try-mutant.ts';

/*
 * Breaks lines of the product, one at a time, in a copy of the checkout, and counts how many the tests find:
 * `npm run test:mutations -- --seed 36 --lines 60 --coverage coverage.json.gz --out report.json`.
 */

const root = fileURLToPath(new URL('../', import.meta.url));
const options = parseOptions(process.argv.slice(2));
const readSource = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

const mutants = chosenMutants(options).filter(
  ({ number }) => options.only.length === 0 || options.only.includes(number),
);
if (options.isDryRun) {
  for (const mutant of mutants) {
    const { original, mutated } = describeMutation(readSource(mutant.file), mutant);
    console.log(
      `${mutant.number}. ${mutant.file}:${mutant.line}\n   - ${original}\n   + ${mutated}`,
    );
  }
} else {
  await checkMutants();
}

async function checkMutants(): Promise<void> {
  const copy = copyCheckout(root);
  const stop = (): void => {
    endRuns();
    removeCopy(copy);
    process.exit(1);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const coverage = await loadCoverage(copy);
    const isUsed = (file: string): boolean => matchesPatterns(file, options.files);
    const results: MutantResult[] = [];
    for (const mutant of mutants) {
      const result = await tryMutant(copy, mutant, { coverage, isUsed });
      console.log(describeResult(result));
      results.push(result);
      writeReport(results);
    }
    const confirmed = checkTypes(copy, await confirmResults(copy, results, coverage));
    writeReport(confirmed);
    console.log(summarize(confirmed));
  } finally {
    removeCopy(copy);
  }
}

function chosenMutants({ seed, lines, compare }: MutationOptions): readonly Mutant[] {
  if (compare !== undefined) {
    const { results } = JSON.parse(readFileSync(compare, 'utf8')) as { results: MutantResult[] };
    return results.filter((one) => isFound(one) && isUnchanged(one));
  }
  const candidates = checkoutFiles(root)
    .filter((file) => file.startsWith('packages/'))
    .flatMap((file) => candidatesOf(file, readSource(file)));
  return chooseMutants(candidates, { seed, count: lines });
}

function isFound({ result }: MutantResult): boolean {
  return result === 'found' || result === 'timeout';
}

/** A line that has changed or moved since the report cannot be compared. */
function isUnchanged(result: MutantResult): boolean {
  const { original, mutated } = existsSync(`${root}${result.file}`)
    ? describeMutation(readSource(result.file), result)
    : { original: '', mutated: '' };
  return original === result.original && mutated === result.mutated;
}

async function loadCoverage(copy: string): Promise<CoverageMap> {
  const { coverage, files } = options;
  if (coverage !== undefined && existsSync(coverage)) {
    return JSON.parse(gunzipSync(readFileSync(coverage)).toString()) as CoverageMap;
  }
  const tests = listTestFiles(copy).filter((file) => matchesPatterns(file, files));
  console.log(`collecting the coverage of ${tests.length} test files`);
  const startedAt = performance.now();
  const { map, failing } = await collectCoverage(copy, tests);
  console.log(`collected in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  for (const file of failing) console.log(`not used, because it fails without a mutation: ${file}`);
  if (coverage !== undefined) writeFileSync(coverage, gzipSync(JSON.stringify(map)));
  return map;
}

function writeReport(results: readonly MutantResult[]): void {
  const { out, seed, lines } = options;
  if (out !== undefined) writeFileSync(out, JSON.stringify({ seed, lines, results }, null, 2));
}
