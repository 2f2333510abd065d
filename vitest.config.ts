import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// many test files open the embedded database for a few queries: compile it quickly rather than well
setFlagsFromString('--liftoff-only');

const packages = fileURLToPath(new URL('packages/', import.meta.url));

/** Imports between packages reach the sources, not `dist`, so that tests need no build. */
const alias = [
  { find: /^@tidegate\/localnet$/, replacement: `${packages}localnet/src/index.ts` },
  { find: /^@tidegate\/(core|localnet)\/(.+)$/, replacement: `${packages}$1/src/$2/index.ts` },
];

/** Starts with the tests that mostly wait for processes, the slowest one first, so that none runs alone at the end. */
class SystemFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number => {
      if (moduleId.endsWith('published-packages.test.ts')) return 0;
      return project.name === 'system' ? 1 : 2;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Limits against a test that hangs, not measurements: a test also passes on a machine that is much slower. */
const limits = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
};

/** Test files share the modules of a worker, so they must not share mutable state. `system` starts processes. */
export default defineConfig({
  test: {
    // many tests wait for processes, slots and timeouts, so one worker more than there are cores
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SystemFirst },
    experimental: { fsModuleCache: true },
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          ...limits,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'integration',
          include: ['test/{integration,contract,parity}/**/*.test.ts'],
          globalSetup: 'test/support/processes/global-setup.ts',
          pool: 'threads',
          isolate: false,
          ...limits,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          globalSetup: 'test/support/processes/global-setup.ts',
          pool: 'threads',
          isolate: false,
          ...limits,
        },
      },
    ],
  },
});
