import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { fetchDocument } from './fetch-document.ts';
import type { Network } from './pinned-request.ts';

type Received = Pick<IncomingMessage, 'url' | 'headers'>;

/** A server whose every path is answered by `respond`. Returns its port and what it received. */
async function startServer(respond: (request: Received, response: ServerResponse) => void) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    respond(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, received };
}

/**
 * Names of a made network in which 127.0.0.1, where the test server listens, counts as public. A name with several
 * entries resolves to the next one each time.
 */
function networkOf(names: Readonly<Record<string, readonly string[][]>>): Network {
  const lookups = new Map<string, number>();
  return {
    isPrivate: (address) => address !== '127.0.0.1',
    lookup: async (name) => {
      const count = lookups.get(name) ?? 0;
      lookups.set(name, count + 1);
      const answers = names[name] ?? [];
      return answers[Math.min(count, answers.length - 1)] ?? [];
    },
  };
}

const PUBLIC = [['127.0.0.1']];
const names = {
  'public.test': PUBLIC,
  'other.test': PUBLIC,
  'private.test': [['10.0.0.7']],
  'both.test': [['127.0.0.1', '10.0.0.7']],
  'rebound.test': [['127.0.0.1'], ['10.0.0.7']],
};

const redirectTo = (location: string) => (request: Received, response: ServerResponse) => {
  if (request.url === '/start') response.writeHead(302, { location }).end();
  else response.end('"target"');
};

const fetchText = async (url: string, network: Network, headers: Record<string, string> = {}) => {
  const response = await fetchDocument(new URL(url), { headers, network });
  let text = '';
  for await (const chunk of response.body) text += chunk;
  return { status: response.status, text };
};

test.each([
  'http://private.test:PORT/target',
  'http://10.0.0.7/latest/meta-data',
  'http://[::1]:PORT/target',
  'http://[::ffff:10.0.0.7]/',
  '//private.test:PORT/target',
  'http://0x0a000007/',
  'http://167772167/',
])('a public host cannot redirect to the private %s', async (location) => {
  let port = 0;
  const server = await startServer((request, response) =>
    redirectTo(location.replace('PORT', `${port}`))(request, response),
  );
  port = server.port;
  await expect(fetchText(`http://public.test:${port}/start`, networkOf(names))).rejects.toThrow(
    /redirects to a private address/,
  );
  expect(server.received).toHaveLength(1);
});

test('of a name with public and private addresses, only public ones are connected to', async () => {
  const server = await startServer((_, response) => response.end('"target"'));
  const { port } = await startServer(redirectTo(`http://both.test:${server.port}/target`));
  const { text } = await fetchText(`http://public.test:${port}/start`, networkOf(names));
  expect(text).toBe('"target"');
});

test('a name that becomes private between two requests is refused', async () => {
  const server = await startServer((_, response) => {
    response.writeHead(302, { location: '/again' }).end();
  });
  const url = `http://rebound.test:${server.port}/start`;
  await expect(fetchText(url, networkOf(names))).rejects.toThrow(/private address/);
  expect(server.received).toHaveLength(1);
});

test.each([
  'file:///etc/passwd',
  'ftp://public.test/',
  'data:,x',
  'gopher://public.test/',
  'http://',
])('a redirect to %s is refused', async (location) => {
  const { port } = await startServer(redirectTo(location));
  const url = `http://public.test:${port}/start`;
  await expect(fetchText(url, networkOf(names))).rejects.toThrow(/redirects to/);
});

test('a host that the operator named may be private, and may redirect within private networks', async () => {
  const { port } = await startServer(redirectTo('/target'));
  const network = { ...networkOf({ 'local.test': PUBLIC }), isPrivate: () => true };
  expect((await fetchText(`http://local.test:${port}/start`, network)).text).toBe('"target"');
  expect((await fetchText(`http://127.0.0.1:${port}/start`, network)).text).toBe('"target"');
});

test('credentials are sent to their own origin only', async () => {
  const other = await startServer((_, response) => response.end('1'));
  const { port, received } = await startServer((request, response) => {
    if (request.url === '/start') response.writeHead(307, { location: '/next' }).end();
    else response.writeHead(307, { location: `http://other.test:${other.port}/` }).end();
  });
  const headers = { accept: 'application/json', authorization: 'Basic c2VjcmV0' };
  await fetchText(`http://public.test:${port}/start`, networkOf(names), headers);
  expect(received.map((request) => request.headers.authorization)).toEqual([
    'Basic c2VjcmV0',
    'Basic c2VjcmV0',
  ]);
  expect(other.received[0]?.headers).toMatchObject({ accept: 'application/json' });
  expect(other.received[0]?.headers.authorization).toBeUndefined();
});

test('a chain of redirects ends', async () => {
  const server = await startServer((_, response) => {
    response.writeHead(302, { location: '/start' }).end();
  });
  const url = `http://public.test:${server.port}/start`;
  await expect(fetchText(url, networkOf(names))).rejects.toThrow(/redirects more than 5 times/);
  expect(server.received).toHaveLength(6);
});

test('a compressed document is decompressed', async () => {
  const { port } = await startServer((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('"zipped"'));
  });
  const { text } = await fetchText(`http://public.test:${port}/`, networkOf(names));
  expect(text).toBe('"zipped"');
});
