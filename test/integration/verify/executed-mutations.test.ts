import { expect, test } from 'vitest';
import { verifyTransaction } from '#client/verify/index.ts';
import { resultOrError } from '#core/builders/result-or-error.ts';
import { seededRandom } from '../../support/random/json-mutations.ts';
import type { ExecutableBuild } from '../../support/verify/build-run.ts';
import { differencesOf } from '../../support/verify/effect-differences.ts';
import { visitExecutableBuilds } from '../../support/verify/executable-builds.ts';
import { mutateWire } from '../../support/verify/mutable-builds.ts';
import { mutateBuild } from '../../support/verify/mutate-build.ts';
import { effectOf } from '../../support/verify/transaction-effect.ts';
import { tablesOf, wireOf } from '../../support/verify/verified-build.ts';

/** For each operation. */
const { EXECUTED_MUTATIONS = '5', MUTATION_SEED = '1' } = process.env;

/** Builds of the same operation share its number of mutations. */
const BUILDS: Readonly<Record<string, number>> = {
  'farm-claim': 1,
  'lend-borrow': 1,
  'lend-deleverage': 1,
  'lend-deposit': 1,
  'lend-exit': 1,
  'lend-liquidate': 2,
  'lend-multiply': 1,
  'lend-repay': 2,
  'lend-withdraw': 2,
  'vault-deposit': 1,
  'vault-exit': 2,
  'vault-withdraw': 3,
};

type Counts = { tried: number; accepted: number; rejectedByProgram: number; executed: number };

/** An accepted transaction with another effect, to repeat it. */
type Difference = {
  readonly name: string;
  readonly differences: readonly string[];
  readonly transaction: string;
};

type Run = { readonly counts: Counts; readonly found: readonly Difference[] };

async function tryMutations({ build, cluster }: ExecutableBuild, seed: number): Promise<Run> {
  const { request, chainData, wallet, name } = build;
  const random = seededRandom(seed);
  const wire = wireOf(build);
  const lookupTables = tablesOf(build.lookupTables);
  const original = effectOf(wire, { cluster, wallet });
  expect({ name, outcome: original.outcome }).toEqual({ name, outcome: 'success' });
  expect(original.changes.size).toBeGreaterThan(1);
  const counts = { tried: 0, accepted: 0, rejectedByProgram: 0, executed: 0 };
  const found: Difference[] = [];
  const most = Math.ceil(Number(EXECUTED_MUTATIONS) / (BUILDS[name] ?? 1));
  while (counts.tried < most) {
    const compiled =
      random(2) === 0 ? wire : resultOrWire(() => wireOf(mutateBuild(build, random)));
    const transaction =
      compiled === wire || random(4) === 0 ? mutateWire(compiled, random) : compiled;
    if (Buffer.compare(transaction, wire) === 0) continue;
    counts.tried += 1;
    const { verdict } = await verifyTransaction({ request, transaction, lookupTables, chainData });
    if (verdict !== 'accepted') continue;
    counts.accepted += 1;
    const effect = effectOf(transaction, { cluster, wallet });
    if (effect.outcome !== 'success') {
      counts.rejectedByProgram += 1;
      continue;
    }
    counts.executed += 1;
    const differences = differencesOf(build, effect, original);
    if (differences.length === 0 || found.length === MAX_FOUND) continue;
    found.push({ name, differences, transaction: Buffer.from(transaction).toString('base64') });
  }
  return { counts, found };

  /** What cannot be compiled is no transaction. */
  function resultOrWire(compile: () => Uint8Array): Uint8Array {
    const result = resultOrError(compile);
    return result instanceof Uint8Array ? result : wire;
  }
}

/** So many say enough. */
const MAX_FOUND = 20;

const isLong = Number(EXECUTED_MUTATIONS) > 1_000;
/** A mutation takes up to some milliseconds on a busy machine. */
const timeout = Math.max(120_000, Number(EXECUTED_MUTATIONS) * Object.keys(BUILDS).length * 10);

test(`every accepted one of ${EXECUTED_MUTATIONS} changed transactions of each operation has the effect of the request (seed ${MUTATION_SEED})`, {
  timeout,
}, async () => {
  const runs: (Run & { readonly name: string })[] = [];
  await visitExecutableBuilds(async (executable) => {
    const { name } = executable.build;
    const seed = Number(MUTATION_SEED) * 1_000 + runs.length;
    const run = await tryMutations(executable, seed);
    runs.push({ name, ...run });
    if (isLong) console.info(name, JSON.stringify({ ...run.counts, found: run.found }));
  });
  expect(Object.fromEntries(countNames(runs))).toEqual(BUILDS);
  expect(runs.flatMap(({ found }) => found)).toEqual([]);
  // signature and blockhash are about a tenth of the bytes
  const sum = (field: keyof Counts) => runs.reduce((total, { counts }) => total + counts[field], 0);
  expect(sum('executed')).toBeGreaterThan(sum('tried') / 100);
});

function countNames(runs: readonly { readonly name: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of runs) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
