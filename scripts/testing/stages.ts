import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A part of the tests that runs as one. */
export type TestStage = {
  readonly name: string;
  readonly summary: string;
  /** Test files, as patterns. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Only tests whose full name has it. */
  readonly namePattern?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Workers beyond the number of cores, for tests that mostly wait. */
  readonly extraWorkers: number;
};

const ALL = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'];

/** Tests that start processes, browsers or database servers, one folder for each stage. */
const PROCESSES = ['test/system/**', 'test/browser/**', 'test/packages/**', 'test/chaos/**'];

/** Recorded simulations and long simulated periods, which take several seconds of CPU time each. */
const SIMULATIONS = ['test/simulation/**'];

/** Servers that follow a node in real time, through its faults. */
const FOLLOWING = ['test/integration/cluster/**', 'test/integration/mainnet/**'];

/** What `npm test` runs. */
export const QUICK_STAGE: TestStage = {
  name: 'quick',
  summary: 'everything in process, and one run of each kind from end to end',
  include: ALL,
  exclude: [...PROCESSES, ...SIMULATIONS, ...FOLLOWING],
  env: { TEST_SERVICES: 'none' },
  // each further worker loads all modules again
  extraWorkers: 0,
};

/** Faults of single processes, connections, disks and clocks, and restores. */
const QUICK_FAULTS =
  '^(writer|api|RPC|connections|packets|slots|disk|clock|replica) |^(PostgreSQL|Redis) stopped$|restored';

/** What `npm run test:all` runs, in this order. */
export const testStages: readonly TestStage[] = [
  QUICK_STAGE,
  {
    name: 'services',
    summary: 'tests on PostgreSQL and Redis',
    include: findTests(/\b(onEachEngine|onPostgres|findPostgresServer|hasRedis)\b/),
    exclude: PROCESSES,
    env: { TEST_SERVICES: 'only' },
    extraWorkers: 1,
  },
  {
    name: 'simulation',
    summary: 'recorded simulations, a year, busy days against a ledger, many loans',
    include: ['test/simulation/**/*.test.ts'],
    exclude: [],
    env: { TEST_SERVICES: 'none' },
    extraWorkers: 0,
  },
  {
    name: 'following',
    summary: 'servers that follow a node through its faults',
    include: FOLLOWING.map((folder) => `${folder}/*.test.ts`),
    exclude: [],
    env: { TEST_SERVICES: 'none' },
    extraWorkers: 2,
  },
  {
    name: 'cases',
    summary: 'properties and fuzz tests with more cases',
    include: findTests(
      /\b(assertProperty|assertAsyncProperty|fuzz-settings|RANDOM_SEEDS|MUTATIONS|EXECUTED_MUTATIONS)\b/,
    ),
    exclude: PROCESSES,
    namePattern: 'property|seed|SEED',
    env: {
      TEST_SERVICES: 'none',
      PROPERTY_FACTOR: '2',
      RANDOM_SEEDS: '4',
      MUTATIONS: '5000',
      EXECUTED_MUTATIONS: '100',
    },
    extraWorkers: 0,
  },
  {
    name: 'system',
    summary: 'the program as processes: commands, roles, workers, streams, guides',
    include: ['test/system/**/*.test.ts'],
    exclude: [],
    env: { FUZZ_REQUESTS: '8000' },
    extraWorkers: 2,
  },
  {
    name: 'browser',
    summary: 'explorer, documentation and client in Chromium',
    include: ['test/browser/**/*.test.ts'],
    exclude: [],
    env: {},
    extraWorkers: 2,
  },
  {
    name: 'packages',
    summary: 'packages as published, examples, and the official SDK',
    include: ['test/packages/**/*.test.ts'],
    exclude: [],
    env: {},
    extraWorkers: 1,
  },
  {
    name: 'chaos',
    summary: 'faults of a deployment with several processes',
    include: ['test/chaos/chaos.test.ts'],
    exclude: [],
    // each of the quick faults once; those that rotate a password or restart everything run in the nightly
    env: { CHAOS_SEED: '4', CHAOS_FAULTS: QUICK_FAULTS },
    extraWorkers: 0,
  },
];

/** Vitest alone, without a stage, knows all tests. */
const EVERY_TEST: TestStage = {
  name: 'all',
  summary: 'all tests',
  include: ALL,
  exclude: [],
  env: {},
  extraWorkers: 1,
};

/** Throws if there is no stage of that name. */
export function findStage(name: string | undefined): TestStage {
  if (name === undefined) return EVERY_TEST;
  const found = testStages.find((stage) => stage.name === name);
  if (found !== undefined) return found;
  const known = testStages.map((stage) => stage.name).join(', ');
  throw new Error(`There is no stage "${name}". Choose from ${known}.`);
}

/** Test files whose text matches, so that a new file cannot be forgotten. */
function findTests(text: RegExp): readonly string[] {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  return ['packages', 'test']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .filter((file) => text.test(readFileSync(join(root, file), 'utf8')));
}
