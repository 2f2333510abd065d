import type { Command } from '../command.ts';
import { historySettingNames } from './history-flags.ts';

export const replayCommand: Command = {
  name: 'replay',
  summary: 'Rebuild all rows of the history from the stored raw accounts and transactions.',
  details: 'HISTORY_RAW_DAYS sets how long raw data is stored.',
  args: [],
  flags: [],
  settings: ['rpcUrl', 'registry', ...historySettingNames],
  dataDir: 'write',
  run: async ({ config }) => {
    const { runReplay } = await import('../../composition/tasks/replay.ts');
    return runReplay(config);
  },
};
