import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { SimulatedYear } from './year/simulate-year.ts';

/** The past of the embedded cluster, played twice in processes of their own: how long it takes, and whether both are the same. */
const BUDGET_SECONDS = 20;

async function play(): Promise<SimulatedYear> {
  const child = fork(new URL('year/simulate-year.ts', import.meta.url), process.argv.slice(2), {
    execArgv: ['--import', 'tsx'],
  });
  const [played] = (await once(child, 'message')) as [SimulatedYear];
  await once(child, 'exit');
  return played;
}

const runs = [await play(), await play()];
for (const { seconds, cpuSeconds, transactions, accounts, digest } of runs) {
  const each = ((seconds * 1000) / transactions).toFixed(2);
  console.log(
    `played in ${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s CPU, start included; budget ${BUDGET_SECONDS} s), ` +
      `${transactions} transactions (${each} ms each), ${accounts} accounts, sha256 ${digest}`,
  );
}
const isSame = new Set(runs.map(({ digest }) => digest)).size === 1;
console.log(isSame ? 'both runs are the same to the byte' : 'THE RUNS DIFFER');
process.exitCode =
  isSame && Math.min(...runs.map(({ seconds }) => seconds)) <= BUDGET_SECONDS ? 0 : 1;
