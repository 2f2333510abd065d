import type { Command } from '../command.ts';
import { historySettingNames, historyStartFlags } from './history-flags.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'Copy market and price series of another instance into the history.',
  args: [],
  flags: [
    {
      name: 'from',
      value: 'URL',
      description: 'Base URL of the API to copy from.',
      isRequired: true,
    },
    ...historyStartFlags,
  ],
  settings: historySettingNames,
  dataDir: 'write',
  run: async ({ flags, config }) => {
    const { from = '', until, days } = flags;
    const { runImport } = await import('../../composition/tasks/import-series.ts');
    return runImport(config, { from, until, days });
  },
};
