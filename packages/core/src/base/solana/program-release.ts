import type { Slot } from '../time.ts';

/** A release of a program, and the rules that its figures follow. */
export type ProgramRelease<Rules> = {
  readonly version: string;
  /** The slot of its deployment on mainnet. */
  readonly deploySlot: Slot | 'not deployed';
  /** `deploySlot` is estimated from the date of the release, because the deployment itself is not recorded. */
  readonly isEstimated?: true;
  /** sha256 of the deployed executable without trailing zeros, where known. */
  readonly executableHash?: string;
  readonly rules: Rules;
};

/** The releases of a program, oldest first. The first one has slot 0, and those that are not deployed come last. */
export type ReleaseTable<Rules> = readonly [ProgramRelease<Rules>, ...ProgramRelease<Rules>[]];

/** The release that mainnet ran in the slot. */
export function releaseAt<Rules>(table: ReleaseTable<Rules>, slot: Slot): ProgramRelease<Rules> {
  return (
    table.findLast(({ deploySlot }) => deploySlot !== 'not deployed' && deploySlot <= slot) ??
    table[0]
  );
}

/** The newest release that mainnet runs. */
export const newestRelease = <Rules>(table: ReleaseTable<Rules>): ProgramRelease<Rules> =>
  table.findLast(({ deploySlot }) => deploySlot !== 'not deployed') ?? table[0];

/** The newest release that is not newer than the version: `1.16` stands for all that follow its rules. */
export function findRelease<Rules>(
  table: ReleaseTable<Rules>,
  version: string,
): ProgramRelease<Rules> | undefined {
  const newest = table.at(-1)?.version ?? '';
  // nobody knows the rules of a release that is newer than those in the table, except for its patches
  if (compareVersions(minorOf(version), minorOf(newest)) > 0) return undefined;
  return table.findLast((release) => compareVersions(release.version, version) <= 0);
}

const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const length = Math.max(left?.length ?? 0, right?.length ?? 0);
  for (let i = 0; i < length; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
