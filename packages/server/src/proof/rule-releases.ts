import { farmsReleases } from '@tidegate/core/protocol/farms';
import { klendReleases } from '@tidegate/core/protocol/klend';
import { kvaultReleases } from '@tidegate/core/protocol/kvault';
import type { ProgramRelease, ProgramRules, ReleaseTable } from '@tidegate/core/protocol/releases';
import type { ReplayedReleases } from '@tidegate/localnet/replay';

/** The newest releases that follow the rules. */
export const releasesOfRules = ({ lending, vaults, farms }: ProgramRules): ReplayedReleases => ({
  klend: versionOf(klendReleases, lending),
  kvault: versionOf(kvaultReleases, vaults),
  farms: versionOf(farmsReleases, farms),
});

function versionOf<Rules>(table: ReleaseTable<Rules>, rules: Rules): string {
  const following = table.filter((release) => release.rules === rules);
  const isDeployed = ({ deploySlot }: ProgramRelease<Rules>) => deploySlot !== 'not deployed';
  return (following.findLast(isDeployed) ?? following.at(-1))?.version ?? 'unknown';
}
