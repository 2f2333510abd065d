import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendBytes, statusesIn } from '../../support/attacks/raw-socket.ts';
import { type App, startApp } from '../../support/http/test-api.ts';

/** Only a server that disagrees with the sender about the end of a request answers it. */
const HIDDEN = 'GET /smuggled HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
const POST = 'POST /luts/find-minimal HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
const CHUNKED_END = '0\r\n\r\n';

let app: App;
let url: string;

beforeAll(async () => {
  ({ app, url } = await startApp());
});
afterAll(() => app.close());

test.each([
  [
    'both lengths, content-length first',
    `${POST}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n${CHUNKED_END}`,
  ],
  [
    'both lengths, transfer-encoding first',
    `${POST}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n${CHUNKED_END}`,
  ],
  ['two lengths', `${POST}content-length: 0\r\ncontent-length: ${HIDDEN.length}\r\n\r\n`],
  ['two equal lengths', `${POST}content-length: 0\r\ncontent-length: 0\r\n\r\n`],
  ['a list of lengths', `${POST}content-length: 0, 0\r\n\r\n`],
  ['a signed length', `${POST}content-length: +0\r\n\r\n`],
  ['a hexadecimal length', `${POST}content-length: 0x0\r\n\r\n`],
  ['an unknown encoding', `${POST}transfer-encoding: xchunked\r\n\r\n`],
  ['identity encoding', `${POST}transfer-encoding: identity\r\n\r\n`],
  ['chunked that is not last', `${POST}transfer-encoding: chunked, identity\r\n\r\n${CHUNKED_END}`],
  [
    'two encodings',
    `${POST}transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n${CHUNKED_END}`,
  ],
  ['a space before the colon', `${POST}transfer-encoding : chunked\r\n\r\n${CHUNKED_END}`],
  ['a folded header', `${POST}transfer-encoding:\r\n chunked\r\n\r\n${CHUNKED_END}`],
  ['a line that begins with a space', `${POST} x-a: b\r\n\r\n`],
  ['bare LF', 'GET /health HTTP/1.1\nhost: x\n\n'],
  ['bare LF in one header', `${POST}x-a: b\ncontent-length: ${HIDDEN.length}\r\n\r\n`],
  ['bare CR', `${POST}x-a: b\rcontent-length: 0\r\n\r\n`],
  ['a zero byte', `${POST}x-a: b\0c\r\n\r\n`],
  ['LF in a chunk extension', `${POST}transfer-encoding: chunked\r\n\r\n2;a\nb\r\n{}\r\n`],
  ['a negative chunk', `${POST}transfer-encoding: chunked\r\n\r\n-1\r\n{}\r\n`],
  ['a chunk longer than 64 bits', `${POST}transfer-encoding: chunked\r\n\r\nffffffffffffffff1\r\n`],
  [
    'chunks in HTTP/1.0',
    `${POST.replace('1.1', '1.0')}connection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n${CHUNKED_END}`,
  ],
  ['two hosts', 'GET /health HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n'],
  ['two equal hosts', 'GET /health HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n'],
  ['no host', 'GET /health HTTP/1.1\r\n\r\n'],
  ['HTTP/0.9', 'GET /health\r\n\r\n'],
  ['HTTP/2.0', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
])('%s: one 400 in JSON, and the connection is closed', async (_, request) => {
  const response = await sendBytes(url, request + HIDDEN);
  expect(statusesIn(response)).toEqual([400]);
  expect(response.toLowerCase()).toContain('\r\nconnection: close');
  expect(response).toMatch(/\{"error":"Bad Request\. The connection is closed\."\}$/);
});

test('a body of a GET is not taken for the next request', async () => {
  const request = `GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${HIDDEN.length}\r\n\r\n`;
  expect(statusesIn(await sendBytes(url, request + HIDDEN))).toEqual([200]);
});

test('CONNECT closes the connection, and an upgrade is ignored', async () => {
  const connect = 'CONNECT example.org:80 HTTP/1.1\r\nhost: example.org:80\r\n\r\n';
  expect(await sendBytes(url, connect + HIDDEN)).toBe('');
  const headers = 'host: x\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n';
  const upgrade = `GET /health HTTP/1.1\r\n${headers}\r\n`;
  expect(statusesIn(await sendBytes(url, upgrade))).toEqual([200]);
});

test('requests with a host, or of HTTP/1.0 without one, are answered', async () => {
  expect(statusesIn(await sendBytes(url, 'GET /health HTTP/1.0\r\n\r\n'))).toEqual([200]);
  const request = 'GET /health HTTP/1.1\r\nHOST: x\r\n\r\n';
  expect(statusesIn(await sendBytes(url, request + HIDDEN))).toEqual([200, 404]);
});
