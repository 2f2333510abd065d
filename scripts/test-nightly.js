import { spawnSync } from 'node:child_process';

/*
 * The tests that take too long for every change: 50 seeds of faults of a deployment with several processes, their alerts, an hour of a
 * hundredth of mainnet, and 200 combinations of faults of a node.
 *
 *   npm run test:nightly             CHAOS_SEEDS=200 MAINNET_MINUTES=600 npm run test:nightly
 */
const { CHAOS_SEEDS = '50', MAINNET_MINUTES = '60', FAULT_SEEDS = '200' } = process.env;
const env = { ...process.env, CHAOS_SEEDS, MAINNET_MINUTES, FAULT_SEEDS };
const files = [
  'test/chaos/chaos.test.ts',
  'test/chaos/fault-alerts.test.ts',
  'test/chaos/miniature-mainnet.test.ts',
  'test/integration/cluster/fault-mix.test.ts',
];
const statuses = files.map((file) => {
  const { status } = spawnSync('npx', ['vitest', 'run', file], { stdio: 'inherit', env });
  return status ?? 1;
});
process.exitCode = Math.max(...statuses);
