import { spawnSync } from 'node:child_process';

/*
 * The tests that take too long for every change: 50 seeds of faults of a deployment with several processes.
 *
 *   npm run test:nightly             CHAOS_SEEDS=200 npm run test:nightly
 */
const { CHAOS_SEEDS = '50' } = process.env;
const { status } = spawnSync('npx', ['vitest', 'run', 'test/system/chaos.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, CHAOS_SEEDS },
});
process.exitCode = status ?? 1;
