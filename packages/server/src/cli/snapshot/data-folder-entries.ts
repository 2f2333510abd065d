import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CLUSTER_NAMES, type ClusterName } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import type { SnapshotEntry } from './snapshot-manifest.ts';

/** Everything that a snapshot replaces when it is loaded. API keys are replaced only if it has them. */
export const REPLACED_NAMES = ['localnet', 'history', 'seasons.json'] as const;
export const API_KEYS_NAME = 'keys.json';

const LOCALNET_FILES = ['cluster.snapshot', 'cluster.journal', 'cluster.runs'];

/** Names a process that has the database open. */
const PROCESS_FILES = new Set(['postmaster.pid', 'postmaster.opts']);

/** Clusters with an embedded database in the data folder. */
export const storedClusters = (dataDir: string): readonly ClusterName[] =>
  CLUSTER_NAMES.filter((name) => existsSync(join(dataDir, 'history', name, 'database')));

/** Files and folders of the data folder that belong into a snapshot, with checksums, parents first. */
export async function listSnapshotEntries(
  dataDir: string,
  hasApiKeys: boolean,
): Promise<readonly SnapshotEntry[]> {
  const clusters = storedClusters(dataDir);
  const hasLocalnet = existsSync(join(dataDir, 'localnet', 'cluster.snapshot'));
  const paths = [
    ...(clusters.length > 0 ? ['history'] : []),
    ...clusters.flatMap((name) => [
      `history/${name}`,
      ...listTree(dataDir, `history/${name}/database`),
    ]),
    ...(hasLocalnet ? ['localnet', ...LOCALNET_FILES.map((name) => `localnet/${name}`)] : []),
    'seasons.json',
    ...(hasApiKeys ? [API_KEYS_NAME] : []),
  ];
  const entries: SnapshotEntry[] = [];
  for (const path of paths) {
    const found = statSync(join(dataDir, path), { throwIfNoEntry: false });
    if (found?.isDirectory()) entries.push({ path });
    else if (found !== undefined) entries.push(await describeFile(dataDir, path));
  }
  return entries;
}

async function describeFile(dataDir: string, path: string): Promise<SnapshotEntry> {
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(createReadStream(join(dataDir, path)), async (chunks) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
    }
  });
  return { path, size, sha256: hash.digest('hex') };
}

/** A folder and everything below it, parents first. */
function listTree(dataDir: string, folder: string): string[] {
  const children = readdirSync(join(dataDir, folder), { withFileTypes: true })
    .filter(({ name }) => !PROCESS_FILES.has(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [
    folder,
    ...children.flatMap((child) => {
      const path = `${folder}/${child.name}`;
      if (child.isDirectory()) return listTree(dataDir, path);
      if (child.isFile()) return [path];
      const reason = `${join(dataDir, path)} is neither a file nor a folder.`;
      throw new CodedError('INVALID_USAGE', { reason, command: 'snapshot save' });
    }),
  ];
}
