import type { ApiKeyRecord } from './api-keys.ts';

/** The keys of both lists, oldest first. A key that one of them has revoked is revoked. */
export function mergeApiKeys(
  first: readonly ApiKeyRecord[],
  second: readonly ApiKeyRecord[],
): readonly ApiKeyRecord[] {
  const merged = new Map(first.map((record) => [record.id, record]));
  for (const record of missingApiKeys(second, first)) merged.set(record.id, record);
  return [...merged.values()].sort((a, b) => compareText(a.createdAt, b.createdAt));
}

/** The keys of `source` that `target` has not, or has not revoked. */
export function missingApiKeys(
  source: readonly ApiKeyRecord[],
  target: readonly ApiKeyRecord[],
): readonly ApiKeyRecord[] {
  const known = new Map(target.map((record) => [record.id, record]));
  return source.filter(({ id, revokedAt }) => {
    const record = known.get(id);
    return record === undefined || (revokedAt !== null && record.revokedAt === null);
  });
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
