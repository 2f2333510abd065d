import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { simulatedGenesis } from '../localnet/simulated-genesis.ts';
import { PlanRun } from '../random/plan-run.ts';
import { chainDataFrom, type VerifiedBuild } from './verified-build.ts';

const known = new Map<string, Promise<VerifiedBuild[]>>();

/** More leverage, less leverage and a full exit of a random loan, for each seed. */
export async function planBuilds(seeds: readonly string[]): Promise<VerifiedBuild[]> {
  const builds = seeds.map((seed) => {
    const found = known.get(seed) ?? buildPlans(seed);
    known.set(seed, found);
    return found;
  });
  return (await Promise.all(builds)).flat();
}

async function buildPlans(seed: string): Promise<VerifiedBuild[]> {
  const builds: VerifiedBuild[] = [];
  const run = new PlanRun({
    ...cluster(),
    seed,
    onBuild: async ({ build, request, findAccount }) => {
      const chainData = await chainDataFrom(findAccount, request);
      builds.push({ ...build, name: `${request.operation} ${seed}`, request, chainData });
    },
  });
  await run.leverageAndExit();
  return builds;
}

const cluster = () => ({
  genesis: simulatedGenesis('random operations'),
  executor: createModelExecutor(modelPrograms()),
});

/** A multiply transaction that opens a loan of the kind. */
export async function buildOfLoanKind(kind: 'multiply' | 'leverage'): Promise<VerifiedBuild> {
  const builds: VerifiedBuild[] = [];
  const run = new PlanRun({
    ...cluster(),
    seed: '0',
    onBuild: async ({ build, request, findAccount }) => {
      const chainData = await chainDataFrom(findAccount, request);
      builds.push({ ...build, name: kind, request, chainData });
    },
  });
  await run.openOfKind(kind);
  const [build] = builds;
  if (build === undefined) throw new Error(`no loan of the kind ${kind}`);
  return build;
}
