import { randomInt } from 'node:crypto';
import { runCommand } from './testing/run-command.ts';
import { createRunFolder } from './testing/run-folder.ts';
import { runTestStage, type StageResult } from './testing/run-stage.ts';
import { formatProperties, formatStages, type StageRow } from './testing/stage-table.ts';
import { testStages } from './testing/stages.ts';

/*
 * What decides whether a change lands, after `npm ci`: static checks, `npm test`, the other stages of `npm run test:all`,
 * and every benchmark in its smoke form. Stops after the first stage that fails, and prints where the time went.
 */
const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));

const stages: readonly { readonly name: string; readonly run: () => StageRow | StageResult }[] = [
  { name: 'static', run: () => runCommand('static', 'npm', ['run', 'check:static']) },
  {
    name: 'audit',
    run: () => runCommand('audit', 'npx', ['tsx', 'scripts/audit-dependencies.ts']),
  },
  ...testStages.map((stage) => ({
    name: stage.name,
    run: () => runTestStage(stage, { seed, args: [] }),
  })),
  {
    name: 'benchmarks',
    run: () => runCommand('benchmarks', 'npm', ['run', 'bench', '--', '--smoke']),
  },
];

const rows: (StageRow | StageResult)[] = [];
const folder = createRunFolder();
try {
  for (const { name, run } of stages) {
    console.log(`\n== ${name} (seed ${seed}) ==`);
    const row = run();
    rows.push(row);
    if (!row.isPassed) break;
  }
} finally {
  folder.remove();
}

const tested = rows.flatMap((row) => ('properties' in row ? [row] : []));
const sum = (count: (result: StageResult) => number): number =>
  tested.reduce((all, result) => all + count(result), 0);
console.log(`\n${formatProperties(tested.flatMap(({ properties }) => properties))}`);
console.log(`\n${formatStages(rows)}\n\nseed ${seed}`);
for (const message of tested.flatMap(({ messages }) => messages)) console.log(message);
const failed = rows.find(({ isPassed }) => !isPassed);
if (failed !== undefined)
  console.log(`\nThe stage "${failed.name}" failed. Later stages did not run.`);
console.log(
  `${sum(({ passed }) => passed)} passed, ${sum((result) => result.failed)} failed, ${sum(({ skipped }) => skipped)} skipped`,
);
process.exitCode = failed === undefined ? 0 : 1;
