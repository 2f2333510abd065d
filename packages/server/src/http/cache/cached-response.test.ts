import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Operation } from '../operation.ts';
import { CachedResponse } from './cached-response.ts';

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

const respond = (text: string) => new CachedResponse(Buffer.from(text), parts);

test('a small body is never compressed, a large one only for clients that accept gzip', async () => {
  const small = respond('a'.repeat(1023));
  expect(small.find('gzip')).toBe(small.plain);
  expect(headersOf(small.plain.headers)).not.toHaveProperty('content-encoding');
  const large = respond('a'.repeat(1024));
  const plain = await large.prepare(undefined);
  expect(plain.body).toEqual(Buffer.from('a'.repeat(1024)));
  expect(headersOf(plain.headers)).toMatchObject({
    'content-length': '1024',
    vary: 'accept-encoding',
  });
  const zipped = await large.prepare('gzip');
  expect(gunzipSync(zipped.body)).toEqual(plain.body);
  expect(headersOf(zipped.headers)).toMatchObject({
    'content-encoding': 'gzip',
    'content-length': String(zipped.body.length),
    etag: zipped.etag,
  });
  expect(zipped.etag).not.toBe(plain.etag);
});

test('a body is compressed once, for the first client that accepts gzip', async () => {
  const response = respond('a'.repeat(2000));
  await response.prepare('identity');
  expect(response.find('gzip')).toBeUndefined();
  expect(response.bytes).toBe(2000);
  const compressing = [response.prepare('gzip'), response.prepare('gzip')] as const;
  // does not wait
  expect(response.prepare(undefined)).toBe(response.plain);
  const [first, second] = await Promise.all(compressing);
  expect(second).toBe(first);
  expect(response.find('gzip')).toBe(first);
  expect(response.find(undefined)).toBe(response.plain);
  expect(response.bytes).toBe(2000 + first.body.length);
});

test('a tag of either encoding matches if-none-match, before the body is compressed too', async () => {
  const response = respond('a'.repeat(2000));
  const { etag } = response.plain;
  const gzipEtag = `${etag.slice(0, -1)}-gzip"`;
  for (const tag of [etag, gzipEtag, `W/${etag}`, `"x", ${etag}`, '*']) {
    expect(response.isNotModified(tag), tag).toBe(true);
  }
  expect(response.isNotModified('"other"')).toBe(false);
  expect(response.isNotModified(undefined)).toBe(false);
  const common = { 'cache-control': 'no-cache', vary: 'accept-encoding' };
  expect(headersOf(response.notModifiedHeaders(undefined))).toEqual({ etag, ...common });
  const zipped = headersOf(response.notModifiedHeaders('gzip'));
  expect(zipped).toEqual({ etag: gzipEtag, ...common });
  expect((await response.prepare('gzip')).etag).toBe(gzipEtag);
});

test('a small body has one tag', () => {
  const response = respond('a');
  const { etag } = response.plain;
  expect(response.isNotModified(`${etag.slice(0, -1)}-gzip"`)).toBe(false);
  expect(headersOf(response.notModifiedHeaders('gzip'))['etag']).toBe(etag);
});

test('equal bodies have equal tags, different bodies different ones', () => {
  const tag = (text: string) => respond(text).plain.etag;
  expect(tag('a')).toBe(tag('a'));
  expect(tag('a')).not.toBe(tag('b'));
});
