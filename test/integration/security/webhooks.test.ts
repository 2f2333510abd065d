import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Network, systemNetwork } from '#server/registry/pinned-request.ts';
import { isPrivateAddress } from '#server/registry/private-address.ts';
import { postWebhook } from '#server/webhooks/post-webhook.ts';
import { onPglite } from '../../support/history/history-engines.ts';
import { serveHooks, startHookGenesis } from '../../support/hooks/hooked-cluster.ts';

/** A server on this machine; `paths` are those that were requested. */
async function startTarget(respond: (response: ServerResponse) => void) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    request.resume();
    respond(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { paths, port: (server.address() as AddressInfo).port };
}

const post = (
  url: string,
  network: Network,
  changes: Partial<Parameters<typeof postWebhook>[0]> = {},
) =>
  postWebhook({
    url,
    headers: {},
    body: '{}',
    network,
    allowsPrivate: false,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    ...changes,
  });

/** Addresses of this machine, of private networks and of clouds' metadata, in every notation that a URL has. */
const PRIVATE_HOSTS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[64:ff9b::a00:1]',
  '[2002:7f00:1::]',
  '[fc00::1]',
  '[fe80::1]',
  'localhost',
];

test('no attempt connects to a private address', async () => {
  const { paths, port } = await startTarget((response) => response.end());
  for (const host of PRIVATE_HOSTS) {
    const { status, error } = await post(`http://${host}:${port}/`, systemNetwork);
    expect([host, status]).toEqual([host, null]);
    expect(error).toMatch(/ has a private address$/);
  }
  expect(paths).toEqual([]);
});

test('a name that resolves to a private address is refused, also if it was public before', async () => {
  const { paths, port } = await startTarget((response) => response.end());
  const answers = [['93.184.216.34'], ['127.0.0.1']];
  let lookups = 0;
  const rebinding: Network = {
    // a test address counts as public, so that the first answer could be connected to
    isPrivate: (address) => isPrivateAddress(address),
    lookup: async () => answers[Math.min(lookups++, 1)] ?? [],
  };
  const ending = new AbortController();
  const first = post(`http://rebound.test:${port}/`, rebinding, { signal: ending.signal });
  ending.abort();
  await first;
  const second = await post(`http://rebound.test:${port}/`, rebinding);
  expect(second).toMatchObject({ status: null, error: 'rebound.test has a private address' });
  expect(lookups).toBe(2);
  expect(paths).toEqual([]);
});

test('an attempt connects only to addresses that were checked', async () => {
  const { paths, port } = await startTarget((response) => response.end());
  // only 127.0.0.1 counts as public: of the two addresses the private one is left out, and the name is not looked up again
  let lookups = 0;
  const network: Network = {
    isPrivate: (address) => address !== '127.0.0.1',
    lookup: async () => {
      lookups += 1;
      return lookups === 1 ? ['10.0.0.7', '127.0.0.1'] : ['10.0.0.7'];
    },
  };
  expect((await post(`http://both.test:${port}/a`, network)).status).toBe(200);
  expect(lookups).toBe(1);
  expect(paths).toEqual(['/a']);
});

test('redirects are not followed', async () => {
  const target = await startTarget((response) => response.end('secret'));
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `http://127.0.0.1:${target.port}/private`;
    const { port } = await startTarget((response) =>
      response.writeHead(status, { location }).end(),
    );
    const network: Network = { isPrivate: () => false, lookup: async () => ['127.0.0.1'] };
    const result = await post(`http://public.test:${port}/`, network);
    expect(result).toMatchObject({ status, error: `it responded with ${status}` });
  }
  expect(target.paths).toEqual([]);
});

test('of a response only the start is read, and a silent receiver is given up', async () => {
  const network: Network = { isPrivate: () => false, lookup: async () => ['127.0.0.1'] };
  const endless = await startTarget((response) => {
    response.writeHead(200);
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  });
  const { response } = await post(`http://a.test:${endless.port}/`, network);
  expect(response).toHaveLength(1_024);
  const silent = await startTarget(() => undefined);
  const { error } = await post(`http://a.test:${silent.port}/`, network, { timeoutMs: 50 });
  expect(error).toBe('it did not respond within 0.05 s');
  const lookup = () => new Promise<never>(() => undefined);
  const unresolved = await post('http://a.test/', { ...network, lookup }, { timeoutMs: 50 });
  expect(unresolved.status).toBeNull();
});

onPglite('a server without the setting for development', ({ fresh }) => {
  test('accepts no webhook with a private address, and delivers to none', async () => {
    const { paths, port } = await startTarget((response) => response.end());
    const genesis = await startHookGenesis();
    const served = await serveHooks(genesis, await (await fresh()).open(), {
      webhookPrivateAddresses: false,
      webhookNetwork: { ...systemNetwork, lookup: async () => ['127.0.0.1'] },
    });
    const { wallet } = genesis.metadata.demo;
    const trigger = { type: 'walletTransactions', wallet };
    for (const host of PRIVATE_HOSTS) {
      const { status } = await served.request('POST', '/hooks', {
        url: `https://${host}:${port}/`,
        trigger,
      });
      expect([host, status]).toEqual([host, 400]);
    }
    const url = `https://looks-public.test:${port}/`;
    const { body } = await served.request('POST', '/hooks', { url, trigger });
    const { id } = body as { id: string };
    await served.request('POST', `/hooks/${id}/test`);
    const errors = async () => {
      const log = await served.request('GET', `/hooks/${id}/deliveries`);
      const { deliveries } = log.body as { deliveries: { attempts: { error: string }[] }[] };
      return deliveries.flatMap(({ attempts }) => attempts.map(({ error }) => error));
    };
    await expect
      .poll(errors, { interval: 25 })
      .toEqual(['looks-public.test has a private address']);
    expect(paths).toEqual([]);
  });
});
