import { expect, test } from 'vitest';
import { createRepresentation } from './representation.ts';
import { type CachedResponse, ResponseCache } from './response-cache.ts';

let version = 1;

function response(text: string, bytes = 10): CachedResponse {
  const operation = {
    operationId: 'x',
    tag: 'x',
    summary: 'x',
    weight: 1,
    statuses: [],
    cacheVersion: () => version,
  };
  return {
    operation,
    route: '/x',
    version,
    plain: createRepresentation({
      operation,
      contentType: '',
      body: Buffer.alloc(bytes, text),
      etag: text,
    }),
    gzip: undefined,
  };
}

test('a response is found by its key and by every URL that was used for it', () => {
  const cache = new ResponseCache();
  const stored = response('a');
  cache.store('key', '/x?a=1', stored);
  expect(cache.findByUrl('/x?a=1')).toBe(stored);
  expect(cache.findByUrl('/x?a=1&b=2')).toBeUndefined();
  expect(cache.findByKey('key', '/x?a=1&b=2')).toBe(stored);
  expect(cache.findByUrl('/x?a=1&b=2')).toBe(stored);
  expect(cache.findByKey('other', '/y')).toBeUndefined();
});

test('the number of URLs per response is bounded; the oldest is evicted', () => {
  const cache = new ResponseCache();
  cache.store('key', '/x', response('a'));
  for (let count = 0; count < 100; count += 1) cache.findByKey('key', `/x?${count}`);
  expect(cache.findByUrl('/x')).toBeUndefined();
  expect(cache.findByUrl('/x?99')).toBeDefined();
  expect(cache.size).toBe(1);
});

test('a response of an older data version is evicted', () => {
  const cache = new ResponseCache();
  cache.store('key', '/x', response('a'));
  version += 1;
  expect(cache.findByUrl('/x')).toBeUndefined();
  expect(cache.findByKey('key', '/x')).toBeUndefined();
  expect(cache.size).toBe(0);
});

test('eviction spares responses in use', () => {
  const cache = new ResponseCache();
  cache.store('hot', '/hot', response('h'));
  for (let count = 0; count < 20_000; count += 1) {
    cache.store(`k${count}`, `/k${count}`, response('c'));
    if (count % 100 === 0) expect(cache.findByUrl('/hot')).toBeDefined();
  }
  expect(cache.size).toBeLessThanOrEqual(4096);
});

test('the total size is bounded', () => {
  const cache = new ResponseCache();
  for (let count = 0; count < 40; count += 1) {
    cache.store(`k${count}`, `/k${count}`, response('c', 4 * 1024 * 1024));
  }
  expect(cache.size).toBe(16);
  cache.store('huge', '/huge', response('c', 65 * 1024 * 1024));
  expect(cache.findByUrl('/huge')).toBeUndefined();
});
