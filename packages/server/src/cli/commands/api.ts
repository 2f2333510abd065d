import type { Command } from '../command.ts';
import { settingNames } from '../settings/settings.ts';
import { runRole } from './run-role.ts';

export const apiCommand: Command = {
  name: 'api',
  summary: 'Serve the API from the state of an index process.',
  details:
    'Needs REDIS_URL, and DATABASE_URL or READ_DATABASE_URL. Any number of these processes can run; none of them writes to the database. RPC_URL is used only for what a request needs. Runs until SIGINT or SIGTERM.',
  args: [],
  flags: [],
  settings: settingNames,
  dataDir: 'write',
  run: async ({ config }) => {
    const { openApiRole } = await import('../../composition/tasks/api-role.ts');
    await runRole(config, { openRole: openApiRole });
    return undefined;
  },
};
