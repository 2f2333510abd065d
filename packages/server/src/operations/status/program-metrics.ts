import { NO_PROGRAMS, upgradesOf } from '../../programs/cluster-programs.ts';
import type { OperationContext } from '../operation-context.ts';
import { eachCluster, numberOf } from './each-cluster.ts';

/** Registers which releases run. A program that is not read yet has no sample. */
export function registerProgramMetrics(context: OperationContext): void {
  const each = eachCluster(context);
  each(
    {
      name: 'tidegate_program_release_info',
      help: '1 for the release of a program that runs; known is false for one that is not known.',
    },
    ({ programs = () => NO_PROGRAMS }) =>
      programs().deployed.map(({ program, release }) => ({
        labels: { program, release: release?.version ?? '', known: `${release !== undefined}` },
        value: 1,
      })),
  );
  each(
    { name: 'tidegate_program_deploy_slot', help: 'Slot of the last deployment of a program.' },
    ({ programs = () => NO_PROGRAMS }) =>
      programs().deployed.map(({ program, deploySlot }) => ({
        labels: { program },
        value: numberOf(deploySlot),
      })),
  );
  each(
    {
      name: 'tidegate_program_upgrades_total',
      help: 'Upgrades of a program that were seen since the start.',
    },
    ({ programs = () => NO_PROGRAMS }) => {
      const { deployed, upgrades } = programs();
      return deployed.map(({ program }) => ({
        labels: { program },
        value: upgradesOf(upgrades, program),
      }));
    },
  );
}
