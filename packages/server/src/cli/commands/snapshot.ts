import type { Command } from '../command.ts';

const saveSnapshotCommand: Command = {
  name: 'snapshot save',
  summary: 'Save the embedded cluster and the embedded history in one file.',
  details:
    'Stop the server first. The file has every cluster of DATA_DIR, the imported seasons and a manifest with checksums. It has no API keys unless --with-keys is set, no key files of wallets, and no settings. A snapshot of localnet contains its seed, from which the keys of its test wallets can be derived.',
  args: [{ name: 'FILE', description: 'File to write, a compressed tar archive.' }],
  flags: [
    {
      name: 'with-keys',
      description: 'Also save keys.json: names, limits and salted hashes of the API keys.',
    },
  ],
  settings: ['dataDir'],
  dataDir: 'read',
  run: async ({ args, flags, config }) => {
    const [file = ''] = args;
    const [{ saveSnapshot }, { createServerLog }, { readPackageVersion }] = await Promise.all([
      import('../snapshot/save-snapshot.ts'),
      import('../logging/server-log.ts'),
      import('../settings/package-version.ts'),
    ]);
    const { log, close } = createServerLog(config);
    const withKeys = flags['with-keys'] !== undefined;
    const options = { file, withKeys, version: readPackageVersion(), now: Date.now(), log };
    return saveSnapshot(config, options).finally(close);
  },
};

const loadSnapshotCommand: Command = {
  name: 'snapshot load',
  summary: 'Restore a file of snapshot save into DATA_DIR.',
  details:
    'Stop the server first. The whole file is verified before anything is replaced. After a crash the folder has the old content or the new one. API keys are replaced only if the file has them.',
  args: [{ name: 'FILE', description: 'File that snapshot save has written.' }],
  flags: [
    {
      name: 'force',
      description: 'Replace the cluster, the history and the seasons that DATA_DIR has.',
    },
  ],
  settings: ['dataDir'],
  dataDir: 'write',
  run: async ({ args, flags, config }) => {
    const [file = ''] = args;
    const { loadSnapshot } = await import('../snapshot/load-snapshot.ts');
    return loadSnapshot(config, { file, isForced: flags['force'] !== undefined });
  },
};

export const snapshotCommands: readonly Command[] = [saveSnapshotCommand, loadSnapshotCommand];
