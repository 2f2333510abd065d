import type { CommandFlag } from '../command.ts';
import type { SettingName } from '../settings/settings.ts';

/** How far back a command goes. */
export const historyStartFlags: readonly CommandFlag[] = [
  {
    name: 'until',
    value: 'TIME',
    description: 'Oldest time to fetch, such as 2026-01-31 or 2026-01-31T12:00:00Z.',
  },
  {
    name: 'days',
    value: 'N',
    description: 'Number of days to fetch, instead of --until. The default is 30.',
  },
];

/** Settings of the commands that write history. */
export const historySettingNames: readonly SettingName[] = [
  'cluster',
  'dataDir',
  'databaseUrl',
  'logLevel',
  'logFormat',
];
