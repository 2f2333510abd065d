import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Every check that runs no test, the longest first. npm has put the commands into the path. */
const CHECKS = Object.keys(scripts).filter((name) => name.startsWith('static:'));

/** Runs a check and prints its output as a whole when it ends. Returns whether it succeeded. */
async function run(name) {
  const startedAt = performance.now();
  const child = spawn(scripts[name], { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  const verdict = `${code === 0 ? 'passed' : 'FAILED'}: ${name} (${seconds} s)`;
  console.log(code === 0 ? verdict : `${verdict}\n${output}`.trim());
  return code === 0;
}

const waiting = [...CHECKS];
async function runWaiting() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (!(await run(next))) process.exitCode = 1;
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
