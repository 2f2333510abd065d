import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { createHttpPost, type HttpPost } from './http-post.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => unknown;

let server: Server | undefined;

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

const never = (): AbortSignal => new AbortController().signal;
const gzipped = { 'content-encoding': 'gzip' };

it('sends JSON with the headers of the endpoint and returns the response', async () => {
  const post = await startServer(async (request, response) => {
    const { method, headers } = request;
    const received = { method, type: headers['content-type'], key: headers['authorization'] };
    response.writeHead(429, { 'retry-after': '7' });
    response.end(JSON.stringify({ ...received, body: await text(request) }));
  });
  const { status, retryAfter, body } = await post('{"a":"ü"}', never());
  expect({ status, retryAfter }).toEqual({ status: 429, retryAfter: '7' });
  const received = { method: 'POST', type: 'application/json', key: 'Basic x', body: '{"a":"ü"}' };
  expect(JSON.parse(await text(body))).toEqual(received);
});

it('requests compressed responses and decompresses them', async () => {
  const post = await startServer((request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip');
    response.writeHead(200, gzipped).end(gzipSync('a long response'));
  });
  const { body } = await post('{}', never());
  expect(await text(body)).toBe('a long response');
});

it.each([
  ['a truncated compressed response', gzipped, gzipSync('a long response').subarray(0, 12)],
  ['a response that is not compressed', gzipped, Buffer.from('plain')],
])('fails for %s', async (_name, headers, bytes) => {
  const post = await startServer((_request, response) =>
    response.writeHead(200, headers).end(bytes),
  );
  const { body } = await post('{}', never());
  await expect(text(body)).rejects.toThrow();
});

it('retries once when the server has closed a reused connection', async () => {
  const post = await startServer((request, response, count) => {
    if (count === 2) request.socket.destroy();
    else response.end(`response ${count}`);
  });
  expect(await text((await post('{}', never())).body)).toBe('response 1');
  expect(await text((await post('{}', never())).body)).toBe('response 3');
});

it('does not retry when a new connection fails', async () => {
  let requests = 0;
  const post = await startServer((request) => {
    requests += 1;
    request.socket.destroy();
  });
  await expect(post('{}', never())).rejects.toThrow('socket hang up');
  expect(requests).toBe(1);
});

it.each([
  ['plain', {}],
  ['compressed', gzipped],
])('stops reading a %s response when aborted', async (_name, headers) => {
  const post = await startServer((_request, response) => {
    response.writeHead(200, headers).write(gzipSync('a long response').subarray(0, 12));
  });
  const stop = new AbortController();
  const { body } = await post('{}', stop.signal);
  const read = text(body);
  stop.abort();
  await expect(read).rejects.toThrow();
});

async function startServer(handle: Handler): Promise<HttpPost> {
  let count = 0;
  server = createServer((request, response) => {
    count += 1;
    handle(request, response, count);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: 'Basic x' };
  return createHttpPost({ href: `http://127.0.0.1:${port}/`, headers });
}
