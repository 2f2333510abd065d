import { request as sendRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createExplorer } from '#server/operations/explorer/explorer-files.ts';
import { hostileHeaders } from '../../support/fuzz/hostile-values.ts';
import { goldenLoan, goldenMarket, goldenVault } from '../../support/golden/golden-addresses.ts';
import { type App, startApp, trustProxies } from '../../support/http/test-api.ts';

const NAVIGATION = 'text/html,application/xhtml+xml';
const { address: VAULT, sharesMint: MINT } = goldenVault('Steady USDC');

/** Cached and computed responses, pages, files and errors. */
const PATHS = [
  '/openapi.json',
  '/status',
  '/llms.txt',
  '/docs',
  '/docs/',
  '/docs/guide/tour',
  '/docs/guide/tour.md',
  '/docs/operations/getMarket',
  '/docs/operations/getMarket.md',
  '/docs/try-it.js',
  '/v2/svc-market',
  `/v2/svc-market/${goldenMarket('Main Market').address}`,
  `/klend/loans/${goldenLoan('frank')}`,
  `/kvaults/vaults/${VAULT}`,
  `/kvaults/mints/${MINT}/metadata`,
  `/kvaults/mints/${MINT}/metadata/image.svg`,
  '/tokens-api/tokens',
  '/nope',
  '/ktx/nope',
  '/',
  '/status?page',
];

let apps: App[];
let direct: string;
let proxied: string;

beforeAll(async () => {
  const first = await startApp({ explorer: createExplorer() });
  const second = await startApp({ trustedProxies: trustProxies('127.0.0.1') });
  apps = [first.app, second.app];
  [direct, proxied] = [first.url, second.url];
});
afterAll(async () => {
  for (const app of apps) await app.close();
});

type Received = { readonly text: string; readonly headers: Readonly<Record<string, unknown>> };

/** Unlike `fetch`, sends the given host. */
function get(url: string, headers: Record<string, string>): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ text, headers: response.headers }));
    });
    request.on('error', reject).end();
  });
}

const isShared = ({ headers }: Received): boolean =>
  !/\b(private|no-store)\b/.test(String(headers['cache-control']));

const mentions = ({ text, headers }: Received, name: string): boolean =>
  text.includes(name) || JSON.stringify(headers).includes(name);

const FORWARDING: Readonly<Record<string, string>> = {
  'x-forwarded-host': 'poison.example',
  'x-forwarded-prefix': '//poison.example',
  'x-forwarded-proto': 'javascript',
  'x-forwarded-server': 'poison.example',
  'x-original-url': '/poison.example',
  'x-rewrite-url': '/poison.example',
  'x-host': 'poison.example',
  'x-http-method-override': 'poison.example',
  forwarded: 'host=poison.example;proto=https',
};

test.each(PATHS)('%s: forwarding headers change nothing without a trusted proxy', async (path) => {
  for (const accept of ['*/*', NAVIGATION]) {
    const response = await get(`${direct}${path}`, { accept, ...FORWARDING });
    expect(mentions(response, 'poison.example')).toBe(false);
  }
});

test.each(PATHS)('%s: no shared cache stores a response that contains its host', async (path) => {
  for (const accept of ['*/*', NAVIGATION]) {
    const poisoned = [
      await get(`${direct}${path}`, { accept, host: 'poison.example' }),
      await get(`${proxied}${path}`, { accept, 'x-forwarded-host': 'poison.example' }),
    ];
    for (const response of poisoned) {
      if (mentions(response, 'poison.example')) expect(isShared(response)).toBe(false);
    }
    for (const url of [direct, proxied]) {
      expect(mentions(await get(`${url}${path}`, { accept }), 'poison.example')).toBe(false);
    }
  }
});

test('the host is used where an address of the server is shown', async () => {
  const path = `/kvaults/mints/${MINT}/metadata`;
  const { text } = await get(`${direct}${path}`, { host: 'api.example' });
  expect(text).toContain(`"image":"http://api.example${path}/image.svg"`);
});

test.each(['"><script>alert(1)</script>', "a'b", 'a b', 'a/../b', 'a\\b', '$1$&', '`id`', '$(id)'])(
  'a host %j is not shown in pages and commands',
  async (host) => {
    for (const path of [
      '/docs/guide/tour',
      '/docs/guide/tour.md',
      '/llms.txt',
      `/kvaults/mints/${MINT}/metadata`,
    ]) {
      const response = await get(`${direct}${path}`, { host });
      expect(mentions(response, host), path).toBe(false);
    }
  },
);

/** Each of them once. */
const requestHeaders = [
  ...new Map(
    fc
      .sample(hostileHeaders, { seed: 1, numRuns: 1000 })
      .map((each) => [JSON.stringify(each), each]),
  ).values(),
].filter((each) => each['host'] === undefined);

test('no header of one caller changes what the next one gets of the same URL', async () => {
  expect(requestHeaders.length).toBeGreaterThan(25);
  for (const path of ['/tokens-api/tokens', '/v2/svc-market', '/openapi.json']) {
    const usual = await get(`${direct}${path}`, {});
    for (const [index, headers] of requestHeaders.entries()) {
      // not in the cache yet
      const url = `${direct}${path}?n=${index}`;
      await get(url, headers);
      for (let time = 0; time < 2; time++) {
        const { text, headers: sent } = await get(url, {});
        expect(text === usual.text, `${path} after ${JSON.stringify(headers)}`).toBe(true);
        expect(sent['content-type']).toBe(usual.headers['content-type']);
        expect(sent['content-encoding']).toBe(usual.headers['content-encoding']);
      }
    }
  }
});
