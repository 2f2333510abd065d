import type { Command } from '../command.ts';

const createKeyCommand: Command = {
  name: 'keys create',
  summary: 'Create an API key and print it once.',
  details:
    'Only the hash of the key is stored. A running server accepts the key within a second; with REDIS_URL, all servers with that Redis do.',
  args: [],
  flags: [
    { name: 'name', value: 'NAME', description: 'Name to show in keys list.' },
    {
      name: 'limit',
      value: 'N/T',
      description: 'Rate limit of this key, such as 6000/1m. The default is RATE_LIMIT_KEY.',
    },
  ],
  settings: ['dataDir', 'redisUrl'],
  dataDir: 'write',
  run: async ({ flags, config, isDataDirCreated }) => {
    const { name = 'unnamed', limit } = flags;
    const { createApiKey } = await import('../../composition/tasks/api-keys.ts');
    const { key, location, isShared } = await createApiKey(config, {
      name,
      limit,
      now: Date.now(),
    });
    const isNewFolder = isDataDirCreated && !isShared;
    const newFolder = isNewFolder
      ? 'DATA_DIR did not exist and was created. The key works for servers with the same DATA_DIR.\n'
      : '';
    process.stderr.write(
      `Store this key now: only its hash is saved, so it is not shown again.\nSaved in ${location}.\n${newFolder}`,
    );
    return key;
  },
};

const listKeysCommand: Command = {
  name: 'keys list',
  summary: 'List the API keys and whether they are valid.',
  args: [],
  flags: [],
  settings: ['dataDir', 'redisUrl'],
  dataDir: 'read',
  run: async ({ config }) => {
    const { listApiKeys } = await import('../../composition/tasks/api-keys.ts');
    return listApiKeys(config);
  },
};

const revokeKeyCommand: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key.',
  details:
    'A running server rejects the key within a second; with REDIS_URL, all servers with that Redis do.',
  args: [{ name: 'ID', description: 'ID of the key, as keys list shows it.' }],
  flags: [],
  settings: ['dataDir', 'redisUrl'],
  dataDir: 'write',
  run: async ({ args, config }) => {
    const [id = ''] = args;
    const { revokeApiKey } = await import('../../composition/tasks/api-keys.ts');
    await revokeApiKey(config, id, Date.now());
    return `Revoked ${id}.`;
  },
};

export const keyCommands: readonly Command[] = [
  createKeyCommand,
  listKeysCommand,
  revokeKeyCommand,
];
