import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readMetric } from '../test/support/simulated-mainnet/served-slot.ts';
import { percentile } from './mainnet/follow-window.ts';
import { MainnetProcess } from './mainnet/mainnet-process.ts';
import { reportCost } from './report-cost.ts';
import { reportBudget, sized } from './smoke.ts';
import { waitUntilRecorded } from './start/first-recording.ts';
import { type StartedServer, startServer, stopServer } from './start/start-server.ts';

/**
 * Hot reads of two servers that follow one busy node, one with the proof and one without it: latency of the same reads,
 * which alternate between the servers, and CPU time of each server.
 */
const LOANS = sized(20_000, 300);
const RATES = { updates: sized(800, 50), transactions: sized(20, 5) };
const ROUNDS = sized(90, 3);
const READS_PER_ROUND = sized(100, 5);
const MAX_P99_RATIO = 1.25;

type Subject = {
  readonly server: StartedServer;
  readonly milliseconds: number[];
};

async function start(node: MainnetProcess, percent: number): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-proof-reads-'));
  folders.push(folder);
  const server = await startServer(folder, {
    RPC_URL: node.rpcUrl,
    WS_URL: node.wsUrl,
    CLUSTER: 'localnet',
    RATE_LIMIT: 'off',
    PROOF_CPU_PERCENT: `${percent}`,
  });
  await waitUntilRecorded(server.url);
  return { server, milliseconds: [] };
}

async function read({ server, milliseconds }: Subject, path: string): Promise<void> {
  const startedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    request(`${server.url}${path}`, { agent }, (response) => {
      response.resume();
      response.on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
  milliseconds.push(performance.now() - startedAt);
}

async function measure(without: Subject, with_: Subject, path: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    for (const subject of round % 2 === 0 ? [without, with_] : [with_, without]) {
      for (let i = 0; i < READS_PER_ROUND; i++) await read(subject, path);
    }
    await pause(sized(300, 10));
  }
}

const cpuSeconds = ({ server }: Subject): Promise<number> =>
  readMetric(server.url, 'process_cpu_seconds_total');

const folders: string[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const node = await MainnetProcess.start({ loans: LOANS, farmUsers: LOANS, hasPages: true });
const subjects: Subject[] = [];
try {
  for (const percent of [0, 2]) subjects.push(await start(node, percent));
  const [without, with_] = subjects as [Subject, Subject];
  await node.send({ kind: 'rates', rates: RATES });
  // what the proof has saved before does not count
  await pause(sized(20_000, 500));
  const markets = await fetch(`${without.server.url}/v2/svc-market`);
  const [market] = (await markets.json()) as readonly { readonly lendingMarket: string }[];
  const path = `/v2/svc-market/${market?.lendingMarket ?? ''}/reserves/metrics`;
  const before = await Promise.all(subjects.map(cpuSeconds));
  await measure(without, with_, path);
  const after = await Promise.all(subjects.map(cpuSeconds));
  const sorted = subjects.map(({ milliseconds }) => milliseconds.toSorted((a, b) => a - b));
  const rows = subjects.map((_, index) => ({
    proof: index === 0 ? 'off' : '2 %',
    'p50 ms': percentile(sorted[index] ?? [], 0.5).toFixed(2),
    'p99 ms': percentile(sorted[index] ?? [], 0.99).toFixed(2),
    'CPU s': ((after[index] ?? 0) - (before[index] ?? 0)).toFixed(1),
  }));
  console.table(rows);
  const ratio = percentile(sorted[1] ?? [], 0.99) / percentile(sorted[0] ?? [], 0.99);
  reportCost({
    work: 'hot reads beside the proof',
    measured: `p99 ${ratio.toFixed(2)} times that without it`,
    budget: `${MAX_P99_RATIO} times`,
    isWithinBudget: ratio <= MAX_P99_RATIO,
  });
  reportBudget(ratio <= MAX_P99_RATIO);
} finally {
  for (const { server } of subjects) await stopServer(server);
  node.stop();
  agent.destroy();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
