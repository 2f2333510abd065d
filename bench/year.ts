import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseSize } from './arguments.ts';
import { isSmoke, reportBudget } from './smoke.ts';
import type { SimulatedYear } from './year/simulate-year.ts';

/** Simulates the embedded cluster's history twice in separate processes, and compares time and bytes. */
const BUDGET_SECONDS = 20;
const DAYS = isSmoke ? 1 : parseSize('The number of days', process.argv[2] ?? '365');

async function simulate(): Promise<SimulatedYear> {
  const child = fork(new URL('year/simulate-year.ts', import.meta.url), [String(DAYS)], {
    execArgv: ['--import', 'tsx'],
  });
  const [simulated] = (await once(child, 'message')) as [SimulatedYear];
  await once(child, 'exit');
  return simulated;
}

const runs = [await simulate(), await simulate()];
for (const { seconds, cpuSeconds, transactions, accounts, digest } of runs) {
  const each = ((seconds * 1000) / transactions).toFixed(2);
  console.log(
    `simulated in ${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s CPU, start included; budget ${BUDGET_SECONDS} s), ` +
      `${transactions} transactions (${each} ms each), ${accounts} accounts, sha256 ${digest}`,
  );
}
const isSame = new Set(runs.map(({ digest }) => digest)).size === 1;
console.log(isSame ? 'both runs produced the same bytes' : 'the runs differ');
if (!isSame) throw new Error('two simulations with the same seed differ');
reportBudget(Math.min(...runs.map(({ seconds }) => seconds)) <= BUDGET_SECONDS);
