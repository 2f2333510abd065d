import { expect, test } from 'vitest';
import { createApiKeys, generateApiKey, readApiKeyHeader } from './api-keys.ts';

const NOW = Date.UTC(2026, 0, 2);

test('a key matches its record, which does not contain the secret', () => {
  const { key, record } = generateApiKey('app', null, NOW);
  const secret = key.slice(`tg_${record.id}_`.length);
  expect(key).toMatch(/^tg_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/);
  expect(JSON.stringify(record)).not.toContain(secret);
  expect(record).toMatchObject({ name: 'app', createdAt: '2026-01-02T00:00:00.000Z' });
  expect(createApiKeys([record]).find(key)).toEqual({ id: record.id, policy: undefined });
});

test('a revoked, altered or unknown key is not found', () => {
  const { key, record } = generateApiKey('app', null, NOW);
  const altered = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
  expect(createApiKeys([record]).find(altered)).toBeUndefined();
  expect(createApiKeys([record]).find(`${key}A`)).toBeUndefined();
  expect(createApiKeys([{ ...record, revokedAt: 'x' }]).find(key)).toBeUndefined();
  expect(createApiKeys([generateApiKey('other', null, NOW).record]).find(key)).toBeUndefined();
  expect(createApiKeys([]).find(key)).toBeUndefined();
});

test('salts and ids are unique', () => {
  const records = Array.from({ length: 50 }, () => generateApiKey('a', null, NOW).record);
  expect(new Set(records.map((record) => record.salt)).size).toBe(50);
  expect(new Set(records.map((record) => record.id)).size).toBe(50);
});

test('a key can have its own limit', () => {
  const { key, record } = generateApiKey('app', '5/1m', NOW);
  const policy = { name: 'key', quota: 5, windowSeconds: 60, field: '"key";q=5;w=60' };
  expect(createApiKeys([record]).find(key)).toMatchObject({ id: record.id, policy });
});

test('a key is read from x-api-key or a bearer token only', () => {
  expect(readApiKeyHeader({ 'x-api-key': 'a' })).toBe('a');
  expect(readApiKeyHeader({ 'x-api-key': '' })).toBe('');
  expect(readApiKeyHeader({ authorization: 'Bearer b' })).toBe('b');
  expect(readApiKeyHeader({ authorization: 'bearer' })).toBe('');
  expect(readApiKeyHeader({ 'x-api-key': 'a', authorization: 'Bearer b' })).toBe('a');
  expect(readApiKeyHeader({ authorization: 'Basic dXNlcjpwYXNz' })).toBeUndefined();
  expect(readApiKeyHeader({})).toBeUndefined();
});
