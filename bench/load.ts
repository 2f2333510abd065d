import { parseArgs } from 'node:util';
import { ClusterState } from '#core/state/cluster-state.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { createIndexer } from '#server/indexer/follow/indexer.ts';
import { silentLog } from '../test/support/fakes/silent-log.ts';
import { startRpcServer } from './load/start-rpc-server.ts';

/**
 * First load of many loans from a node on this machine, whose slots pass meanwhile: how long it takes, and how much
 * memory they keep. Followed over WebSocket, or by polling (`--poll`).
 */
const { values, positionals } = parseArgs({
  options: { poll: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const OBLIGATIONS = Number(positionals[0] ?? 100_000);
const BUDGET_BYTES = 300;

const server = await startRpcServer(OBLIGATIONS);
const clock = Date.now;
const source = createClusterSource({
  ...{ commitment: 'confirmed', clock, random: Math.random, log: silentLog },
  rpcUrls: [new URL(server.rpcUrl)],
  wsUrls: values.poll ? [] : [new URL(server.wsUrl)],
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

console.log(`followed               ${values.poll ? 'by polling' : 'over WebSocket'}`);
console.log(`obligations            ${obligations}`);
console.log(`first load             ${seconds.toFixed(1)} s`);
console.log(`of it CPU              ${((user + system) / 1e6).toFixed(1)} s`);
console.log(`bytes per obligation   ${bytes.toFixed(0)} (budget ${BUDGET_BYTES})`);
indexer.stop();
source.close();
server.process.kill();
process.exitCode = bytes <= BUDGET_BYTES && obligations >= OBLIGATIONS ? 0 : 1;
