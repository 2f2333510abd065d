import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createClusterSource } from '../src/chain/cluster-source.ts';
import { createIndexer } from '../src/indexer/indexer.ts';
import { ClusterState } from '../src/state/cluster-state.ts';
import { silentLog } from '../test/support/silent-log.ts';

/** First load of many loans from a node on this machine: how long, and how much memory they keep. */
const OBLIGATIONS = Number(process.argv[2] ?? 100_000);
const BUDGET_BYTES = 300;

const server = fork(new URL('./load-server.ts', import.meta.url), [`${OBLIGATIONS}`], {
  execArgv: ['--import', 'tsx', '--max-old-space-size=8192'],
});
const [rpcUrl] = await once(server, 'message');

const clock = Date.now;
const source = createClusterSource({
  ...{ commitment: 'confirmed', clock, random: Math.random, log: silentLog },
  rpcUrls: [new URL(String(rpcUrl))],
  wsUrls: [],
  // Nothing changes there: one reading is enough.
  scanMs: 3_600_000,
});
const state = new ClusterState({ log: silentLog });
const indexer = createIndexer({ source, state, mode: 'all', clock, log: silentLog });

const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
await indexer.start();
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
const { obligations, obligationBytes } = state.figures();
const bytes = obligationBytes / obligations;

console.log(`obligations            ${obligations}`);
console.log(`first load             ${seconds.toFixed(1)} s`);
console.log(`of it CPU              ${((user + system) / 1e6).toFixed(1)} s`);
console.log(`bytes per obligation   ${bytes.toFixed(0)} (budget ${BUDGET_BYTES})`);
indexer.stop();
source.close();
server.kill();
process.exitCode = bytes <= BUDGET_BYTES && obligations >= OBLIGATIONS ? 0 : 1;
