import fc from 'fast-check';
import { goldenBuilds, goldenLiquidation } from './golden-builds.ts';
import {
  lendingBuildOf,
  randomLendingBuilds,
  randomWithdrawals,
  vaultDepositBuildOf,
  withdrawalBuildOf,
} from './random-verified-builds.ts';
import { type VerifiedBuild, withinPacket } from './verified-build.ts';

const SEED = 23;

/** Builds of every operation: the golden flows, and some for random loans and vaults. */
export async function exampleBuilds(): Promise<VerifiedBuild[]> {
  const loans = fc.sample(randomLendingBuilds, { numRuns: 40, seed: SEED });
  const vaults = fc.sample(randomWithdrawals, { numRuns: 12, seed: SEED });
  const builds = await Promise.all([
    goldenBuilds(),
    goldenLiquidation().then((build) => [build]),
    ...loans.map(async (loan) => [await lendingBuildOf(loan)]),
    ...vaults.map(async (vault) => [await withdrawalBuildOf(vault)]),
    ...vaults.slice(0, 4).map(async (vault) => [await vaultDepositBuildOf(vault, 1_000_003n)]),
  ]);
  return builds.flat().flatMap((build) => (build && withinPacket(build)) ?? []);
}
