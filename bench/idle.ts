import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type MeasuredServer,
  startTidegateWithHistory,
  stopTidegate,
} from './http/measured-servers.ts';
import { threadTimes } from './idle/thread-times.ts';
import { reportCost } from './report-cost.ts';
import { reportBudget, sized } from './smoke.ts';

/** CPU per thread of a server that nobody calls, with the embedded cluster and its stored history. */
const BUDGET_PERCENT = 4;
const DAYS = sized(365, 1);
/** The optimizing compiler works longest on what runs once per slot. */
const SETTLE_MS = sized(60_000, 1_000);
const IDLE_MS = sized(120_000, 2_000);

/** Prints the threads that did anything, as a percentage of one core. */
function printThreads(pid: number, spent: ReadonlyMap<number, number>, seconds: number): void {
  for (const [thread, cpuSeconds] of spent) {
    const percent = (cpuSeconds * 100) / seconds;
    const name = thread === pid ? 'main thread' : `thread ${thread - pid}`;
    if (percent >= 0.05) console.log(`  ${name.padEnd(12)} ${percent.toFixed(1).padStart(5)} %`);
  }
}

async function measureIdle(server: MeasuredServer): Promise<number> {
  await pause(SETTLE_MS);
  const { pid = 0 } = server.process;
  const cpu = await server.cpuSeconds();
  const threads = threadTimes(pid);
  const startedAt = performance.now();
  await pause(IDLE_MS);
  const spent = Array.from(
    threadTimes(pid),
    ([thread, total]) => [thread, total - (threads.get(thread) ?? 0)] as const,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const percent = (((await server.cpuSeconds()) - cpu) * 100) / seconds;
  console.log(`idle for ${seconds.toFixed(0)} s with ${DAYS} days of history:`);
  printThreads(pid, new Map(spent), seconds);
  console.log(
    `  all threads  ${percent.toFixed(1).padStart(5)} % of a core (budget ${BUDGET_PERCENT} %)`,
  );
  return percent;
}

const folder = mkdtempSync(join(tmpdir(), 'tidegate-idle-'));
try {
  const server = await startTidegateWithHistory(folder, DAYS);
  const percent = await measureIdle(server);
  await stopTidegate(server);
  const isWithinBudget = percent <= BUDGET_PERCENT;
  reportCost({
    work: `doing nothing, ${DAYS} days of history`,
    measured: `${percent.toFixed(1)} % of a core`,
    budget: `${BUDGET_PERCENT} %`,
    isWithinBudget,
  });
  reportBudget(isWithinBudget);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
