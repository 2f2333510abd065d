import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Operation } from '../operation.ts';
import { acceptsGzip, chooseEncoding, isNotModified } from './representation.ts';
import { createCachedResponse } from './response-cache.ts';

const operation: Operation = {
  operationId: 'x',
  tag: 'x',
  summary: 'x',
  weight: 1,
  statuses: [],
};
const parts = {
  operation,
  route: '/x',
  version: 1,
  currentVersion: () => 1,
  contentType: 'text/plain',
};

function headersOf(list: readonly string[]): Record<string, string> {
  const pairs = list.flatMap((name, index) =>
    index % 2 === 0 ? [[name, list[index + 1] ?? '']] : [],
  );
  return Object.fromEntries(pairs);
}

test.each([
  ['gzip', true],
  ['gzip, deflate, br', true],
  ['br;q=1.0, GZIP;q=0.8, *;q=0.1', true],
  ['x-gzip', true],
  ['*', true],
  ['gzip;q=0', false],
  ['gzip;q=0.0, *', false],
  ['*;q=0', false],
  ['deflate, br', false],
  ['gzipped', false],
  ['', false],
  [undefined, false],
])('accept-encoding %s accepts gzip: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});

test('a small body is never compressed, a large one only for clients that accept gzip', async () => {
  const gzip = { 'accept-encoding': 'gzip' };
  const small = await createCachedResponse(Buffer.from('a'.repeat(1023)), parts);
  expect(headersOf(chooseEncoding(small, gzip).headers)).not.toHaveProperty('content-encoding');
  const body = Buffer.from('a'.repeat(1024));
  const large = await createCachedResponse(body, parts);
  const plain = chooseEncoding(large, {});
  expect(plain.body).toEqual(body);
  expect(headersOf(plain.headers)).toMatchObject({
    'content-length': '1024',
    vary: 'accept-encoding',
  });
  const zipped = chooseEncoding(large, gzip);
  expect(gunzipSync(zipped.body)).toEqual(body);
  expect(headersOf(zipped.headers)).toMatchObject({
    'content-encoding': 'gzip',
    'content-length': String(zipped.body.length),
    etag: zipped.etag,
  });
  expect(zipped.etag).not.toBe(plain.etag);
});

test('a tag of either encoding matches if-none-match', async () => {
  const response = await createCachedResponse(Buffer.from('a'.repeat(2000)), parts);
  const { etag } = response.plain;
  for (const tag of [etag, response.gzip?.etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    expect(isNotModified(response, tag)).toBe(true);
  }
  expect(isNotModified(response, '"other"')).toBe(false);
  expect(isNotModified(response, undefined)).toBe(false);
  expect(headersOf(response.plain.notModifiedHeaders)).toEqual({
    etag,
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
  });
});

test('equal bodies have equal tags, different bodies different ones', async () => {
  const tag = async (text: string) =>
    (await createCachedResponse(Buffer.from(text), parts)).plain.etag;
  expect(await tag('a')).toBe(await tag('a'));
  expect(await tag('a')).not.toBe(await tag('b'));
});
