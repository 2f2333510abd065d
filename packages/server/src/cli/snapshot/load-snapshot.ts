import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CodedError } from '../../errors.ts';
import { allMigrations } from '../../history/migrations/all-migrations.ts';
import type { Config } from '../settings/settings.ts';
import { API_KEYS_NAME, REPLACED_NAMES } from './data-folder-entries.ts';
import { commitRestore, completeRestore, lockRestore, stagedFolder } from './restore-marker.ts';
import { describeContent, lockStored } from './save-snapshot.ts';
import type { SnapshotManifest } from './snapshot-manifest.ts';
import { stageArchive } from './stage-archive.ts';

type LoadOptions = {
  readonly file: string;
  /** Replaces what the data folder has. */
  readonly isForced: boolean;
};

/**
 * Restores a snapshot into the data folder. Nothing is replaced before the whole file is verified, and a crash leaves
 * the old content or the new one. Returns a summary.
 */
export async function loadSnapshot(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  options: LoadOptions,
): Promise<string> {
  const dataDir = resolve(config.dataDir);
  const file = resolve(options.file);
  if (config.databaseUrl.value !== undefined) {
    const reason = 'DATABASE_URL is set. A snapshot is of embedded databases.';
    throw new CodedError('INVALID_USAGE', { reason, command: 'snapshot load' });
  }
  const lock = lockRestore(dataDir);
  const staged = stagedFolder(dataDir);
  try {
    const releaseStored = lockStored(dataDir);
    try {
      rmSync(staged, { recursive: true, force: true });
      mkdirSync(staged, { mode: 0o700 });
      const accept = (manifest: SnapshotManifest): void => {
        requireKnownMigrations(manifest);
        if (!options.isForced) requireEmpty(dataDir, manifest);
      };
      const manifest = await stageArchive(file, staged, accept);
      // a server may have started meanwhile
      accept(manifest);
      await replaceContent(dataDir, manifest);
      return `Restored ${file} into ${dataDir}\n${describeContent(manifest)}`;
    } finally {
      releaseStored();
    }
  } finally {
    if (!existsSync(join(dataDir, 'restore.json')))
      rmSync(staged, { recursive: true, force: true });
    lock.release();
  }
}

async function replaceContent(dataDir: string, manifest: SnapshotManifest): Promise<void> {
  const names = replacedNames(manifest);
  const isStaged = (name: string) => existsSync(join(stagedFolder(dataDir), name));
  await commitRestore(dataDir, {
    restored: names.filter(isStaged),
    removed: names.filter((name) => !isStaged(name)),
  });
  await completeRestore(dataDir);
}

const replacedNames = ({ hasApiKeys }: SnapshotManifest): readonly string[] => [
  ...REPLACED_NAMES,
  ...(hasApiKeys ? [API_KEYS_NAME] : []),
];

function requireEmpty(dataDir: string, manifest: SnapshotManifest): void {
  const found = replacedNames(manifest).filter((name) => hasContent(join(dataDir, name)));
  if (found.length === 0) return;
  throw new CodedError('DATA_FOLDER_NOT_EMPTY', { folder: dataDir, found: found.join(', ') });
}

function hasContent(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isDirectory()) return true;
  return readdirSync(path).some((name) => !name.endsWith('.lock'));
}

/** A database that a later release has migrated cannot be opened. */
function requireKnownMigrations({ clusters }: SnapshotManifest): void {
  for (const { migrations } of clusters) {
    const unknown = migrations.find((name, position) => allMigrations[position]?.name !== name);
    if (unknown !== undefined) throw new CodedError('DATABASE_TOO_NEW', { migration: unknown });
  }
}
