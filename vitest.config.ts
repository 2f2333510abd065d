import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';

// many files open the embedded database and ask it little: it is to be compiled quickly, not well
setFlagsFromString('--liftoff-only');

/** `unit` shares one thread of modules and must not share mutable state; `system` starts real processes. */
export default defineConfig({
  test: {
    // one less by default, which leaves half of a small machine idle
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'test/{api,chain,contract,indexer,localnet,parity,state}/**/*.test.ts',
          ],
          pool: 'threads',
          isolate: false,
          // a machine that has other things to do fails no test
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          globalSetup: 'test/support/build.ts',
          testTimeout: 90_000,
        },
      },
    ],
  },
});
