import { type BackgroundStages, startStages } from './testing/background-stage.ts';
import { runCommand } from './testing/run-command.ts';
import { createRunFolder } from './testing/run-folder.ts';
import { runTestStage, type StageResult } from './testing/run-stage.ts';
import { readSeed } from './testing/seed.ts';
import { formatProperties, formatStages, type StageRow } from './testing/stage-table.ts';
import { QUICK_STAGE, testStages } from './testing/stages.ts';

/*
 * What decides whether a change lands, after `npm ci`: static checks, `npm test`, the other stages of `npm run test:all`,
 * and every benchmark in its smoke form. Stops after the first stage that fails, and prints where the time went.
 */
const seed = readSeed();

type Row = StageRow | StageResult;
type Step = { readonly name: string; readonly run: () => Row | Promise<Row> };

const testStep = (name: string): Step => ({
  name,
  run: () => {
    const stage = testStages.find((each) => each.name === name);
    if (stage === undefined) throw new Error(`no stage ${name}`);
    return runTestStage(stage, { seed, args: [] });
  },
});
const commandStep = (name: string, command: string, ...args: string[]): Step => ({
  name,
  run: () => runCommand(name, command, args),
});

/** After `npm test`, these run one after another beside the rest: most of them wait for something else half of the time. */
const BACKGROUND: readonly string[] = [
  'system',
  'following',
  'services',
  'browser',
  'packages',
  'chaos',
];

const inBackground = new Set(BACKGROUND);
const others = testStages.map(({ name }) => name).filter((name) => !inBackground.has(name));
const steps: readonly Step[] = [
  commandStep('static', 'npm', 'run', 'check:static'),
  commandStep('audit', 'npx', 'tsx', 'scripts/audit-dependencies.ts'),
  ...others.map(testStep),
  commandStep('benchmarks', 'npm', 'run', 'bench', '--', '--smoke'),
];

const startedAt = performance.now();
const rows: Row[] = [];
const folder = createRunFolder();
let background: BackgroundStages | undefined;
const hasFailed = () => rows.some(({ isPassed }) => !isPassed);
const runStep = async ({ name, run }: Step): Promise<void> => {
  console.log(`\n== ${name} (seed ${seed}) ==`);
  rows.push(await run());
};
try {
  for (const step of steps) {
    await runStep(step);
    if (hasFailed()) break;
    if (step.name === QUICK_STAGE.name) background = startStages(BACKGROUND, seed);
  }
  if (background !== undefined) rows.push(...(await background.finish()));
} finally {
  folder.remove();
}

const tested = rows.flatMap((row) => ('properties' in row ? [row] : []));
const sum = (count: (result: StageResult) => number): number =>
  tested.reduce((all, result) => all + count(result), 0);
console.log(`\n${formatProperties(tested.flatMap(({ properties }) => properties))}`);
console.log(`\n${formatStages(rows)}`);
console.log(`\n${BACKGROUND.join(', ')} ran beside the stages after ${QUICK_STAGE.name}.`);
console.log(
  `${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes in all; seed ${seed}`,
);
const failed = rows.filter(({ isPassed }) => !isPassed).map(({ name }) => name);
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}. Later stages did not run.`);
for (const message of tested.flatMap(({ messages }) => messages)) console.log(message);
console.log(
  `\n${sum(({ passed }) => passed)} passed, ${sum((result) => result.failed)} failed, ${sum(({ skipped }) => skipped)} skipped`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
