import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFileSource, createUrlSource, type DocumentSource } from './document-source.ts';
import { TokenFeed } from './token-feed.ts';
import { parseTokenFormat } from './token-format.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };

const list = (...mints: string[]) =>
  JSON.stringify(mints.map((mint) => ({ mint, symbol: 'S', name: 'n', decimals: 9 })));

function createFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tidegate-tokens-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

function feedOf(source: DocumentSource, copyPath: string) {
  const format = parseTokenFormat('tidegate');
  if (format === undefined) throw new Error('no format');
  const time = { now: 1_000 };
  const clock = () => time.now;
  const feed = new TokenFeed({ source, format, copyPath, pollMs: 1e9, clock, log });
  onTestFinished(() => feed.stop());
  return { feed, time };
}

/** A loopback server with a configurable response and a request counter. */
async function startSource() {
  const state: { respond: RequestListener; requests: number } = {
    respond: () => undefined,
    requests: 0,
  };
  const server = createServer((request, response) => {
    state.requests += 1;
    state.respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://user:secret@127.0.0.1:${port}/list?token=secret`);
  return { state, source: createUrlSource(url) };
}

const respondWith =
  (body: string, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  };

const mintsOf = (feed: TokenFeed) =>
  feed
    .catalogue()
    ?.find({ limit: 10 })
    .map((token) => token.mint);

test('the feed loads a list and replaces it when it changes', async () => {
  const { state, source } = await startSource();
  const { feed, time } = feedOf(source, join(createFolder(), 'tokens.json'));
  state.respond = respondWith(list(SOL));
  await feed.start();
  expect(mintsOf(feed)).toEqual([SOL]);
  expect(feed.version()).toBe(1);
  expect(feed.status()).toMatchObject({ count: 1, confirmedAt: 1_000, lastError: null });
  time.now = 2_000;
  await feed.poll();
  expect(feed.version()).toBe(1);
  expect(feed.status().confirmedAt).toBe(2_000);
  state.respond = respondWith(list(USDC));
  await feed.poll();
  expect(mintsOf(feed)).toEqual([USDC]);
  expect(feed.version()).toBe(2);
});

test.each([
  ['an outage', respondWith('oops', 503), 'it responds with status 503'],
  ['truncated JSON', respondWith(list(SOL).slice(0, -5)), 'JSON'],
  ['an HTML page', respondWith('<html>'), 'JSON'],
  ['an empty list', respondWith('[]'), 'it has no tokens'],
  ['an object', respondWith('{"ok":true}'), 'it has no array of tokens'],
  ['a dropped connection', ((request) => request.destroy()) as RequestListener, 'socket hang up'],
])(
  'after %s the feed serves the last good list and reports the error',
  async (_, respond, reason) => {
    const { state, source } = await startSource();
    const { feed, time } = feedOf(source, join(createFolder(), 'tokens.json'));
    state.respond = respondWith(list(SOL));
    await feed.start();
    state.respond = respond;
    time.now = 9_000;
    await feed.poll();
    expect(mintsOf(feed)).toEqual([SOL]);
    expect(feed.version()).toBe(1);
    expect(feed.status()).toMatchObject({ count: 1, confirmedAt: 1_000 });
    expect(feed.status().lastError).toContain(reason);
    state.respond = respondWith(list(SOL, USDC));
    await feed.poll();
    expect(feed.status()).toMatchObject({ count: 2, lastError: null });
  },
);

test('after a restart the feed serves the copy on disk until the source responds', async () => {
  const { state, source } = await startSource();
  const copyPath = join(createFolder(), 'tokens.json');
  state.respond = respondWith(list(SOL));
  await feedOf(source, copyPath).feed.start();

  state.respond = respondWith('', 500);
  const { feed } = feedOf(source, copyPath);
  await feed.start();
  expect(mintsOf(feed)).toEqual([SOL]);
  expect(feed.status()).toMatchObject({ fromCopy: true, confirmedAt: 1_000, count: 1 });
  state.respond = respondWith(list(USDC));
  await feed.poll();
  expect(mintsOf(feed)).toEqual([USDC]);
  expect(feed.status()).toMatchObject({ fromCopy: false, lastError: null });
});

test('a damaged copy, or the copy of another source, is not served', async () => {
  const { state, source } = await startSource();
  const copyPath = join(createFolder(), 'tokens.json');
  state.respond = respondWith('', 500);
  for (const copy of [
    JSON.stringify({ source: 'elsewhere', confirmedAt: 1, tokens: JSON.parse(list(SOL)) }),
    JSON.stringify({ source: source.identity, confirmedAt: 1, tokens: 'x' }),
    '{"source":',
    'null',
  ]) {
    writeFileSync(copyPath, copy);
    const { feed } = feedOf(source, copyPath);
    await feed.start();
    expect(feed.catalogue()).toBeUndefined();
    expect(readFileSync(copyPath, 'utf8')).toBe(copy);
  }
});

test('sources with the same file name, or with different queries, do not share a copy', async () => {
  const one = createFileSource('/a/list.json');
  const other = createFileSource('/b/list.json');
  expect([one.label, other.label]).toEqual(['list.json', 'list.json']);
  expect(one.identity).not.toBe(other.identity);
  const query = (text: string) => createUrlSource(new URL(`https://u:p@host.example/l?${text}`));
  expect(query('a=1').identity).toBe(query('a=1').identity);
  expect(query('a=1').identity).not.toBe(query('a=2').identity);
  expect(query('a=secret').identity).toMatch(/^[0-9a-f]{64}$/);
});

test('an unchanged ETag avoids another download', async () => {
  const { state, source } = await startSource();
  const { feed, time } = feedOf(source, join(createFolder(), 'tokens.json'));
  let sent = 0;
  state.respond = (request, response) => {
    const known = request.headers['if-none-match'] === '"v1"';
    if (!known) sent += 1;
    response.writeHead(known ? 304 : 200, { etag: '"v1"' });
    response.end(known ? undefined : list(SOL));
  };
  await feed.start();
  time.now = 5_000;
  await feed.poll();
  expect([state.requests, sent]).toEqual([2, 1]);
  expect(feed.status()).toMatchObject({ confirmedAt: 5_000, lastError: null, count: 1 });
});

test('a file is read again after a change', async () => {
  const path = join(createFolder(), 'list.json');
  writeFileSync(path, list(SOL));
  const { feed } = feedOf(createFileSource(path), join(createFolder(), 'tokens.json'));
  await feed.start();
  expect(mintsOf(feed)).toEqual([SOL]);
  writeFileSync(path, list(USDC));
  utimesSync(path, 2_000, 2_000);
  await feed.poll();
  expect(mintsOf(feed)).toEqual([USDC]);
});

test('start fails if the file is missing or invalid and there is no copy', async () => {
  const path = join(createFolder(), 'list.json');
  const start = () =>
    feedOf(createFileSource(path), join(createFolder(), 'tokens.json')).feed.start();
  await expect(start()).rejects.toThrow('ENOENT');
  writeFileSync(path, '[]');
  await expect(start()).rejects.toThrow(
    'The token list from list.json is invalid: it has no tokens. Fix the list, or set TOKENS to another source.',
  );
});

test('URL credentials are sent, but the source name contains neither them nor the query', async () => {
  const { state, source } = await startSource();
  let seen: string | undefined;
  state.respond = (request, response) => {
    seen = `${request.headers.authorization} ${request.url}`;
    response.end(list(SOL));
  };
  const { feed } = feedOf(source, join(createFolder(), 'tokens.json'));
  await feed.start();
  expect(seen).toBe('Basic dXNlcjpzZWNyZXQ= /list?token=secret');
  expect(feed.status().source).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/list$/);
});
