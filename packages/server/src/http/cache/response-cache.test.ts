import { expect, test } from 'vitest';
import { createRepresentation } from './representation.ts';
import { type CachedResponse, ResponseCache } from './response-cache.ts';

let version = 1;

function answer(text: string, bytes = 10): CachedResponse {
  const operation = {
    operationId: 'x',
    tag: 'x',
    summary: 'x',
    weight: 1,
    statuses: [],
    keptWhile: () => version,
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

test('an answer is found by what was asked and by every spelling of it', () => {
  const answers = new ResponseCache();
  const kept = answer('a');
  answers.keep('key', '/x?a=1', kept);
  expect(answers.findByUrl('/x?a=1')).toBe(kept);
  expect(answers.findByUrl('/x?a=1&b=2')).toBeUndefined();
  expect(answers.findByKey('key', '/x?a=1&b=2')).toBe(kept);
  expect(answers.findByUrl('/x?a=1&b=2')).toBe(kept);
  expect(answers.findByKey('other', '/y')).toBeUndefined();
});

test('spellings are bounded, the oldest gives way', () => {
  const answers = new ResponseCache();
  answers.keep('key', '/x', answer('a'));
  for (let count = 0; count < 100; count += 1) answers.findByKey('key', `/x?${count}`);
  expect(answers.findByUrl('/x')).toBeUndefined();
  expect(answers.findByUrl('/x?99')).toBeDefined();
  expect(answers.size).toBe(1);
});

test('an answer of an older version of the data is gone', () => {
  const answers = new ResponseCache();
  answers.keep('key', '/x', answer('a'));
  version += 1;
  expect(answers.findByUrl('/x')).toBeUndefined();
  expect(answers.findByKey('key', '/x')).toBeUndefined();
  expect(answers.size).toBe(0);
});

test('what is used outlives what is not', () => {
  const answers = new ResponseCache();
  answers.keep('hot', '/hot', answer('h'));
  for (let count = 0; count < 20_000; count += 1) {
    answers.keep(`k${count}`, `/k${count}`, answer('c'));
    if (count % 100 === 0) expect(answers.findByUrl('/hot')).toBeDefined();
  }
  expect(answers.size).toBeLessThanOrEqual(4096);
});

test('bytes are bounded', () => {
  const answers = new ResponseCache();
  for (let count = 0; count < 40; count += 1) {
    answers.keep(`k${count}`, `/k${count}`, answer('c', 4 * 1024 * 1024));
  }
  expect(answers.size).toBe(16);
  answers.keep('huge', '/huge', answer('c', 65 * 1024 * 1024));
  expect(answers.findByUrl('/huge')).toBeUndefined();
});
