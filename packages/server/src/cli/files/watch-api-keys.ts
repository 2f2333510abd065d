import type { Logger } from '@tidegate/core/base';
import { createKeyRing, type KeyRing } from '../../http/auth/api-keys.ts';
import { readKeys } from './api-key-file.ts';
import { WatchedFile } from './file-watcher.ts';

/** The keys of a file, followed while the server runs: created and revoked ones count within a second. */
export async function watchKeys(
  path: string,
  log: Logger,
): Promise<KeyRing & { readonly stop: () => void }> {
  const read = async () => createKeyRing(await readKeys(path));
  const file = await WatchedFile.open({ path, read, log, notRead: 'key file not re-read' });
  return { find: (key) => file.content.find(key), stop: () => file.stop() };
}
