import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { goldenApi } from '../../support/http/test-api.ts';

const docs = new URL('../../../docs/', import.meta.url);

const guideNames = readdirSync(docs)
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length));

type Example = { readonly example?: unknown };
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly (Example & {
    readonly name: string;
    readonly required: boolean;
  })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Example>> };
  readonly responses: Readonly<Record<string, { readonly content: Record<string, Example> }>>;
};
type OpenApi = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

async function startDocs() {
  const { url, get } = await goldenApi();
  const { paths } = (await get('/openapi.json')).body as OpenApi;
  return { url, get, operations: Object.values(paths).flatMap((each) => Object.values(each)) };
}

const linksIn = (html: string): string[] =>
  [...html.matchAll(/ (?:src|href)="([^"]+)"/g)].map((match) =>
    (match[1] ?? '').replaceAll('&amp;', '&'),
  );

test('/docs redirects to the page, and all of its assets are served', async () => {
  const { url } = await goldenApi();
  const redirect = await fetch(`${url}/docs`, { redirect: 'manual' });
  expect([redirect.status, redirect.headers.get('location')]).toEqual([308, 'docs/']);
  await fetch(`${url}/docs/`);
  const second = await fetch(`${url}/docs`, { redirect: 'manual' });
  expect([second.status, second.headers.get('location')]).toEqual([308, 'docs/']);
  const response = await fetch(`${url}/docs`);
  expect(response.url).toBe(`${url}/docs/`);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('a page with a slash at its end redirects to the one without', async () => {
  const { url } = await goldenApi();
  for (const path of ['guide/tour', 'operations/getLoan']) {
    expect((await fetch(`${url}/docs/${path}/`)).url).toBe(`${url}/docs/${path}`);
  }
});

test('every guide and operation is a page with its own title, and every internal link resolves', async () => {
  const { url, operations } = await startDocs();
  const pages = new Map<string, string>();
  const read = async (address: string): Promise<string> => {
    const known = pages.get(address);
    if (known !== undefined) return known;
    // pages of the explorer are answered to browsers only
    const response = await fetch(address, { headers: { accept: 'text/html' } });
    expect(response.status, address).toBe(200);
    const text = await response.text();
    pages.set(address, text);
    return text;
  };
  const pending = [`${url}/docs/`, ...guideNames.map((name) => `${url}/docs/guide/${name}`)];
  pending.push(...operations.map(({ operationId }) => `${url}/docs/operations/${operationId}`));
  const titles: string[] = [];
  for (const address of pending) {
    const html = await read(address);
    titles.push(/<title>(.*) · Tidegate<\/title>/.exec(html)?.[1] ?? '');
    for (const link of linksIn(html)) {
      const target = new URL(link, address);
      const isExternal = /^https?:/.test(link);
      expect(isExternal || target.origin === url, `${link} on ${address}`).toBe(true);
      // the start page of a server that is not ready
      if (isExternal || target.href === `${url}/`) continue;
      const { hash } = target;
      target.hash = '';
      const text = await read(target.href);
      if (hash) expect(text, `${link} on ${address}`).toContain(` id="${hash.slice(1)}"`);
    }
  }
  expect(titles).not.toContain('');
  expect(new Set(titles).size).toBe(pending.length);
  expect(operations.length).toBeGreaterThan(80);
});

test('the Markdown form of a guide is the file, and its links resolve', async () => {
  const { url } = await goldenApi();
  for (const name of guideNames) {
    const address = `${url}/docs/guide/${name}.md`;
    const response = await fetch(address);
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const text = await response.text();
    const file = readFileSync(new URL(`${name}.md`, docs), 'utf8');
    expect(text.replaceAll(url, 'http://127.0.0.1:8080')).toBe(file);
    for (const [, link = ''] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (/^https?:/.test(link)) continue;
      expect((await fetch(new URL(link, address))).status, `${link} in ${name}`).toBe(200);
    }
  }
  expect(guideNames.length).toBeGreaterThan(20);
});

test('the commands of a guide use the address by which the client reached the server', async () => {
  const { url } = await goldenApi();
  for (const path of ['/docs/guide/tour', '/docs/guide/tour.md']) {
    const text = await (await fetch(`${url}${path}`)).text();
    expect(text).toContain(`TIDEGATE=${url}\n`);
    expect(text).toContain(`Tidegate is at ${url}`);
    expect(text).not.toContain('127.0.0.1:8080');
  }
  const { host } = new URL(url);
  const response = await fetch(`${url}/docs/guide/tour`, { headers: { host: 'x"><script>' } });
  expect(await response.text()).toContain(`TIDEGATE=http://${host}\n`);
});

test('a builder links to the guide', async () => {
  const { url } = await goldenApi();
  const text = await (await fetch(`${url}/docs/operations/buildLendDepositTx`)).text();
  expect(text).toContain('<a href="../guide/builders"><code>/docs/guide/builders</code></a>');
});

test('the Markdown form of an operation has its path, fields, a command and a sample', async () => {
  const { url, operations } = await startDocs();
  for (const { operationId, summary } of operations) {
    const text = await (await fetch(`${url}/docs/operations/${operationId}.md`)).text();
    expect(text.startsWith(`# ${summary}\n`), operationId).toBe(true);
    for (const part of ['\ncurl ', '## Sample answer\n', '## Statuses\n']) {
      expect(text, operationId).toContain(part);
    }
  }
  const loan = await (await fetch(`${url}/docs/operations/getLoan.md`)).text();
  expect(loan).toContain('`GET /klend/loans/{pubkey}`');
  expect(loan).toContain('`loanInfo.collateral.deposits[].liquidationLtv`');
});

test('llms.txt lists every guide and operation with an address that works', async () => {
  const { url, operations } = await startDocs();
  const text = await (await fetch(`${url}/llms.txt`)).text();
  expect(text).toMatch(/^# Tidegate\n\n> /);
  const links = [...text.matchAll(/^- \[.+?\]\((\S+?)\): \S/gm)].map((match) => match[1] ?? '');
  expect(links.toSorted()).toEqual(
    [
      ...guideNames.map((name) => `${url}/docs/guide/${name}.md`),
      ...operations.map(({ operationId }) => `${url}/docs/operations/${operationId}.md`),
      `${url}/openapi.json`,
    ].sort(),
  );
  for (const link of links) expect((await fetch(link)).status, link).toBe(200);
});

/** Of operations that require one of several parameters. */
const CHOSEN_PARAMETERS: Readonly<Record<string, string>> = {
  streamTransactions: 'wallet',
  listReserveStats: 'market',
};

test('every operation has a sample, and every required parameter and body an example', async () => {
  const { operations } = await startDocs();
  for (const { operationId, parameters = [], requestBody, responses } of operations) {
    const [answer] = Object.values(responses['200']?.content ?? {});
    expect(answer, operationId).toHaveProperty('example');
    for (const { name, required, example } of parameters) {
      const isText = typeof example === 'string' && example !== '';
      const isShown = required || CHOSEN_PARAMETERS[operationId] === name;
      expect(isText, `${name} of ${operationId}`).toBe(isShown);
    }
    const [body] = Object.values(requestBody?.content ?? {});
    if (body !== undefined) expect(body, operationId).toHaveProperty('example');
  }
});

test('the addresses of the examples are replaced by those of the served cluster', async () => {
  const { get, operations } = await startDocs();
  const addresses = (await get('/docs/addresses.json')).body as Record<string, string>;
  const exampleOf = (id: string, name: string): string => {
    const operation = operations.find(({ operationId }) => operationId === id);
    return String(operation?.parameters?.find((each) => each.name === name)?.example);
  };
  const vault = addresses[exampleOf('getVault', 'pubkey')];
  const loan = addresses[exampleOf('getLoan', 'pubkey')];
  expect((await get(`/kvaults/vaults/${vault}`)).status).toBe(200);
  const { status, body } = await get(`/klend/loans/${loan}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    marketId: addresses[exampleOf('getMarket', 'pubkey')],
    user: addresses[exampleOf('getPortfolio', 'pubkey')],
  });
});

test('the content security policy allows no other origin', async () => {
  const { url } = await goldenApi();
  for (const path of ['', 'guide.js', 'guide.js', 'guide/tour', 'operations/getLoan']) {
    const { headers } = await fetch(`${url}/docs/${path}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|unsafe/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('no asset refers to another host, and every imported module is served', async () => {
  const { url } = await goldenApi();
  const html = await (await fetch(`${url}/docs/`)).text();
  const shared = linksIn(html).filter((link) => /^\.\.\/explorer\/.*\.(js|css)$/.test(link));
  expect(shared).toHaveLength(3);
  const pending = ['guide.js', 'operation-page.js', 'overview.js', ...shared];
  const seen = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const response = await fetch(`${url}/docs/${name}`);
    expect(response.status, name).toBe(200);
    const text = await response.text();
    expect(text, name).not.toMatch(/https?:\/\/(?!www\.w3\.org\/|example\.com\/|localhost\/)/);
    for (const match of text.matchAll(/from '\.\/([\w.-]+)'/g)) pending.push(match[1] ?? '');
  }
  expect(seen.size).toBeGreaterThan(15);
});

test('an unknown page and a path outside the folder are 404', async () => {
  const { get } = await goldenApi();
  for (const path of [
    '/docs/nope.js',
    '/docs/..%2f..%2fpackage.json',
    '/docs/a/b',
    '/docs/guide/nope',
    '/docs/guide/..%2findex',
    '/docs/guide/examples/..%2f..%2findex.json',
    '/docs/operations/nope',
    '/docs/operations/getDocs',
  ]) {
    expect((await get(path)).status, path).toBe(404);
  }
});

test('the link of a code leads to its row', async () => {
  const { url } = await goldenApi();
  const html = await (await fetch(`${url}/docs/guide/settings`)).text();
  expect(html).toContain('<tr id="port" class="term"><td><code>PORT</code></td>');
});

test('a page of an operation has its reference and a sample before any script', async () => {
  const { url } = await startDocs();
  const html = await (await fetch(`${url}/docs/operations/getLoan`)).text();
  for (const text of ['pubkey', 'Address of the obligation account', 'maxWithdrawableAmount']) {
    expect(html).toContain(text);
  }
  expect(html).toContain('<h3>Sample answer</h3>');
  expect(html).toMatch(/curl .{1,6}http:\/\/127\.0\.0\.1:\d+\/klend\/loans\//);
});

test('the form of an operation loads the part of the document about it, with all schemas', async () => {
  const { url, get, operations } = await startDocs();
  for (const { operationId } of operations) {
    const { status, body } = await get(`/docs/operations/${operationId}.json`);
    expect(status, operationId).toBe(200);
    const part = body as OpenApi & { readonly components: { readonly schemas: object } };
    const methods = Object.values(part.paths).flatMap((each) => Object.values(each));
    expect(methods.some((each) => each.operationId === operationId)).toBe(true);
    const text = JSON.stringify(body);
    const names = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1]);
    expect(Object.keys(part.components.schemas).sort()).toEqual([...new Set(names)].sort());
    expect(text.length, operationId).toBeLessThan(100_000);
  }
  expect((await fetch(`${url}/docs/operations/getDocs.json`)).status).toBe(404);
});
