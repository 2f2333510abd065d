import { expect, test } from 'vitest';
import { toSourceError, toStatusError } from './rpc-errors.ts';

test.each([
  ['an unknown method', -32601, 'Method not found', 'unknown-method'],
  ['invalid parameters', -32602, 'unknown field `minContextSlot`', 'invalid-params'],
  ['too many addresses', -32602, 'Too many inputs provided; max 100', 'too-large'],
  ['a scan that is too large', -32012, 'scan aborted', 'too-large'],
  ['a response that is too large', -32000, 'Response is too large', 'too-large'],
  ['a limit of the provider', -32005, 'query exceeds limit of 10000 results', 'too-large'],
  ['a result size limit', -32603, 'response size limit exceeded', 'too-large'],
] as const)('a rejection names its kind: %s', (...[, code, message, rejection]) => {
  const error = toSourceError({ code, message }, 'rpc host', 'getProgramAccounts');
  expect(error).toMatchObject({ code: 'SOURCE_REFUSES', context: { rejection } });
});

test.each([
  ['a node that is behind', -32005, 'Node is behind by 42 slots'],
  ['an internal error', -32603, 'Internal error'],
])('%s may be retried at once', (_, code, message) => {
  const error = toSourceError({ code, message }, 'rpc host');
  expect(error).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  expect(error.context).not.toHaveProperty('retryAfterMs');
});

test.each([
  [429, 'Too many requests'],
  [-32005, 'Rate limit exceeded'],
])('a rate limit in the body (%i) asks for a pause', (code, message) => {
  const error = toSourceError({ code, message }, 'rpc host');
  expect(error).toMatchObject({ code: 'SOURCE_UNAVAILABLE', context: { retryAfterMs: 1_000 } });
});

test.each([
  [429, '7', 7_000],
  [429, undefined, 1_000],
  [429, 'Wed, 21 Oct 2026 07:28:00 GMT', 1_000],
  [503, '86400', 60_000],
])('status %i with retry-after %s asks for a pause of %i ms', (status, header, retryAfterMs) => {
  const error = toStatusError(status, header, 'rpc host');
  expect(error).toMatchObject({ code: 'SOURCE_UNAVAILABLE', context: { retryAfterMs } });
});

test('status 413 is a request that is too large; 404 and 403 are rejections of another kind', () => {
  expect(toStatusError(413, undefined, 'rpc host')).toMatchObject({
    code: 'SOURCE_REFUSES',
    context: { rejection: 'too-large' },
  });
  for (const status of [403, 404]) {
    const error = toStatusError(status, undefined, 'rpc host');
    expect(error.code).toBe('SOURCE_REFUSES');
    expect(error.context).not.toHaveProperty('rejection');
  }
});
