import { createKeyRing, type KeyRing } from '../api/keys.ts';
import type { Logger } from '../base/log.ts';
import { readKeys } from './key-file.ts';
import { WatchedFile } from './watched-file.ts';

/** The keys of a file, followed while the server runs: created and revoked ones count within a second. */
export async function watchKeys(
  path: string,
  log: Logger,
): Promise<KeyRing & { readonly stop: () => void }> {
  const read = async () => createKeyRing(await readKeys(path));
  const file = await WatchedFile.open({ path, read, log, notRead: 'key file not re-read' });
  return { find: (key) => file.content.find(key), stop: () => file.stop() };
}
