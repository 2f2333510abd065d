import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { parseRateLimitPolicy, type RateLimitPolicy } from '../limits/rate-limit.ts';

/** What is stored of a key: enough to recognize it, not enough to make it. */
export type ApiKeyRecord = {
  readonly id: string;
  readonly name: string;
  /** Hex. */
  readonly salt: string;
  /** Hex SHA-256 of salt and secret. The secret has 256 random bits, so a slow hash would add nothing. */
  readonly hash: string;
  /** ISO instants. */
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** Its own limit, such as `6000/1m`; null for the limit of all keys. */
  readonly limit: string | null;
};

type KnownKey = { readonly id: string; readonly policy: RateLimitPolicy | undefined };

/** The keys that are valid now. */
export type ApiKeys = { readonly find: (key: string) => KnownKey | undefined };

const KEY_FORM = /^tg_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

/** A new key, shown once, and the record that recognizes it. */
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
    find: (key) => {
      const [, id, secret] = KEY_FORM.exec(key) ?? [];
      const record = id === undefined ? undefined : valid.get(id);
      if (record === undefined || secret === undefined) return undefined;
      const expected = Buffer.from(record.hash, 'hex');
      const given = hashSecret(record.salt, secret);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      return { id: record.id, policy: policies.get(record.id) };
    },
  };
}

/** The key that a request presents, in `x-api-key` or as bearer; an `authorization` of another kind is none. */
export function readApiKeyHeader(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-api-key'];
  if (own !== undefined) return Array.isArray(own) ? own.join(', ') : own;
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  return /^bearer(?: +(.*))?$/i.exec(authorization)?.slice(1).join('') ?? undefined;
}

function hashSecret(salt: string, secret: string): Buffer {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(secret).digest();
}
