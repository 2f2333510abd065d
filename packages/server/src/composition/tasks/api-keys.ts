import type { Config } from '../../cli/settings/settings.ts';
import { formatTable } from '../../cli/terminal/text-table.ts';
import { CodedError } from '../../errors.ts';
import { type ApiKeyRecord, generateApiKey } from '../../http/auth/api-keys.ts';
import { parseRateLimitPolicy } from '../../http/limits/rate-limit.ts';
import { type KeyStorage, withKeyStorage } from './key-storage.ts';

type NewApiKey = {
  readonly name: string;
  readonly limit: string | undefined;
  readonly now: number;
};

/** Adds a key and returns it with its location. Only its hash is stored, so it cannot be shown again. */
export async function createApiKey(
  config: Config,
  { name, limit, now }: NewApiKey,
): Promise<{ readonly key: string } & Pick<KeyStorage, 'location' | 'isShared'>> {
  if (limit !== undefined && parseRateLimitPolicy('key', limit) === undefined) {
    const accepts = 'a limit such as 6000/1m (units s, m, h)';
    throw new CodedError('INVALID_SETTING', { name: '--limit', value: limit, accepts });
  }
  const { key, record } = generateApiKey(name, limit ?? null, now);
  return withKeyStorage(config, async ({ location, isShared, merge }) => {
    await merge([record]);
    return { key, location, isShared };
  });
}

export async function revokeApiKey(config: Config, id: string, now: number): Promise<void> {
  const revokedAt = new Date(now).toISOString();
  await withKeyStorage(config, async ({ read, merge }) => {
    const record = (await read()).find((each) => each.id === id);
    if (record === undefined) throw new CodedError('KEY_NOT_FOUND', { id });
    if (record.revokedAt === null) await merge([{ ...record, revokedAt }]);
  });
}

/** A table of the keys, oldest first. */
export async function listApiKeys(config: Config): Promise<string> {
  const keys = await withKeyStorage(config, ({ read }) => read());
  if (keys.length === 0) return 'No keys. Create one with: tidegate keys create --name NAME';
  return formatTable(['ID', 'NAME', 'LIMIT', 'CREATED', 'STATE'], keys.map(toRow));
}

function toRow({ id, name, limit, createdAt, revokedAt }: ApiKeyRecord): string[] {
  const state = revokedAt === null ? 'valid' : `revoked ${revokedAt}`;
  return [id, name, limit ?? 'default', createdAt, state];
}
