import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { parseRateLimitPolicy, type RateLimitPolicy } from '../limits/rate-limit.ts';

/** Stored form of a key. The key cannot be derived from it. */
export type ApiKeyRecord = {
  readonly id: string;
  readonly name: string;
  /** Hex. */
  readonly salt: string;
  /** Hex SHA-256 of salt and secret. The secret has 256 random bits, so a slow hash is not needed. */
  readonly hash: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** Rate limit such as `6000/1m`; null for the default limit of keys. */
  readonly limit: string | null;
};

type KnownKey = { readonly id: string; readonly policy: RateLimitPolicy | undefined };

/** The valid keys. */
export type ApiKeys = {
  readonly find: (key: string) => KnownKey | undefined;
  readonly count: () => number;
};

const UNKNOWN = { hash: '00'.repeat(32), salt: '00'.repeat(16) };

const KEY_FORMAT = /^tg_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

/** Creates a key, which is shown once, and its record. */
export function generateApiKey(
  name: string,
  limit: string | null,
  now: number,
): { readonly key: string; readonly record: ApiKeyRecord } {
  const id = randomBytes(6).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  const salt = randomBytes(16).toString('hex');
  const hash = hashSecret(salt, secret).toString('hex');
  const createdAt = new Date(now).toISOString();
  const record = { id, name, salt, hash, createdAt, revokedAt: null, limit };
  return { key: `tg_${id}_${secret}`, record };
}

export function createApiKeys(records: readonly ApiKeyRecord[]): ApiKeys {
  const valid = new Map(
    records.filter((record) => record.revokedAt === null).map((record) => [record.id, record]),
  );
  const policies = new Map(
    records.map(({ id, limit }) => [
      id,
      limit === null ? undefined : parseRateLimitPolicy('key', limit),
    ]),
  );
  return {
    count: () => valid.size,
    find: (key) => {
      const [, id = '', secret] = KEY_FORMAT.exec(key) ?? [];
      if (secret === undefined) return undefined;
      const record = valid.get(id);
      // an unknown id costs the same time as a wrong secret
      const { hash, salt } = record ?? UNKNOWN;
      const expected = Buffer.from(hash, 'hex');
      const actual = hashSecret(salt, secret);
      const isEqual = actual.length === expected.length && timingSafeEqual(actual, expected);
      return record !== undefined && isEqual ? { id, policy: policies.get(id) } : undefined;
    },
  };
}

/** Reads the key from `x-api-key` or a bearer token. Ignores other `authorization` schemes. */
export function readApiKeyHeader(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (key !== undefined) return Array.isArray(key) ? key.join(', ') : key;
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  return /^bearer(?: +(.*))?$/i.exec(authorization)?.slice(1).join('') ?? undefined;
}

function hashSecret(salt: string, secret: string): Buffer {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(secret).digest();
}
