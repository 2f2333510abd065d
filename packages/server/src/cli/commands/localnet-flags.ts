import type { CommandFlag } from '../command.ts';

/** Flags of the commands that start the embedded cluster. */
export const localnetFlags: readonly CommandFlag[] = [
  {
    name: 'seed',
    value: 'TEXT',
    description: 'Same as --localnet-seed.',
    setting: 'localnetSeed',
  },
  {
    name: 'days',
    value: 'N',
    description: 'Same as --localnet-days.',
    setting: 'localnetDays',
  },
  {
    name: 'until',
    value: 'TIME',
    description: 'Same as --localnet-until.',
    setting: 'localnetUntil',
  },
  {
    name: 'speed',
    value: 'N',
    description: 'Same as --localnet-speed.',
    setting: 'localnetSpeed',
  },
  {
    name: 'programs',
    value: 'DIR',
    description: 'Same as --localnet-programs.',
    setting: 'localnetPrograms',
  },
  {
    name: 'fresh',
    description: 'Delete the stored cluster and its history, and simulate them again.',
  },
];
