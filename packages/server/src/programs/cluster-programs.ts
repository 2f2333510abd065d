import type { Slot } from '@tidegate/core/base';
import {
  type DeployedProgram,
  firstSlotAfter,
  PROGRAM_NAMES,
  type ProgramName,
  type ProgramRules,
  programTables,
  type RunningRelease,
} from '@tidegate/core/protocol/releases';

/** What a cluster runs of the programs, as its program data accounts say. */
export type ClusterPrograms = {
  /** Without programs that do not exist on the cluster, or are not read yet. */
  readonly deployed: readonly DeployedProgram[];
  /** Known releases that the programs ran since this process or its writer started, oldest first. */
  readonly releases: readonly RunningRelease[];
  /** Upgrades that were seen since then. */
  readonly upgrades: readonly SeenUpgrade[];
};

type SeenUpgrade = { readonly program: ProgramName; readonly count: number };

export const NO_PROGRAMS: ClusterPrograms = { deployed: [], releases: [], upgrades: [] };

/** The programs after one of them was read. Releases that were deployed later have been rolled back. */
export function withProgram(
  { deployed, releases, upgrades }: ClusterPrograms,
  found: DeployedProgram,
): ClusterPrograms {
  const { program, deploySlot, release } = found;
  const before = deployed.find((each) => each.program === program);
  const from = firstSlotAfter(deploySlot);
  const earlier = releases.filter((each) => each.program !== program || each.from < from);
  const running = release === undefined ? [] : [{ program, version: release.version, from }];
  const isUpgrade = before !== undefined && isOtherExecutable(before, found);
  return {
    deployed: PROGRAM_NAMES.flatMap(
      (name) => (name === program ? found : deployed.find((each) => each.program === name)) ?? [],
    ),
    releases: [...earlier, ...running],
    upgrades: isUpgrade ? countUpgrade(upgrades, program) : upgrades,
  };
}

/** With releases that were seen before this process started, as far as they ran before what is known. */
export function withEarlierReleases(
  programs: ClusterPrograms,
  earlier: readonly RunningRelease[],
): ClusterPrograms {
  const { deployed, releases } = programs;
  const isEarlier = ({ program, from }: RunningRelease): boolean =>
    [
      ...deployed.filter((each) => each.program === program).map(firstSlotOf),
      ...releases.filter((each) => each.program === program).map((each) => each.from),
    ].every((known) => from < known);
  const added = earlier.filter(isEarlier);
  return added.length === 0 ? programs : { ...programs, releases: [...added, ...releases] };
}

const firstSlotOf = ({ deploySlot }: DeployedProgram): Slot => firstSlotAfter(deploySlot);

export const isOtherExecutable = (a: DeployedProgram, b: DeployedProgram): boolean =>
  a.deploySlot !== b.deploySlot || a.hash !== b.hash;

const countUpgrade = (
  upgrades: readonly SeenUpgrade[],
  program: ProgramName,
): readonly SeenUpgrade[] => [
  ...upgrades.filter((each) => each.program !== program),
  { program, count: upgradesOf(upgrades, program) + 1 },
];

export const upgradesOf = (upgrades: readonly SeenUpgrade[], program: ProgramName): number =>
  upgrades.find((each) => each.program === program)?.count ?? 0;

/** The slot since which the release is not known; undefined for a known one. */
export const unknownSince = ({ release, deploySlot }: DeployedProgram): Slot | undefined =>
  release === undefined ? deploySlot : undefined;

/** The release whose rules figures follow; undefined for the oracle program, which has one set of rules. */
export function rulesVersion(program: ProgramName, rules: ProgramRules): string | undefined {
  const { part, releases } = programTables[program];
  if (part === undefined) return undefined;
  return releases.findLast((release) => release.rules === rules[part])?.version;
}
