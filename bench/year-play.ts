import { playCluster } from '../src/localnet/played-cluster.ts';
import { modelPrograms } from '../src/localnet/programs/programs.ts';
import { chainTimeAt } from '../src/localnet/slot-clock.ts';
import { createModelExecutor } from '../src/localnet/transactions/model-executor.ts';
import { digestOf } from '../test/support/cluster-digest.ts';
import { silentLog } from '../test/support/silent-log.ts';

/** What one run tells. */
export type YearPlayed = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly transactions: number;
  readonly accounts: number;
  readonly digest: string;
};

/** A time at which every run ends, so that all of them are the same. */
const UNTIL_MS = Date.parse('2026-10-01T00:00:00Z');

const [days = '365', seed = 'tidegate'] = process.argv.slice(2);
const plan = { seed, days: Number(days), until: chainTimeAt(UNTIL_MS) };
const startedAt = performance.now();
const executor = createModelExecutor(modelPrograms());
const { cluster } = playCluster(plan, { executor, log: silentLog });
const { user, system } = process.cpuUsage();
const played: YearPlayed = {
  seconds: (performance.now() - startedAt) / 1000,
  cpuSeconds: (user + system) / 1e6,
  transactions: cluster.transactions.ledger.size,
  accounts: [...cluster.bank.accounts()].length,
  digest: digestOf(cluster),
};
process.send?.(played);
