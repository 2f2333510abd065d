import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RawAccount } from '#core/base/solana/account.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { knownTokens } from '#core/protocol/spl/known-tokens.ts';
import { createStaticTokens } from '#server/registry/token-feed.ts';
import { listOperationRequests, type OpenApi } from '../../support/day-one/operation-requests.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import {
  goldenLoan,
  goldenMarket,
  goldenReserve,
  goldenUser,
  goldenVault,
} from '../../support/golden/golden-addresses.ts';
import { goldenClusters, staticCluster } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { type App, startApi, startApp } from '../../support/http/test-api.ts';

/** Fits the 32 bytes of a name on chain. */
const MARKUP = '<script>alert(1)</script>';
const JSON_TYPE = { 'content-type': 'application/json' };
const { address: vault, sharesMint, farm } = goldenVault('Steady USDC');
const subject = {
  wallet: goldenUser('frank').address,
  market: goldenMarket('Main Market').address,
  reserve: goldenReserve('Main Market', 'SOL').address,
  obligation: goldenLoan('frank'),
  vault,
  sharesMint,
  farm,
};

function nameOf(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(Buffer.from(MARKUP));
  return bytes;
}

/** The account with markup as its name; undefined if it has no name. */
function withMarkup(raw: RawAccount): RawAccount | undefined {
  const { owner } = raw;
  if (lendingMarket.matches(raw)) {
    const fields = lendingMarket.decode(raw);
    return { owner, data: lendingMarket.encode({ ...fields, name: nameOf(32) }) };
  }
  if (vaultState.matches(raw)) {
    const fields = vaultState.decode(raw);
    return { owner, data: vaultState.encode({ ...fields, name: nameOf(40) }) };
  }
  if (!reserve.matches(raw)) return undefined;
  const { config, ...fields } = reserve.decode(raw);
  const tokenInfo = { ...config.tokenInfo, name: nameOf(32) };
  return { owner, data: reserve.encode({ ...fields, config: { ...config, tokenInfo } }) };
}

let app: App;

beforeAll(async () => {
  const changes = [...goldenCluster().accounts].flatMap(([address, raw]) => {
    const changed = withMarkup(raw);
    return changed === undefined ? [] : [[address, changed] as const];
  });
  const reader = goldenReader(goldenWithAccounts(changes));
  const tokens = knownTokens.map((token) => ({ ...token, symbol: MARKUP, name: MARKUP }));
  ({ app } = await startApp({
    clusters: goldenClusters({ reader }),
    tokens: createStaticTokens(tokens),
  }));
});
afterAll(() => app.close());

/** A browser takes such a response for data, whatever it contains. */
function expectData(headers: Readonly<Record<string, unknown>>, what: string): void {
  expect(headers['content-type'], what).toMatch(/^application\/(problem\+)?json\b/);
  expect(headers['x-content-type-options'], what).toBe('nosniff');
}

test('markup in names on chain and in token lists reaches browsers only as data', async () => {
  const document = (await app.inject('/openapi.json')).json<OpenApi>();
  const containing: string[] = [];
  for (const { operationId, path, body } of listOperationRequests(document, subject)) {
    const request = { method: 'POST', headers: JSON_TYPE, payload: JSON.stringify(body) } as const;
    const { headers, body: text } = await app.inject({ url: path, ...(body ? request : {}) });
    if (!text.includes('<script')) continue;
    containing.push(operationId);
    expectData(headers, operationId);
  }
  expect(containing).toEqual(
    expect.arrayContaining(['listMarkets', 'listVaults', 'getShareMintMetadata']),
  );
  expect(containing.length).toBeGreaterThan(5);
});

test.each([
  '/',
  '/docs/',
  '/docs/guide/tour',
  '/docs/guide/tour.md',
  '/docs/operations/getMarket',
  '/llms.txt',
  '/metrics',
  `/kvaults/mints/${sharesMint}/metadata/image.svg`,
  // paths that do not exist get a page
  `/nope/${MARKUP}`,
  `/nope?limit=${MARKUP}`,
  `/docs/guide/${encodeURIComponent(MARKUP)}`,
])('%s contains no markup of names or of the request', async (url) => {
  const { body, headers } = await app.inject({ url, headers: { accept: 'text/html' } });
  expect(body).not.toContain(MARKUP);
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test('the icon of a share token contains its name as text', async () => {
  const { body } = await app.inject(`/kvaults/mints/${sharesMint}/metadata/image.svg`);
  expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

type Hostile = {
  readonly method?: 'POST';
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly payload?: string;
};

const post = { method: 'POST', url: '/ktx/decode', headers: JSON_TYPE } as const;

test.each<[string, Hostile]>([
  ['a path', { url: `/nope/${MARKUP}`, headers: { accept: '*/*' } }],
  ['a parameter of the path', { url: `/klend/loans/${encodeURIComponent(MARKUP)}` }],
  ['a query', { url: `/tokens-api/tokens?limit=${MARKUP}` }],
  ['a cluster', { url: `/v2/svc-market?env=${MARKUP}` }],
  ['a header', { url: '/v2/svc-market', headers: { 'x-min-context-slot': MARKUP } }],
  ['a body', { ...post, payload: JSON.stringify({ transaction: MARKUP }) }],
  ['a repeated key', { ...post, payload: `{"${MARKUP}":1,"${MARKUP}":2}` }],
])('markup in %s is not answered as a page', async (_, { headers: sent, ...request }) => {
  const accept = 'text/html';
  const { headers, statusCode } = await app.inject({ ...request, headers: { accept, ...sent } });
  expect(statusCode).toBeGreaterThanOrEqual(400);
  expect(statusCode).toBeLessThan(500);
  expectData(headers, JSON.stringify(request));
});

test('what the server waits for is text on the start page', async () => {
  const cluster = staticCluster();
  const status = () => ({ ...cluster.status(), waitingFor: `endpoint ${MARKUP}` });
  const api = await startApi({ clusters: goldenClusters({ status }) });
  const { body, statusCode } = await api.app.inject('/');
  expect(statusCode).toBe(503);
  expect(body).toContain('endpoint &lt;script&gt;alert(1)&lt;/script&gt;');
  expect(body).not.toContain(MARKUP);
});

const PACKAGES = new URL('../../../packages/', import.meta.url);

/** What turns text into markup or code, and links to addresses that the pages do not make themselves. */
const SINKS =
  /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|createContextualFragment|DOMParser|srcdoc|\beval\(|new Function\(|javascript:|\b(?:href|src|action)=\{(?!hrefOf\()/;

/** Images of tokens: only over https, and only from hosts that the content security policy names. */
const ALLOWED = ['explorer/src/components/token/token-icon.tsx: src={image}'];

test('no script of the pages turns text into markup, code or a foreign link', () => {
  const names = readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?:explorer\/src|server\/web)\/.*(?<!\.test)\.(?:tsx?|js)$/.test(name),
  );
  expect(names.length).toBeGreaterThan(100);
  const found = names.flatMap((name) =>
    readFileSync(new URL(name, PACKAGES), 'utf8')
      // of a component, whose name begins with a capital, it is no attribute of a form
      .replace(/(<[A-Z]\w*\s[^<>]*?)action=\{/g, '$1')
      .split('\n')
      .filter((line) => SINKS.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(found).toEqual(ALLOWED);
});
