import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { getRemoteJson } from './remote-json.ts';

async function startInstance(respond: (response: ServerResponse) => void): Promise<URL> {
  const server = createServer((_, response) => respond(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`);
}

test('a response is parsed, also if it is compressed', async () => {
  const base = await startInstance((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":[1]}'));
  });
  expect(await getRemoteJson(base, '/x')).toEqual({ a: [1] });
});

test('a decompression bomb is an error of the instance', async () => {
  const bomb = gzipSync(`"${'0'.repeat(1024 * 1024)}"`);
  expect(bomb.length).toBeLessThan(8 * 1024);
  const base = await startInstance((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  const error = await catchError(getRemoteJson(base, '/x', 64 * 1024));
  expect(error?.code).toBe('SOURCE_UNAVAILABLE');
  expect(error?.message).toContain('larger than 65536 bytes for /api/x');
});

test('a response that is not JSON is an error of the instance, not a defect of the program', async () => {
  const base = await startInstance((response) => response.end('<html>'));
  expect((await catchError(getRemoteJson(base, '/x')))?.code).toBe('SOURCE_UNAVAILABLE');
});
