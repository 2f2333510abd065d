import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkWorkflow } from './release/workflow-rules.ts';

/** Checks the workflow files of CI and of releases. */
const FOLDER = '.github/workflows';
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const problems = readdirSync(FOLDER).flatMap((file) =>
  checkWorkflow(readFileSync(join(FOLDER, file), 'utf8'), scripts).map(
    (problem) => `${file}: ${problem}`,
  ),
);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
