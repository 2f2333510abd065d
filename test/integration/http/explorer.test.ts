import { mkdirSync, writeFileSync } from 'node:fs';
import { request as sendRequest } from 'node:http';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { StartingClusters } from '#server/clusters/starting-clusters.ts';
import { MemoryRateLimitStore } from '#server/http/limits/memory-limit-store.ts';
import { parseRateLimitPolicy } from '#server/http/limits/rate-limit.ts';
import { createExplorer } from '#server/operations/explorer/explorer-files.ts';
import { startApi } from '../../support/http/test-api.ts';
import { temporaryFolderPath } from '../../support/processes/run-folder.ts';

const HTML =
  '<!doctype html><base href="./" /><meta name="tidegate-missing" content="" /><meta name="tidegate-images" content="" /><script type="module" src="./explorer/main-1.js"></script>';
const SCRIPT = `console.log('${'tide '.repeat(500)}')`;
/** What a browser sends when it opens a page. */
const NAVIGATION = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** A build with two page paths and one script, as `scripts/build-explorer.js` writes it. */
function writeBuild(imageSources: readonly string[] = []) {
  const folder = temporaryFolderPath('explorer-');
  mkdirSync(`${folder}/explorer`);
  writeFileSync(`${folder}/index.html`, HTML);
  writeFileSync(`${folder}/page-paths.json`, '["/","/markets/:market","/status"]');
  writeFileSync(`${folder}/explorer/main-1.js`, SCRIPT);
  writeFileSync(`${folder}/explorer/main-1.js.br`, brotliCompressSync(SCRIPT));
  writeFileSync(`${folder}/explorer/main-1.js.gz`, gzipSync(SCRIPT));
  return createExplorer(pathToFileURL(`${folder}/`), imageSources);
}

type Received = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
};

/** Unlike `fetch`, sends only the given headers and does not decode the body. */
async function send(
  url: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, { headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status = 0 } = response;
        resolve({ status, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject).end();
  });
}

const open = (url: string, headers: Record<string, string> = {}) =>
  send(url, { accept: NAVIGATION, ...headers });

/** Without what differs between two responses to one request. */
function comparable({ status, headers, body }: Received) {
  const { date, 'x-request-id': id, 'x-data-age': age, ...rest } = headers;
  return { status, headers: rest, body: body.toString() };
}

test('navigation to a page gets the app, with addresses relative to the page', async () => {
  const { url } = await startApi({ explorer: writeBuild() });
  for (const [path, base] of [
    ['/', './'],
    ['/?range=30d', './'],
    ['/status', './'],
    ['/status/', '../'],
    ['/markets/abc', '../'],
    ['/markets/abc/', '../../'],
  ]) {
    const { status, headers, body } = await open(`${url}${path}`);
    expect([path, status]).toEqual([path, 200]);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body.toString()).toBe(HTML.replace('"./"', `"${base}"`));
  }
});

test('a path of the API that looks like the page of a market is answered by the API', async () => {
  const { url } = await startApi({ explorer: writeBuild() });
  for (const path of [
    '/markets/collateral-reserves',
    '/markets/collateral-reserves?env=localnet',
  ]) {
    const { status, headers, body } = await open(`${url}${path}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/json');
    expect(JSON.parse(body.toString())).toHaveProperty('collateralReserves');
  }
});

test('images of other hosts are allowed by the operator alone', async () => {
  const { url } = await startApi({ explorer: writeBuild(['https://cdn.example', 'https:']) });
  const { headers, body } = await open(`${url}/status`);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("; img-src 'self' data: https://cdn.example https:; ");
  expect(body.toString()).toContain('<meta name="tidegate-images" content="allowed" />');
  const missing = await open(`${url}/no-such-page`);
  expect(missing.headers['content-security-policy']).toBe(policy);

  const usual = await startApi({ explorer: writeBuild() });
  const page = await open(`${usual.url}/status`);
  expect(page.headers['content-security-policy']).toContain("; img-src 'self' data:; ");
  expect(page.body.toString()).toContain('<meta name="tidegate-images" content="" />');
});

test('requests that do not accept HTML by name are answered as without the explorer', async () => {
  const withExplorer = await startApi({ explorer: writeBuild(), clock: () => 0 });
  const without = await startApi({
    explorer: createExplorer(new URL('file:///nowhere/')),
    clock: () => 0,
  });
  for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD', 'DELETE']) {
    for (const path of ['/', '/status', '/markets/abc', '/markets', '/vaults', '/v2/svc-market']) {
      for (const accept of ['*/*', 'application/json', 'application/xhtml+xml']) {
        const [left, right] = await Promise.all(
          [withExplorer, without].map(({ url }) => send(`${url}${path}`, { accept }, method)),
        );
        expect(left && comparable(left), `${method} ${path} ${accept}`).toEqual(
          right && comparable(right),
        );
      }
    }
  }
});

test('navigation to a path that does not exist gets the app with 404 and the reason', async () => {
  const { url } = await startApi({ explorer: writeBuild() });
  for (const [path, base, reason] of [
    ['/vaults', './', 'The path does not exist.'],
    ['/markets/a/b', '../../', 'The path does not exist.'],
    ['/explorer/', '../', 'The path does not exist.'],
    ['/healt', './', 'The path does not exist. The nearest is /health.'],
    ['/docs/guide/nope', '../../', 'The path does not exist.'],
    ['/nope/%3Cscript%3E"', '../', 'The path does not exist.'],
  ] as const) {
    const { status, headers, body } = await open(`${url}${path}`);
    expect([path, status]).toEqual([path, 404]);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['vary']).toContain('accept');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const text = body.toString();
    expect(text).toContain(`<base href="${base}" />`);
    expect(text).toContain(`<meta name="tidegate-missing" content="${reason}`);
    expect(text).not.toContain('%3C');
  }
});

test('an error of an operation, and of other methods, is JSON for a browser too', async () => {
  const { url } = await startApi({ explorer: writeBuild() });
  const unknown = await open(`${url}/klend/loans/nobody`);
  expect([400, 404]).toContain(unknown.status);
  expect(unknown.headers['content-type']).toMatch(/json/);
  const posted = await send(`${url}/nope`, { accept: NAVIGATION }, 'POST');
  expect(posted.headers['content-type']).toMatch(/json/);
  const without = await startApi({ explorer: createExplorer(new URL('file:///nowhere/')) });
  expect((await open(`${without.url}/nope`)).headers['content-type']).toMatch(/json/);
  const { headers } = await open(`${url}/v2/svc-market`);
  expect(headers['content-type']).toMatch(/json/);
  expect((await send(`${url}/markets/a`, { accept: NAVIGATION }, 'POST')).status).toBe(404);
});

test('the policy of the page allows scripts, styles and requests of this origin only', async () => {
  const { url } = await startApi({ explorer: writeBuild() });
  const { headers } = await open(`${url}/markets/abc`);
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['referrer-policy']).toBe('no-referrer');
});

test('the page is revalidated: a matching entity tag gets 304 without a body', async () => {
  const { url } = await startApi({ explorer: writeBuild() });
  const first = await open(`${url}/`);
  expect(first.headers['cache-control']).toBe('no-cache');
  const etag = String(first.headers['etag']);
  const second = await open(`${url}/`, { 'if-none-match': etag });
  expect([second.status, second.body.length]).toEqual([304, 0]);
  const other = await open(`${url}/markets/abc`, { 'if-none-match': etag });
  expect(other.status).toBe(200);
});

test('hashed files are immutable and sent in the smallest encoding that is accepted', async () => {
  const { url } = await startApi({ explorer: writeBuild() });
  const asset = `${url}/explorer/main-1.js`;
  const plain = await send(asset, {});
  expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
  expect(plain.body.toString()).toBe(SCRIPT);
  expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(plain.headers['vary']).toBe('accept-encoding');
  const gzipped = await send(asset, { 'accept-encoding': 'gzip' });
  expect(gzipped.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzipped.body).toString()).toBe(SCRIPT);
  const brotli = await send(asset, { 'accept-encoding': 'gzip, deflate, br' });
  expect(brotli.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(brotli.body).toString()).toBe(SCRIPT);
  const refused = await send(asset, { 'accept-encoding': 'br;q=0, gzip' });
  expect(refused.headers['content-encoding']).toBe('gzip');
});

test('files that are not assets, and paths outside the folder, are 404', async () => {
  const { url } = await startApi({ explorer: writeBuild() });
  for (const name of ['main-2.js', 'main-1.js.br', '..%2findex.html', '..%2fpage-paths.json']) {
    expect((await send(`${url}/explorer/${name}`, {})).status, name).toBe(404);
  }
});

test('while the cluster starts, the page is served and /ready has the progress', async () => {
  const clusters = new StartingClusters('localnet', () => ({
    stage: 'simulating',
    done: 43,
    total: 100,
  }));
  const { url } = await startApi({ explorer: writeBuild(), clusters });
  expect((await open(`${url}/`)).status).toBe(200);
  expect((await open(`${url}/status`)).status).toBe(200);
  const ready = await send(`${url}/ready`, {});
  expect([ready.status, JSON.parse(ready.body.toString())]).toEqual([
    503,
    {
      ready: false,
      waitingFor: ['localnet: simulating history, 43 %'],
      history: { ready: true, waitingFor: [] },
      progress: { stage: 'simulating', fraction: 0.43 },
    },
  ]);
});

test('the page and its files are not charged', async () => {
  const policy = parseRateLimitPolicy('anonymous', '1/1h');
  if (policy === undefined) throw new Error('not a limit');
  const store = new MemoryRateLimitStore(Date.now);
  const limits = { store, anonymous: policy, loopback: policy, key: policy };
  const { url } = await startApi({ explorer: writeBuild(), limits });
  for (let count = 0; count < 3; count += 1) {
    expect((await open(`${url}/`)).status).toBe(200);
    expect((await send(`${url}/explorer/main-1.js`, {})).status).toBe(200);
  }
  expect((await send(`${url}/v2/svc-market`, {})).status).toBe(200);
  expect((await send(`${url}/v2/svc-market`, {})).status).toBe(429);
});

test('without a build, navigation is answered as before', async () => {
  const { url } = await startApi({ explorer: createExplorer(new URL('file:///nowhere/')) });
  const { status, headers } = await open(`${url}/`);
  expect([status, headers['location']]).toEqual([302, 'docs/']);
});
