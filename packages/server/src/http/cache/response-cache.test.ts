import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { CachedResponse } from './cached-response.ts';
import { ResponseCache } from './response-cache.ts';

let version = 1;

const response = (text: string, bytes = 10): CachedResponse =>
  responseOf(Buffer.alloc(bytes, text));

function responseOf(body: Buffer): CachedResponse {
  const operation = {
    operationId: 'x',
    tag: 'x',
    summary: 'x',
    weight: 1,
    statuses: [],
  };
  return new CachedResponse(body, {
    operation,
    route: '/x',
    version,
    currentVersion: () => version,
    contentType: '',
  });
}

test('a response is found by its key and by every URL that was used for it', () => {
  const cache = new ResponseCache();
  const stored = response('a');
  cache.store('key', '/x?a=1', stored);
  expect(cache.findByUrl('/x?a=1')?.response).toBe(stored);
  expect(cache.findByUrl('/x?a=1&b=2')).toBeUndefined();
  expect(cache.findByKey('key', '/x?a=1&b=2')).toBe(stored);
  expect(cache.findByUrl('/x?a=1&b=2')?.response).toBe(stored);
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
  expect(cache.size).toBe(15);
  cache.store('huge', '/huge', response('c', 65 * 1024 * 1024));
  expect(cache.findByUrl('/huge')).toBeUndefined();
});

test('keys and URLs count', () => {
  const cache = new ResponseCache();
  const long = 'k'.repeat(16_000);
  for (let count = 0; count < 5_000; count += 1) {
    cache.store(`${long}${count}`, `/k${count}`, response('c'));
  }
  // 64 MiB of keys of 16 kB and 2 KiB of overhead each
  expect(cache.size).toBeLessThan(3_720);
  expect(cache.size).toBeGreaterThan(3_600);
  expect(cache.bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
});

test('evicted responses and URLs count no longer', () => {
  const cache = new ResponseCache();
  cache.store('key', '/x', response('a'));
  const { bytes } = cache;
  for (let count = 0; count < 100; count += 1) cache.findByKey('key', `/x?${count}`);
  expect(cache.bytes).toBeLessThan(bytes + 8 * 256);
  version += 1;
  cache.findByKey('key', '/x');
  expect(cache.bytes).toBe(0);
});

test('a long URL is found by its key alone', () => {
  const cache = new ResponseCache();
  const url = `/x?${'u'.repeat(2_000)}`;
  cache.store('key', url, response('a'));
  expect(cache.findByUrl(url)).toBeUndefined();
  expect(cache.findByKey('key', url)).toBeDefined();
});

test('a compressed body counts, and makes room', async () => {
  const cache = new ResponseCache();
  const stored = response('a', 2_000);
  cache.store('key', '/x', stored);
  const { bytes } = cache;
  const { body } = await stored.prepare('gzip');
  cache.updateSize('key');
  cache.updateSize('key');
  cache.updateSize('unknown');
  expect(cache.bytes).toBe(bytes + body.length);
  version += 1;
  cache.findByKey('key', '/x');
  expect(cache.bytes).toBe(0);

  const megabytes = 1024 * 1024;
  for (let count = 0; count < 13; count += 1) {
    cache.store(`k${count}`, `/k${count}`, response('c', 4 * megabytes));
  }
  // random bytes do not become smaller
  const random = responseOf(randomBytes(6 * megabytes));
  cache.store('random', '/random', random);
  expect(cache.size).toBe(14);
  await random.prepare('gzip');
  cache.updateSize('random');
  expect(cache.size).toBe(13);
  expect(cache.findByKey('k0', '/k0')).toBeUndefined();
  expect(cache.findByKey('random', '/random')).toBe(random);
});

test('a response that is not compressed yet is found by its key alone, and counted once', async () => {
  const cache = new ResponseCache();
  const stored = response('a', 2_000);
  cache.store('key', '/x', stored);
  expect(cache.findByUrl('/x', 'gzip')).toBeUndefined();
  expect(cache.hits).toBe(0);
  expect(cache.findByKey('key', '/x')).toBe(stored);
  const compressed = await stored.prepare('gzip');
  expect(cache.findByUrl('/x', 'gzip')?.representation).toBe(compressed);
  expect(cache.findByUrl('/x', 'identity')?.representation).toBe(stored.plain);
  expect(cache.hits).toBe(3);
});
