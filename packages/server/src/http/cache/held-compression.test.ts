import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createErrorHandler } from '../errors/error-handler.ts';
import type { Operation } from '../operation.ts';
import { addCacheHook } from './cache-hook.ts';
import { ResponseCache } from './response-cache.ts';

const ignore = () => undefined;
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const BODY = 'x'.repeat(5_000);
/** Passes while a response is held back, and never for one that is released. */
const SHORT_MS = 20;
const LONG_MS = 60_000;

const operation = (id: string, rest: Partial<Operation> = {}): Operation => ({
  operationId: id,
  tag: 'x',
  summary: 'x',
  weight: 1,
  statuses: [],
  ...rest,
});

// biome-ignore lint/correctness/useYield: it fails before its first byte
async function* failing() {
  // the response has its headers, and nothing of it is sent
  await setImmediate();
  throw new Error('no data');
}

/** A server whose compression waits until it is released, with a response that is cached and one that is not. */
async function startHeld(
  handlerTimeout: number,
  onError = createErrorHandler({
    ...{ strictStatuses: false, builderErrorPrefix: '/', log: silent },
    missingPage: () => undefined,
  }),
) {
  const waiting: (() => void)[] = [];
  const compress = (text: Buffer | string): Promise<Buffer> =>
    new Promise((resolve) => waiting.push(() => resolve(gzipSync(text))));
  const app: FastifyInstance = fastify({ handlerTimeout });
  onTestFinished(() => app.close());
  app.setErrorHandler(onError);
  addCacheHook(app, { responses: new ResponseCache(), versions: () => () => 1, compress });
  const cached = operation('cached', { dependsOn: [] });
  const plain = operation('plain', { headers: ['cache-control', 'max-age=60'] });
  app.get('/cached', { config: { operation: cached } }, async () => BODY);
  app.get('/plain', { config: { operation: plain } }, async () => BODY);
  app.get('/stream', async () => Readable.from(failing()));
  const release = (): void => {
    for (const next of waiting.splice(0)) next();
  };
  return { app, waiting, release };
}

const gzip = { 'accept-encoding': 'gzip' };

test.each(['/plain', '/cached'])(
  'a timeout while %s is compressed has the headers of its own body',
  async (url) => {
    const { app, release } = await startHeld(SHORT_MS);
    const { statusCode, headers, json } = await app.inject({ url, headers: gzip });
    expect([statusCode, headers['content-encoding']]).toEqual([503, undefined]);
    expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined]);
    expect(json()).toEqual({ error: 'The request timed out. Retry it, or request less data.' });
    // what was compressed too late is dropped: it would be a second answer
    release();
    await app.inject({ url: '/nothing' });
  },
);

test.each(['/plain', '/cached'])(
  'an error that is compressed too replaces the body of %s',
  async (url) => {
    const onError = (_: unknown, _request: unknown, reply: FastifyReply) =>
      void reply.code(503).send('e'.repeat(5_000));
    const { app, waiting, release } = await startHeld(SHORT_MS, onError);
    const response = app.inject({ url, headers: gzip });
    await expect.poll(() => waiting.length, { interval: 1 }).toBe(2);
    release();
    const { statusCode, rawPayload } = await response;
    expect(statusCode).toBe(503);
    expect(gunzipSync(rawPayload).toString()).toBe('e'.repeat(5_000));
  },
);

test.each(['/plain', '/cached'])('%s is sent when it is compressed', async (url) => {
  const { app, waiting, release } = await startHeld(LONG_MS);
  const response = app.inject({ url, headers: gzip });
  await expect.poll(() => waiting.length, { interval: 1 }).toBe(1);
  release();
  const { statusCode, headers, rawPayload } = await response;
  expect([statusCode, headers['content-encoding']]).toEqual([200, 'gzip']);
  expect(gunzipSync(rawPayload).toString()).toBe(BODY);
});

test('a stream that fails before its first byte has the headers of the error', async () => {
  const { app } = await startHeld(LONG_MS);
  const { statusCode, headers, json } = await app.inject({ url: '/stream', headers: gzip });
  expect([statusCode, headers['content-encoding']]).toEqual([500, undefined]);
  expect(json()).toEqual({ error: 'Internal error' });
});
