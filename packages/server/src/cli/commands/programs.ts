import type { Command } from '../command.ts';

const pullProgramsCommand: Command = {
  name: 'programs pull',
  summary: 'Download the program binaries of a cluster, for --localnet-programs.',
  args: [],
  flags: [
    {
      name: 'rpc',
      value: 'URL',
      description: 'JSON-RPC endpoint of the cluster.',
      isRequired: true,
    },
    { name: 'out', value: 'DIR', description: 'Folder to write to.', isRequired: true },
  ],
  settings: [],
  run: async ({ flags, config }) => {
    const { rpc = '', out = '' } = flags;
    const { pullPrograms } = await import('../../composition/tasks/pull-programs.ts');
    return pullPrograms(rpc, out, config.logFormat);
  },
};

export const programCommands: readonly Command[] = [pullProgramsCommand];
