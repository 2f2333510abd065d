import { expect, test } from 'vitest';
import { readError } from './read-error.ts';
import { failure, localError, unwrap } from './result.ts';
import { isRepeatable, parseRetryAfter, retryDelayMs } from './retry-delay.ts';

const NOW = Date.UTC(2026, 10, 17);

const httpError = (status: number, headers: Record<string, string> = {}, body: unknown = {}) =>
  readError({
    response: new Response('', { status, headers }),
    text: JSON.stringify(body),
    parseJson: JSON.parse,
    now: NOW,
  });

test('the server says how long to wait; otherwise the delay doubles', () => {
  expect(retryDelayMs(httpError(429, { 'retry-after': '7' }), 0)).toBe(7_000);
  expect([0, 1, 2, 9].map((attempt) => retryDelayMs(httpError(503), attempt))).toEqual([
    500, 1_000, 2_000, 30_000,
  ]);
  expect(retryDelayMs(localError('network', 'x'), 1)).toBe(1_000);
});

test('an error that would come again is not repeated', () => {
  for (const status of [400, 401, 404, 405, 413, 500]) {
    expect(retryDelayMs(httpError(status, { 'retry-after': '1' }), 0)).toBeUndefined();
  }
  const disabled = httpError(503, { 'retry-after': '1' }, { code: 'HISTORY_DISABLED' });
  expect(retryDelayMs(disabled, 0)).toBeUndefined();
  for (const kind of ['aborted', 'malformed', 'stale', 'invalid', 'loop'] as const) {
    expect(retryDelayMs(localError(kind, 'x'), 0)).toBeUndefined();
  }
});

test('a delay is a number of seconds or a date', () => {
  const date = new Date(NOW + 90_000).toUTCString();
  expect(
    ['0', ' 3', date, new Date(NOW - 1).toUTCString(), 'soon'].map((text) =>
      parseRetryAfter(text, NOW),
    ),
  ).toEqual([0, 3_000, 90_000, 0, undefined]);
});

test('reads and builders are repeated, and nothing that has an effect', () => {
  expect(isRepeatable('GET /klend/loans/{pubkey}')).toBe(true);
  expect(isRepeatable('POST /ktx/klend/deposit')).toBe(true);
  expect(isRepeatable('POST /kvaults/transactions')).toBe(true);
  for (const name of ['POST /hooks', 'POST /hooks/{id}/replay', 'DELETE /hooks/{id}', 'POST /x']) {
    expect(isRepeatable(name), name).toBe(false);
  }
});

test('the bodies of errors of this server and of the hosted API are read', () => {
  const issue = { path: ['limit'], code: 'too_big', message: 'limit must be at most 100' };
  expect(
    httpError(400, {}, { code: 'INVALID_QUERY', detail: 'Invalid', errors: [issue] }),
  ).toMatchObject({
    code: 'INVALID_QUERY',
    message: 'limit must be at most 100',
    issues: [issue],
  });
  expect(httpError(400, {}, { error: 'Invalid', details: [issue] })).toMatchObject({
    code: 'HTTP_400',
    message: 'limit must be at most 100',
  });
  expect(httpError(404, {}, { metadata: 'No such market' }).message).toBe('No such market');
  const builder = {
    statusCode: 400,
    message: 'No vault',
    error: 'Bad Request',
    code: 'KVAULT_NOT_FOUND',
  };
  expect(httpError(400, {}, builder)).toMatchObject({
    code: 'KVAULT_NOT_FOUND',
    message: 'No vault',
  });
  const response = new Response('', { status: 502 });
  const page = readError({ response, text: '<html>', parseJson: JSON.parse, now: NOW });
  expect(page).toMatchObject({ code: 'HTTP_502', body: '<html>', issues: [] });
  expect(page.message).toBe('The server answered with status 502.');
});

test('a script can throw the error', () => {
  const error = localError('network', 'No answer.');
  expect(() => unwrap(failure(error))).toThrow(
    new Error('NETWORK_ERROR: No answer.', { cause: error }),
  );
});
