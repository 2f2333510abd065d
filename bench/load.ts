import { parseArgs } from 'node:util';
import { ClusterState } from '#core/state/cluster-state.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { createIndexer } from '#server/indexer/follow/indexer.ts';
import { silentLog } from '../test/support/fakes/silent-log.ts';
import { startRpcServer } from './load/start-rpc-server.ts';
import { reportBudget, sized } from './smoke.ts';

/**
 * Time and memory of the first load of many loans and stakes from a node on this machine while slots pass. Uses WebSocket,
 * or polling with `--poll`.
 */
const { values, positionals } = parseArgs({
  options: { poll: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const OBLIGATIONS = Number(positionals[0] ?? sized(300_000, 500));
const FARM_USERS = Number(positionals[1] ?? sized(400_000, 500));
const BUDGET = { obligationBytes: 300, peakMegabytes: 600 };

const server = await startRpcServer(OBLIGATIONS, 0, FARM_USERS);
const clock = Date.now;
const source = createClusterSource({
  commitment: 'confirmed',
  clock,
  random: Math.random,
  log: silentLog,
  rpcUrls: [new URL(server.rpcUrl)],
  wsUrls: values.poll ? [] : [new URL(server.wsUrl)],
});
const state = new ClusterState({ log: silentLog });
const indexer = createIndexer({
  source,
  state,
  mode: 'all',
  clock,
  random: Math.random,
  log: silentLog,
});

const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
await indexer.start();
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
const { obligations, obligationBytes, farmUsers, farmUserBytes } = state.statistics();
const bytes = obligationBytes / obligations;
const peakMegabytes = process.resourceUsage().maxRSS / 1024;

console.log(`updates                ${values.poll ? 'by polling' : 'over WebSocket'}`);
console.log(`obligations            ${obligations}`);
console.log(`farm users             ${farmUsers}`);
console.log(`first load             ${seconds.toFixed(1)} s`);
console.log(`of it CPU              ${((user + system) / 1e6).toFixed(1)} s`);
console.log(`bytes per obligation   ${bytes.toFixed(0)} (budget ${BUDGET.obligationBytes})`);
console.log(`bytes per farm user    ${(farmUserBytes / farmUsers).toFixed(0)}`);
console.log(
  `peak resident memory   ${peakMegabytes.toFixed(0)} MB (budget ${BUDGET.peakMegabytes})`,
);
indexer.stop();
source.close();
server.process.kill();
if (obligations < OBLIGATIONS || farmUsers < FARM_USERS) {
  throw new Error(`loaded ${obligations} loans and ${farmUsers} stakes`);
}
reportBudget(bytes <= BUDGET.obligationBytes && peakMegabytes <= BUDGET.peakMegabytes);
