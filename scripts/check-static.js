import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Every check that runs no test, the longest first. `npm run check:static` has the commands in its path. */
const CHECKS = [
  'tsc',
  'biome check',
  'tsx scripts/generate-examples.ts --check',
  'depcruise packages test bench',
  'tsc -p packages/explorer',
  'knip',
  'tsx scripts/check-house.ts',
  'tsx scripts/generate-docs.ts --check',
  'tsx scripts/check-openapi.ts',
  'tsx scripts/generate-api-types.ts --check',
  'tsx scripts/check-supply-chain.ts',
];

/** Runs a command and prints its output as a whole when it ends. Returns whether it succeeded. */
async function run(command) {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  console.log(
    `${code === 0 ? 'passed' : 'FAILED'}: ${command}\n${code === 0 ? '' : output}`.trim(),
  );
  return code === 0;
}

const waiting = [...CHECKS];
async function runWaiting() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (!(await run(next))) process.exitCode = 1;
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
