import type { Command } from '../command.ts';
import { settingNames } from '../settings/settings.ts';
import { runRole } from './run-role.ts';

const STANDBY = { stage: 'standby', done: 0, total: 0 } as const;

export const indexCommand: Command = {
  name: 'index',
  summary: 'Follow the cluster and record its history, for api processes.',
  details:
    'Needs RPC_URL, DATABASE_URL and REDIS_URL. Start it twice: one process writes, the other one takes over if the first is gone. Also serves the API while it writes. Runs until SIGINT or SIGTERM.',
  args: [],
  flags: [],
  settings: settingNames,
  dataDir: 'write',
  run: async ({ config }) => {
    const { openIndexRole } = await import('../../composition/tasks/index-role.ts');
    await runRole(config, { openRole: openIndexRole, idle: STANDBY });
    return undefined;
  },
};
