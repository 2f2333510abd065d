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

it('sends a text as JSON with the headers of the endpoint, and gives what comes back', async () => {
  const post = await posting(async (request, response) => {
    const { method, headers } = request;
    const told = { method, type: headers['content-type'], key: headers['authorization'] };
    response.writeHead(429, { 'retry-after': '7' });
    response.end(JSON.stringify({ ...told, body: await text(request) }));
  });
  const { status, retryAfter, body } = await post('{"a":"ü"}', never());
  expect({ status, retryAfter }).toEqual({ status: 429, retryAfter: '7' });
  const told = { method: 'POST', type: 'application/json', key: 'Basic x', body: '{"a":"ü"}' };
  expect(JSON.parse(await text(body))).toEqual(told);
});

it('asks for packed answers and unpacks them', async () => {
  const post = await posting((request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip');
    response.writeHead(200, gzipped).end(gzipSync('a long answer'));
  });
  const { body } = await post('{}', never());
  expect(await text(body)).toBe('a long answer');
});

it.each([
  ['a packed answer that ends early', gzipped, gzipSync('a long answer').subarray(0, 12)],
  ['a packed answer that is none', gzipped, Buffer.from('plain')],
])('fails for %s', async (_name, headers, bytes) => {
  const post = await posting((_request, response) => response.writeHead(200, headers).end(bytes));
  const { body } = await post('{}', never());
  await expect(text(body)).rejects.toThrow();
});

it('tries anew, once, where a kept connection was closed at the other end', async () => {
  const post = await posting((request, response, count) => {
    if (count === 2) request.socket.destroy();
    else response.end(`answer ${count}`);
  });
  expect(await text((await post('{}', never())).body)).toBe('answer 1');
  expect(await text((await post('{}', never())).body)).toBe('answer 3');
});

it('does not try anew where a new connection failed', async () => {
  let asked = 0;
  const post = await posting((request) => {
    asked += 1;
    request.socket.destroy();
  });
  await expect(post('{}', never())).rejects.toThrow('socket hang up');
  expect(asked).toBe(1);
});

it.each([
  ['plain', {}],
  ['packed', gzipped],
])('stops waiting for the rest of a %s answer when told to', async (_name, headers) => {
  const post = await posting((_request, response) => {
    response.writeHead(200, headers).write(gzipSync('a long answer').subarray(0, 12));
  });
  const stop = new AbortController();
  const { body } = await post('{}', stop.signal);
  const read = text(body);
  stop.abort();
  await expect(read).rejects.toThrow();
});

async function posting(handle: Handler): Promise<HttpPost> {
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
