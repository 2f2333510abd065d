import type { Command } from '../command.ts';

const importSeasonsCommand: Command = {
  name: 'rewards import',
  summary: 'Import reward seasons from a JSON file.',
  details:
    'Replaces stored seasons of the same source. A running server applies them within a second.',
  args: [{ name: 'FILE', description: 'JSON file with one season or a list of seasons.' }],
  flags: [],
  settings: ['dataDir'],
  dataDir: 'write',
  run: async ({ args, config }) => {
    const [file = ''] = args;
    const { importSeasons, seasonFilePath } = await import('../files/season-file.ts');
    const seasons = await importSeasons(seasonFilePath(config), file);
    return `Imported ${seasons.map(({ source }) => source).join(', ') || 'nothing'}.`;
  },
};

const listSeasonsCommand: Command = {
  name: 'rewards list',
  summary: 'List the imported reward seasons.',
  args: [],
  flags: [],
  settings: ['dataDir'],
  dataDir: 'read',
  run: async ({ config }) => {
    const { listSeasons } = await import('../../composition/tasks/list-seasons.ts');
    return listSeasons(config);
  },
};

const removeSeasonCommand: Command = {
  name: 'rewards remove',
  summary: 'Remove an imported reward season.',
  details: 'A running server applies it within a second.',
  args: [{ name: 'SOURCE', description: 'Source of the season, as rewards list shows it.' }],
  flags: [],
  settings: ['dataDir'],
  dataDir: 'write',
  run: async ({ args, config }) => {
    const [source = ''] = args;
    const { removeSeason, seasonFilePath } = await import('../files/season-file.ts');
    await removeSeason(seasonFilePath(config), source);
    return `Removed ${source}.`;
  },
};

export const rewardCommands: readonly Command[] = [
  importSeasonsCommand,
  listSeasonsCommand,
  removeSeasonCommand,
];
