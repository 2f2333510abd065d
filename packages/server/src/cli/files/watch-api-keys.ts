import type { Logger } from '@tidegate/core/base';
import { type ApiKeys, createApiKeys } from '../../http/auth/api-keys.ts';
import { readApiKeys } from './api-key-file.ts';
import { FileWatcher } from './file-watcher.ts';

/** The keys of a file. Created and revoked keys take effect within a second. */
export async function watchApiKeys(
  path: string,
  log: Logger,
): Promise<ApiKeys & { readonly stop: () => void }> {
  const read = async () => createApiKeys(await readApiKeys(path));
  const file = await FileWatcher.open({ path, read, log, failureMessage: 'key file not re-read' });
  return {
    find: (key) => file.content.find(key),
    count: () => file.content.count(),
    stop: () => file.stop(),
  };
}
