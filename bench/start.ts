import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childSeconds, threadTimes } from './idle/thread-times.ts';
import { reportCost } from './report-cost.ts';
import { isSmoke, reportBudget } from './smoke.ts';
import { type StartedServer, startServer, stopServer } from './start/start-server.ts';

/**
 * The start of `npm start`: the first one, which simulates the embedded cluster's history, and a later one, which loads
 * what is stored. Seconds until the server listens and until it is ready, and the CPU time of its busiest threads.
 */
const BUDGETS = {
  first: { listening: 1.5, ready: 15 },
  later: { listening: 1.5, ready: 2.5 },
} as const;
/** Without a setting, as many as a newcomer's. */
const settings = isSmoke ? { LOCALNET_DAYS: '1' } : {};
const BUSIEST = 4;

type StartName = keyof typeof BUDGETS;

async function measure(name: StartName, folder: string): Promise<boolean> {
  const server = await startServer(folder, settings);
  try {
    return report(name, server);
  } finally {
    await stopServer(server);
  }
}

function report(name: StartName, { listening, ready, process: { pid = 0 } }: StartedServer) {
  const budget = BUDGETS[name];
  const threads = [...threadTimes(pid).values()].toSorted((a, b) => b - a);
  const simulation = childSeconds(pid);
  const total = threads.reduce((sum, seconds) => sum + seconds, simulation);
  const busiest = threads.slice(0, BUSIEST).map((seconds) => seconds.toFixed(1));
  console.log(
    `${name} start: ${total.toFixed(1)} s CPU (simulation process ${simulation.toFixed(1)} s, ` +
      `busiest threads ${busiest.join(', ')} s)`,
  );
  const isListening = reportStage(`${name} start, listening`, listening, budget.listening);
  return reportStage(`${name} start, ready`, ready, budget.ready) && isListening;
}

function reportStage(work: string, seconds: number, limit: number): boolean {
  const isWithinBudget = seconds <= limit;
  const measured = `${seconds.toFixed(2)} s`;
  reportCost({ work, measured, budget: `${limit} s`, isWithinBudget });
  return isWithinBudget;
}

const folder = mkdtempSync(join(tmpdir(), 'tidegate-start-'));
try {
  const isFirstWithin = await measure('first', folder);
  const isLaterWithin = await measure('later', folder);
  reportBudget(isFirstWithin && isLaterWithin);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
