import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type LoadPlan, type LoadReport, latenciesOf } from './load-plan.ts';

/** Sends the load of a plan in a process of its own, and reports the latencies. */
const TIMEOUT_MS = 30_000;
const MAX_REASONS = 5;
/** One request is `/health` in each group of this size. */
const HEALTH_EVERY = 20;

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

type Kind = 'hot' | 'heavy' | 'health' | 'parallel';

type Records = { readonly times: Record<Kind, number[]>; readonly reasons: string[] };

process.on('message', async (plan: LoadPlan) => {
  process.send?.(await runPlan(plan));
});

async function runPlan(plan: LoadPlan): Promise<LoadReport> {
  const records: Records = {
    times: { hot: [], heavy: [], health: [], parallel: [] },
    reasons: [],
  };
  const end = performance.now() + plan.seconds * 1_000;
  const loops = Array.from({ length: plan.parallel }, (_, i) =>
    loopUntil(plan, records, { end, i }),
  );
  await Promise.all([...loops, runSchedule(plan, records)]);
  const { hot, heavy, health, parallel } = records.times;
  return {
    all: latenciesOf([...hot, ...heavy, ...health]),
    hot: latenciesOf(hot),
    heavy: latenciesOf(heavy),
    health: latenciesOf(health),
    parallel: latenciesOf(parallel),
    failures: records.reasons.length,
    reasons: records.reasons.slice(0, MAX_REASONS),
  };
}

/** Open loop: a slow response does not delay later requests, and counts from its scheduled time. */
function runSchedule(plan: LoadPlan, records: Records): Promise<unknown> {
  const { url, seconds, perSecond } = plan;
  const start = performance.now();
  const total = Math.round(seconds * perSecond);
  const running: Promise<void>[] = [];
  return new Promise((resolve) => {
    const sendDue = () => {
      const due = Math.floor(((performance.now() - start) * perSecond) / 1_000);
      while (running.length < Math.min(total, due + 1)) {
        const i = running.length;
        const { kind, path } = requestAt(plan, i);
        const scheduled = start + (i * 1_000) / perSecond;
        running.push(timeRequest(records, { kind, target: `${url}${path}`, scheduled }));
      }
      if (running.length < total) setTimeout(sendDue, 1);
      else resolve(Promise.all(running));
    };
    sendDue();
  });
}

function requestAt({ hot, heavy, heavyShare }: LoadPlan, i: number): { kind: Kind; path: string } {
  const heavyBefore = Math.floor(i * heavyShare);
  if (Math.floor((i + 1) * heavyShare) > heavyBefore) {
    return { kind: 'heavy', path: heavy[heavyBefore % heavy.length] ?? '' };
  }
  if (i % HEALTH_EVERY === 0) return { kind: 'health', path: '/health' };
  return { kind: 'hot', path: hot[i % hot.length] ?? '' };
}

type Loop = { readonly end: number; readonly i: number };

async function loopUntil(plan: LoadPlan, records: Records, { end, i }: Loop): Promise<void> {
  const { url, heavy, parallel } = plan;
  for (let turn = 0; performance.now() < end; turn++) {
    const path = heavy[(i + turn * parallel) % heavy.length];
    const scheduled = performance.now();
    await timeRequest(records, { kind: 'parallel', target: `${url}${path}`, scheduled });
  }
}

type Scheduled = { readonly kind: Kind; readonly target: string; readonly scheduled: number };

async function timeRequest({ times, reasons }: Records, request: Scheduled): Promise<void> {
  const { kind, target, scheduled } = request;
  try {
    const sent = get(target, { agent, timeout: TIMEOUT_MS });
    sent.once('timeout', () => sent.destroy(new Error('no response in time')));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    times[kind].push(performance.now() - scheduled);
  } catch (error) {
    reasons.push(`${target}: ${error instanceof Error ? error.message : error}`);
  }
}
