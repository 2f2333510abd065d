import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { simulatedGenesis } from '../localnet/simulated-genesis.ts';
import { PlanRun } from '../random/plan-run.ts';
import { chainDataFrom, type VerifiedBuild } from './verified-build.ts';

/** More leverage, less leverage and a full exit of a random loan, for each seed. */
export async function planBuilds(seeds: readonly string[]): Promise<VerifiedBuild[]> {
  const genesis = simulatedGenesis('random operations');
  const executor = createModelExecutor(modelPrograms());
  const builds: VerifiedBuild[] = [];
  for (const seed of seeds) {
    const run = new PlanRun({
      ...{ genesis, executor, seed },
      onBuild: async ({ build, request, findAccount }) => {
        const chainData = await chainDataFrom(findAccount, request);
        builds.push({ ...build, name: `${request.operation} ${seed}`, request, chainData });
      },
    });
    await run.leverageAndExit();
  }
  return builds;
}
