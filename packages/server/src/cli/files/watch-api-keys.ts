import type { Logger } from '@tidegate/core/base';
import { type ApiKeys, createApiKeys } from '../../http/auth/api-keys.ts';
import { mergeApiKeys } from '../../http/auth/merge-api-keys.ts';
import type { RedisApiKeys } from '../../sharing/redis-api-keys.ts';
import { SharedApiKeys } from '../../sharing/shared-api-keys.ts';
import { readApiKeys, updateApiKeys } from './api-key-file.ts';
import { FileWatcher } from './file-watcher.ts';

export type WatchedApiKeys = ApiKeys & { readonly stop: () => void };

const failureMessage = 'key file not re-read';

/** The keys of a file. Created and revoked keys take effect within a second. */
export async function watchApiKeys(path: string, log: Logger): Promise<WatchedApiKeys> {
  const read = async () => createApiKeys(await readApiKeys(path));
  const file = await FileWatcher.open({ path, read, log, failureMessage });
  return {
    find: (key) => file.content.find(key),
    count: () => file.content.count(),
    stop: () => file.stop(),
  };
}

/** The keys of a file and those in Redis, which several processes share. */
export async function watchSharedApiKeys(
  path: string,
  remote: RedisApiKeys,
  log: Logger,
): Promise<WatchedApiKeys> {
  const file = await FileWatcher.open({ path, read: readApiKeys, log, failureMessage });
  const local = {
    records: () => file.content,
    merge: (records: Parameters<typeof mergeApiKeys>[1]) =>
      updateApiKeys(path, (stored) => mergeApiKeys(stored, records)),
  };
  const keys = await SharedApiKeys.open({ remote, local, log });
  return {
    find: (key) => keys.find(key),
    count: () => keys.count(),
    stop() {
      keys.stop();
      file.stop();
    },
  };
}
