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

function folder(): string {
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

/** A source on loopback whose answer can be changed, and that counts how often it was asked. */
async function startSource() {
  const state: { answer: RequestListener; asked: number } = { answer: () => undefined, asked: 0 };
  const server = createServer((request, response) => {
    state.asked += 1;
    state.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://user:secret@127.0.0.1:${port}/list?token=secret`);
  return { state, source: createUrlSource(url) };
}

const answerWith =
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

test('a list is loaded, and renewed when it changes', async () => {
  const { state, source } = await startSource();
  const { feed, time } = feedOf(source, join(folder(), 'tokens.json'));
  state.answer = answerWith(list(SOL));
  await feed.start();
  expect(mintsOf(feed)).toEqual([SOL]);
  expect(feed.version()).toBe(1);
  expect(feed.status()).toMatchObject({ count: 1, confirmedAt: 1_000, lastError: null });
  time.now = 2_000;
  await feed.poll();
  expect(feed.version()).toBe(1);
  expect(feed.status().confirmedAt).toBe(2_000);
  state.answer = answerWith(list(USDC));
  await feed.poll();
  expect(mintsOf(feed)).toEqual([USDC]);
  expect(feed.version()).toBe(2);
});

test.each([
  ['an outage', answerWith('oops', 503), 'it answers with status 503'],
  ['cut-off JSON', answerWith(list(SOL).slice(0, -5)), 'JSON'],
  ['a page', answerWith('<html>'), 'JSON'],
  ['an empty list', answerWith('[]'), 'it has no tokens'],
  ['another shape', answerWith('{"ok":true}'), 'it is not an array'],
  ['a dropped connection', ((request) => request.destroy()) as RequestListener, 'fetch failed'],
])('%s leaves the last good list in service, and the status says so', async (_, answer, reason) => {
  const { state, source } = await startSource();
  const { feed, time } = feedOf(source, join(folder(), 'tokens.json'));
  state.answer = answerWith(list(SOL));
  await feed.start();
  state.answer = answer;
  time.now = 9_000;
  await feed.poll();
  expect(mintsOf(feed)).toEqual([SOL]);
  expect(feed.version()).toBe(1);
  expect(feed.status()).toMatchObject({ count: 1, confirmedAt: 1_000 });
  expect(feed.status().lastError).toContain(reason);
  state.answer = answerWith(list(SOL, USDC));
  await feed.poll();
  expect(feed.status()).toMatchObject({ count: 2, lastError: null });
});

test('after a restart the copy on disk serves until the source answers', async () => {
  const { state, source } = await startSource();
  const copyPath = join(folder(), 'tokens.json');
  state.answer = answerWith(list(SOL));
  await feedOf(source, copyPath).feed.start();

  state.answer = answerWith('', 500);
  const { feed } = feedOf(source, copyPath);
  await feed.start();
  expect(mintsOf(feed)).toEqual([SOL]);
  expect(feed.status()).toMatchObject({ fromCopy: true, confirmedAt: 1_000, count: 1 });
  state.answer = answerWith(list(USDC));
  await feed.poll();
  expect(mintsOf(feed)).toEqual([USDC]);
  expect(feed.status()).toMatchObject({ fromCopy: false, lastError: null });
});

test('the copy of another source, or a damaged one, is not served', async () => {
  const { state, source } = await startSource();
  const copyPath = join(folder(), 'tokens.json');
  state.answer = answerWith('', 500);
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

test('two lists of one name, or of one path with another query, do not share a copy', async () => {
  const one = createFileSource('/a/list.json');
  const other = createFileSource('/b/list.json');
  expect([one.label, other.label]).toEqual(['list.json', 'list.json']);
  expect(one.identity).not.toBe(other.identity);
  const query = (text: string) => createUrlSource(new URL(`https://u:p@host.example/l?${text}`));
  expect(query('a=1').identity).toBe(query('a=1').identity);
  expect(query('a=1').identity).not.toBe(query('a=2').identity);
  expect(query('a=secret').identity).toMatch(/^[0-9a-f]{64}$/);
});

test('a source that knows tags is not read again while nothing has changed', async () => {
  const { state, source } = await startSource();
  const { feed, time } = feedOf(source, join(folder(), 'tokens.json'));
  let sent = 0;
  state.answer = (request, response) => {
    const known = request.headers['if-none-match'] === '"v1"';
    if (!known) sent += 1;
    response.writeHead(known ? 304 : 200, { etag: '"v1"' });
    response.end(known ? undefined : list(SOL));
  };
  await feed.start();
  time.now = 5_000;
  await feed.poll();
  expect([state.asked, sent]).toEqual([2, 1]);
  expect(feed.status()).toMatchObject({ confirmedAt: 5_000, lastError: null, count: 1 });
});

test('a file is read again when it was written', async () => {
  const path = join(folder(), 'list.json');
  writeFileSync(path, list(SOL));
  const { feed } = feedOf(createFileSource(path), join(folder(), 'tokens.json'));
  await feed.start();
  expect(mintsOf(feed)).toEqual([SOL]);
  writeFileSync(path, list(USDC));
  utimesSync(path, 2_000, 2_000);
  await feed.poll();
  expect(mintsOf(feed)).toEqual([USDC]);
});

test('a file that is missing or nonsense, with no copy, is an error at the start', async () => {
  const path = join(folder(), 'list.json');
  const start = () => feedOf(createFileSource(path), join(folder(), 'tokens.json')).feed.start();
  await expect(start()).rejects.toThrow('ENOENT');
  writeFileSync(path, '[]');
  await expect(start()).rejects.toThrow(
    'The token list from list.json is invalid: it has no tokens. Fix the list, or set TOKENS to another source.',
  );
});

test('credentials of a URL are sent, and its name shows neither them nor the query', async () => {
  const { state, source } = await startSource();
  let seen: string | undefined;
  state.answer = (request, response) => {
    seen = `${request.headers.authorization} ${request.url}`;
    response.end(list(SOL));
  };
  const { feed } = feedOf(source, join(folder(), 'tokens.json'));
  await feed.start();
  expect(seen).toBe('Basic dXNlcjpzZWNyZXQ= /list?token=secret');
  expect(feed.status().source).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/list$/);
});
