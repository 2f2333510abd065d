import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { readSeed } from './scripts/testing/seed.ts';
import { findStage } from './scripts/testing/stages.ts';

// many test files open the embedded database for a few queries: compile it quickly rather than well
setFlagsFromString('--liftoff-only');
// fewer collections of what one test leaves behind
setFlagsFromString('--min-semi-space-size=32');
setFlagsFromString('--max-semi-space-size=64');

const packages = fileURLToPath(new URL('packages/', import.meta.url));

/** Imports between packages reach the sources. */
const alias = [
  { find: /^@tidegate\/(client|localnet)$/, replacement: `${packages}$1/src/index.ts` },
  {
    find: /^@tidegate\/(client|core|localnet)\/(.+)$/,
    replacement: `${packages}$1/src/$2/index.ts`,
  },
];

const isWatching = !process.argv.includes('run');

/**
 * Tests load the compiled modules, which Node.js imports ten times as fast as Vitest the sources. `global-setup.ts`
 * compiles what changed; a watching Vitest loads the sources.
 */
const compiledPackages: NonNullable<ViteUserConfig['plugins']>[number] = {
  name: 'compiled-packages',
  enforce: 'pre',
  resolveId(source, importer = '') {
    const path = source.startsWith('.')
      ? resolve(dirname(importer), source)
      : source.replace(/^#(\w+)\//, `${packages}$1/src/`);
    const [, folder, file] = SOURCE.exec(path) ?? [];
    return folder && !isWatching ? `${folder}/dist/${file}.js` : null;
  },
};

/** A source file of a package that `dist` has too. */
const SOURCE = /^(.*\/packages\/(?:client|core|localnet|server))\/src\/(.+)(?<!\.test)\.ts$/;

/** `npm test` and `npm run test:all` run one stage at a time; Vitest alone knows all test files. */
const stage = findStage(process.env['TEST_STAGE']);

/** Decides the order of files and the cases of property tests. */
const seed = readSeed();
process.env['TEST_SEED'] = `${seed}`;

/** Test files share the modules of a worker, so they must not share mutable state. */
export default defineConfig({
  plugins: [compiledPackages],
  resolve: { alias },
  test: {
    maxWorkers: availableParallelism() + stage.extraWorkers,
    sequence: { shuffle: { files: true, tests: false }, seed },
    experimental: { fsModuleCache: true },
    include: [...stage.include],
    exclude: [...stage.exclude],
    globalSetup: 'test/support/processes/global-setup.ts',
    server: { deps: { external: [/\/packages\/\w+\/dist\//] } },
    pool: 'threads',
    isolate: false,
    // limits against a test that hangs, not measurements: tests also pass on a machine that is much slower
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
