import type { Command } from '../command.ts';
import { historySettingNames, historyStartFlags } from './history-flags.ts';

export const backfillCommand: Command = {
  name: 'backfill',
  summary: 'Fetch historical events of the cluster of RPC_URL into the history.',
  details:
    'Stop it with Ctrl+C at any time: the next run continues where it stopped. Stop the server first, unless DATABASE_URL is set.',
  args: [
    {
      name: 'ADDRESS',
      description: 'Fetch only transactions of these accounts. The default is all programs.',
      isRepeatable: true,
    },
  ],
  flags: [
    ...historyStartFlags,
    { name: 'address', value: 'LIST', description: 'Comma-separated list of further ADDRESSes.' },
  ],
  settings: ['rpcUrl', 'rpcBudget', 'commitment', ...historySettingNames],
  dataDir: 'write',
  run: async ({ args, flags, config }) => {
    const { until, days, address = '' } = flags;
    const addresses = [...address.split(','), ...args].filter((text) => text !== '');
    const { runBackfill } = await import('../../composition/tasks/backfill.ts');
    return runBackfill(config, { until, days, addresses });
  },
};
