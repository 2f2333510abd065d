import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { CodedError } from '../../errors.ts';
import { ApiKeySchema } from '../../http/auth/api-key-schema.ts';
import type { ApiKeyRecord } from '../../http/auth/api-keys.ts';
import type { Config } from '../settings/settings.ts';
import { readIfPresent, updateFile } from './update-file.ts';

const KeyFileContent = Type.Object({ keys: Type.Array(ApiKeySchema) });
const content = Compile(KeyFileContent);

export const apiKeyFilePath = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  join(dataDir, 'keys.json');

/** A missing file has no keys. A malformed file is an error. */
export async function readApiKeys(path: string): Promise<readonly ApiKeyRecord[]> {
  return parseKeys(await readIfPresent(path), path);
}

/** Atomic, even if several processes change the file. */
export function updateApiKeys(
  path: string,
  change: (keys: readonly ApiKeyRecord[]) => readonly ApiKeyRecord[],
): Promise<void> {
  return updateFile(path, {
    change: (old) => `${JSON.stringify({ keys: change(parseKeys(old, path)) }, null, 2)}\n`,
    toError: (reason) => new CodedError('INVALID_KEY_FILE', { path, reason }),
  });
}

function parseKeys(text: string | undefined, path: string): readonly ApiKeyRecord[] {
  if (text === undefined) return [];
  const parsed = parseJson(text, path);
  if (!content.Check(parsed)) {
    throw new CodedError('INVALID_KEY_FILE', {
      path,
      reason: 'it does not match the key file schema',
    });
  }
  return (parsed satisfies Static<typeof KeyFileContent>).keys;
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CodedError('INVALID_KEY_FILE', { path, reason: 'it is not JSON' }, error);
  }
}
