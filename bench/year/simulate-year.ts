import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { chainTimeAt } from '#localnet/runtime/slot-time.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { simulateCluster } from '#localnet/simulation/simulate-cluster.ts';
import { silentLog } from '../../test/support/fakes/silent-log.ts';
import { clusterDigest } from '../../test/support/localnet/cluster-digest.ts';

/** Result of one run. */
export type SimulatedYear = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly transactions: number;
  readonly accounts: number;
  readonly digest: string;
};

/** Fixed end, so that all runs are the same. */
const UNTIL_MS = Date.parse('2026-10-01T00:00:00Z');

const [days = '365'] = process.argv.slice(2);
const plan = {
  seed: 'tidegate',
  days: Number(days),
  until: chainTimeAt(UNTIL_MS),
};
const startedAt = performance.now();
const executor = createModelExecutor(modelPrograms());
const { cluster } = simulateCluster(plan, { executor, log: silentLog });
const { user, system } = process.cpuUsage();
const simulated: SimulatedYear = {
  seconds: (performance.now() - startedAt) / 1000,
  cpuSeconds: (user + system) / 1e6,
  transactions: cluster.transactions.ledger.size,
  accounts: [...cluster.bank.accounts()].length,
  digest: clusterDigest(cluster),
};
process.send?.(simulated);
