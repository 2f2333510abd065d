import { expect, test } from 'vitest';
import { CodedError } from '../../errors.ts';
import type { Operation } from '../operation.ts';
import { createErrorResponse, type FailedRequest } from './error-response.ts';

const operation: Operation = {
  operationId: 'getThing',
  tag: 'x',
  summary: 'x',
  weight: 1,
  statuses: [500],
};
const listing = (...statuses: Operation['statuses'][number][]) => ({ ...operation, statuses });
const issues = [{ path: ['limit'], code: 'too_big', message: 'limit must be at most 1000' }];
const invalid = new CodedError('INVALID_QUERY', { issues });
const missing = new CodedError('ROUTE_NOT_FOUND', {});

function failed(fields: Partial<FailedRequest>): FailedRequest {
  const base = {
    requestId: 'r1',
    format: undefined,
    operation,
    accept: undefined,
    strictStatuses: false,
  };
  return { error: invalid, ...base, ...fields };
}

test('a validation error has details', () => {
  expect(createErrorResponse(failed({}))).toMatchObject({
    status: 400,
    contentType: 'application/json; charset=utf-8',
    body: { error: 'Invalid query params', details: issues },
  });
});

test('a 404 has metadata if the operation lists it, otherwise an error', () => {
  const listed = createErrorResponse(failed({ error: missing, operation: listing(404, 500) }));
  expect(listed).toMatchObject({ status: 404, body: { metadata: missing.message } });
  const unlisted = createErrorResponse(failed({ error: missing }));
  expect(unlisted).toMatchObject({ status: 404, body: { error: missing.message } });
});

test('the builder format has statusCode, message and error', () => {
  const response = createErrorResponse(failed({ format: 'builder' }));
  expect(response.body).toEqual({
    statusCode: 400,
    message: 'limit must be at most 1000',
    error: 'Bad Request',
  });
});

test.each([
  new CodedError('DECIMAL_TO_LAMPORTS_OVERFLOW', { text: '1', decimals: 6 }),
  new CodedError('KLEND_MARKET_NOT_FOUND', { market: 'm' }),
  new CodedError('KLEND_RESERVE_NOT_FOUND', { reserve: 'r', market: 'm' }),
  new CodedError('KLEND_OBLIGATION_NOT_FOUND', { wallet: 'w', market: 'm' }),
  new CodedError('KVAULT_NOT_FOUND', { vault: 'v' }),
  new CodedError('TRANSACTION_SIZE_ERROR', { size: 1233, unit: 'bytes', limit: 1232 }),
])('the builder format includes the contract code $code', (error) => {
  const response = createErrorResponse(failed({ error, format: 'builder' }));
  const { code, message } = error;
  const body = { statusCode: 400, message, error: 'Bad Request', code };
  expect(response).toMatchObject({ status: 400, body });
  expect(Object.keys(response.headers)).toEqual(['cache-control']);
});

test('every format includes the code of missing data', () => {
  const error = new CodedError('PRICE_UNAVAILABLE', { mint: 'm', reason: 'it has no oracle' });
  const code = 'PRICE_UNAVAILABLE';
  for (const format of ['builder', undefined] as const) {
    expect(createErrorResponse(failed({ error, format })).body).toMatchObject({ code });
  }
});

test('the builder format omits other codes', () => {
  const error = new CodedError('NOTHING_TO_BUILD', { reason: 'There is nothing.' });
  const response = createErrorResponse(failed({ error, format: 'builder' }));
  const body = { statusCode: 400, message: 'There is nothing.', error: 'Bad Request' };
  expect(response.body).toEqual(body);
});

test.each([
  [new CodedError('SOURCE_UNAVAILABLE', { source: 's', reason: 'r' }), '1'],
  [new CodedError('SOURCE_LAGS', { source: 's', slot: 1n, minSlot: 2n }), '1'],
  [new CodedError('TIMED_OUT', {}), '1'],
  [new CodedError('HISTORY_INCOMPLETE', { what: 'a', reason: 'r', retryAfterSeconds: 4 }), '4'],
  [new CodedError('ACCOUNT_UNREADABLE', { address: 'a', reason: 'r' }), '1'],
  [new CodedError('PRICE_UNAVAILABLE', { mint: 'm', reason: 'r' }), '1'],
  [new CodedError('STALE_READ', { slot: 1n, minSlot: 2n, retryAfterSeconds: 3 }), '3'],
])('temporary errors have retry-after: $code', (error, seconds) => {
  const { status, headers } = createErrorResponse(failed({ error }));
  expect([status, headers['retry-after']]).toEqual([503, seconds]);
});

test.each([
  { error: invalid, operation: listing(500), status: 500, body: { error: 'Internal error' } },
  { error: missing, operation: listing(500), status: 500, body: { error: 'Internal error' } },
  { error: missing, operation: listing(400, 500), status: 500, body: { error: 'Internal error' } },
  { error: missing, operation: undefined, status: 404, body: { error: missing.message } },
  {
    error: invalid,
    operation: listing(400, 500),
    status: 400,
    body: { error: 'Invalid query params', details: issues },
  },
  {
    error: new CodedError('RATE_LIMITED', { retryAfterSeconds: 7, policy: 'p' }),
    operation: listing(500),
    status: 429,
    body: { error: 'The rate limit is exceeded (p). Retry in 7 s.' },
  },
])('strict statuses: $error.code becomes $status', ({ error, operation: listed, status, body }) => {
  const response = createErrorResponse(failed({ error, operation: listed, strictStatuses: true }));
  expect(response).toMatchObject({ status, body });
  expect(response.body).toEqual(body);
});

test('an internal error hides its cause', () => {
  const cause = new Error('ENOENT: /etc/secret at /srv/app.js:10');
  const response = createErrorResponse(failed({ error: new CodedError('INTERNAL', {}, cause) }));
  expect(response).toMatchObject({ status: 500, body: { error: 'Internal error' } });
  expect(JSON.stringify(response)).not.toContain('secret');
});

test.each([
  ['application/problem+json', true],
  ['application/problem+json, application/json', true],
  ['application/json;q=0.5, application/problem+json;q=0.9', true],
  ['application/json, application/problem+json;q=0.9', false],
  ['application/problem+json;q=0', false],
  ['application/json', false],
  ['*/*', false],
])('accept: %s prefers problem+json: %s', (accept, problem) => {
  const { contentType, body } = createErrorResponse(failed({ accept }));
  expect(contentType.includes('problem')).toBe(problem);
  if (problem) {
    expect(body).toEqual({
      type: 'urn:tidegate:error:invalid-query',
      title: 'Bad Request',
      status: 400,
      detail: 'Invalid query params',
      code: 'INVALID_QUERY',
      requestId: 'r1',
      errors: issues,
    });
  }
});
