import { writeFileSync } from 'node:fs';
import { createRunFolder } from './testing/run-folder.ts';
import { runTestStage, type StageResult } from './testing/run-stage.ts';
import { readSeed } from './testing/seed.ts';
import { formatProperties, formatStages } from './testing/stage-table.ts';
import { QUICK_STAGE, type TestStage, testStages } from './testing/stages.ts';

/*
 * Runs tests in stages and stops after the first stage that fails.
 *
 *   npm test [-- FILTER ... | Vitest options]     the quick stage
 *   npm run test:all [-- STAGE ...]               all stages, or some
 *   TEST_SEED=4711 npm test                       the same order of files and the same generated cases again
 */
const args = process.argv.slice(2);
const isAll = args[0] === '--all';
const seed = readSeed();

const results: StageResult[] = [];
const folder = createRunFolder();
try {
  for (const stage of isAll ? selectStages(args.slice(1)) : [QUICK_STAGE]) {
    console.log(`\n== ${stage.name}: ${stage.summary} (seed ${seed}) ==`);
    const result = runTestStage(stage, { seed, args: isAll ? [] : args });
    results.push(result);
    if (!result.isPassed) break;
  }
} finally {
  folder.remove();
}
const { TEST_RESULT } = process.env;
if (TEST_RESULT !== undefined) writeFileSync(TEST_RESULT, JSON.stringify(results));
console.log(`\n${formatProperties(results.flatMap(({ properties }) => properties))}`);
console.log(`\n${formatStages(results)}\n\nseed ${seed}`);
for (const message of results.flatMap(({ messages }) => messages)) console.log(message);
process.exitCode = results.length > 0 && results.every(({ isPassed }) => isPassed) ? 0 : 1;

function selectStages(names: readonly string[]): readonly TestStage[] {
  const unknown = names.find((name) => !testStages.some((stage) => stage.name === name));
  if (unknown === undefined) {
    return testStages.filter(({ name }) => names.length === 0 || names.includes(name));
  }
  const known = testStages.map(({ name }) => name).join(', ');
  console.error(`There is no stage "${unknown}". Choose from ${known}.`);
  return [];
}
