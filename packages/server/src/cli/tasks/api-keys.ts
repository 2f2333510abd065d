import { join } from 'node:path';
import { CodedError } from '@tidegate/core/base';
import { type ApiKeyRecord, generateApiKey } from '../../http/auth/api-keys.ts';
import { parseRateLimitPolicy } from '../../http/limits/rate-limit.ts';
import { readApiKeys, updateApiKeys } from '../files/api-key-file.ts';
import type { Config } from '../settings/settings.ts';
import { formatTable } from '../terminal/text-table.ts';

export function apiKeyFilePath({ dataDir }: Config): string {
  return join(dataDir, 'keys.json');
}

type CreateKey = {
  readonly name: string;
  readonly limit: string | undefined;
  readonly now: number;
};

/** Adds a key and returns it; only its hash is stored, so this is the one time that it is seen. */
export async function createApiKey(path: string, wanted: CreateKey): Promise<string> {
  const { name, limit = null, now } = wanted;
  if (limit !== null && parseRateLimitPolicy('key', limit) === undefined) {
    const accepts = 'a limit such as 6000/1m (units s, m, h)';
    throw new CodedError('INVALID_SETTING', { name: '--limit', value: limit, accepts });
  }
  const { key, record } = generateApiKey(name, limit, now);
  await updateApiKeys(path, (keys) => [...keys, record]);
  return key;
}

export async function revokeApiKey(path: string, id: string, now: number): Promise<void> {
  const revokedAt = new Date(now).toISOString();
  await updateApiKeys(path, (keys) => {
    if (!keys.some((key) => key.id === id)) throw new CodedError('KEY_NOT_FOUND', { id });
    return keys.map((key) =>
      key.id === id && key.revokedAt === null ? { ...key, revokedAt } : key,
    );
  });
}

/** A table for people, oldest first. */
export async function listApiKeys(path: string): Promise<string> {
  const keys = await readApiKeys(path);
  if (keys.length === 0) return 'No keys. Create one with: tidegate keys create --name NAME';
  return formatTable(['ID', 'NAME', 'LIMIT', 'CREATED', 'STATE'], keys.map(toRow));
}

function toRow({ id, name, limit, createdAt, revokedAt }: ApiKeyRecord): string[] {
  const state = revokedAt === null ? 'valid' : `revoked ${revokedAt}`;
  return [id, name, limit ?? 'default', createdAt, state];
}
