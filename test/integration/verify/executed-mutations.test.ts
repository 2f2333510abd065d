import { expect, test } from 'vitest';
import { verifyTransaction } from '#client/verify/index.ts';
import { resultOrError } from '#core/builders/result-or-error.ts';
import { seededRandom } from '../../support/random/json-mutations.ts';
import {
  type ExecutableBuild,
  visitExecutableBuilds,
} from '../../support/verify/executable-builds.ts';
import { mutateWire } from '../../support/verify/mutable-builds.ts';
import { mutateBuild } from '../../support/verify/mutate-build.ts';
import { effectOf, type TransactionEffect } from '../../support/verify/transaction-effect.ts';
import { tablesOf, wireOf } from '../../support/verify/verified-build.ts';

/** For each operation. */
const { EXECUTED_MUTATIONS = '5', MUTATION_SEED = '1' } = process.env;

/** The most that a priority fee may cost, and the fee of the transaction. */
const MAX_FEE = 1_010_000n;

/** Per thousand: cTokens within their tolerance, and shares for tokens up to `maxShares`. */
const TOLERANCE: Readonly<Record<string, bigint>> = {
  'lend-withdraw': 3n,
  'lend-deleverage': 3n,
  'vault-withdraw tokens': 5n,
};

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** What differs from the effect of the build more than the guide says. */
function differencesOf(
  operation: string,
  effect: TransactionEffect,
  original: TransactionEffect,
): string[] {
  const keys = new Set([...effect.changes.keys(), ...original.changes.keys()]);
  return [...keys].flatMap((key) => {
    const [found = 0n, expected = 0n] = [effect.changes.get(key), original.changes.get(key)];
    // a claim may leave out a reward
    if (operation === 'farm-claim' && !key.startsWith('sol ') && found === 0n) return [];
    const part = ((TOLERANCE[operation] ?? 0n) * abs(expected)) / 1_000n;
    const most = key.startsWith('sol ') ? part + MAX_FEE : part;
    return abs(found - expected) <= most ? [] : [`${key}: ${found} instead of ${expected}`];
  });
}

type Counts = { tried: number; accepted: number; executed: number };

async function tryMutations({ build, cluster }: ExecutableBuild, seed: number): Promise<Counts> {
  const { request, chainData, wallet } = build;
  const random = seededRandom(seed);
  const wire = wireOf(build);
  const lookupTables = tablesOf(build.lookupTables);
  const original = effectOf(wire, { cluster, wallet });
  expect({ name: build.name, outcome: original.outcome }).toEqual({
    name: build.name,
    outcome: 'success',
  });
  expect(original.changes.size).toBeGreaterThan(1);
  const counts = { tried: 0, accepted: 0, executed: 0 };
  while (counts.tried < Number(EXECUTED_MUTATIONS)) {
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
    if (effect.outcome !== 'success') continue;
    counts.executed += 1;
    const kind = 'unit' in request ? `${request.operation} ${request.unit}` : request.operation;
    const differences = differencesOf(kind, effect, original);
    expect({
      name: build.name,
      differences,
      transaction: base64(differences, transaction),
    }).toEqual({ name: build.name, differences: [], transaction: '' });
  }
  return counts;

  /** What cannot be compiled is no transaction. */
  function resultOrWire(compile: () => Uint8Array): Uint8Array {
    const result = resultOrError(compile);
    return result instanceof Uint8Array ? result : wire;
  }
}

/** To repeat what was found. */
const base64 = (differences: readonly string[], transaction: Uint8Array): string =>
  differences.length === 0 ? '' : Buffer.from(transaction).toString('base64');

test(`every accepted one of ${EXECUTED_MUTATIONS} changed transactions of each operation has the effect of the request (seed ${MUTATION_SEED})`, async () => {
  const operations = new Map<string, Counts>();
  let index = 0;
  await visitExecutableBuilds(async (executable) => {
    index += 1;
    const counts = await tryMutations(executable, Number(MUTATION_SEED) * 1_000 + index);
    operations.set(`${executable.build.name} ${index}`, counts);
  });
  const names = [...operations.keys()].map((name) => name.replace(/ \d+$/, ''));
  expect([...new Set(names)].sort()).toEqual([
    ...['farm-claim', 'lend-borrow', 'lend-deleverage', 'lend-deposit', 'lend-exit'],
    ...['lend-multiply', 'lend-repay', 'lend-withdraw', 'vault-deposit', 'vault-withdraw'],
  ]);
  const counts = [...operations.values()];
  // signature and blockhash are about a tenth of the bytes
  const executed = counts.reduce((sum, each) => sum + each.executed, 0);
  const tried = counts.reduce((sum, each) => sum + each.tried, 0);
  expect(executed).toBeGreaterThan(tried / 100);
  if (Number(EXECUTED_MUTATIONS) > 1_000) console.table(Object.fromEntries(operations));
});
