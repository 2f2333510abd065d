import { gzipSync } from 'node:zlib';
import type { Fault, HttpReply } from './fault.ts';
import { happens, slots } from './fault.ts';

const text = (status: number, type: string, body: string): HttpReply => ({
  status,
  headers: { 'content-type': type },
  body,
});

const JSON_TYPE = 'application/json';
const half = <Value extends string | Uint8Array>(value: Value): Value =>
  value.slice(0, Math.max(1, Math.floor(value.length / 2))) as Value;

/** Longer than a request of the server in these tests waits. */
export const REQUEST_LIMIT_MS = 2_000;

/** Faults of the transport, which any server notices. */
export const httpFaults: readonly Fault[] = [
  {
    name: 'endpoint dead',
    change: 'refuses every request over HTTP',
    begin: () => ({ reply: () => null }),
  },
  {
    name: 'status 429',
    change: 'answers 429 to every request over HTTP',
    begin: () => ({ reply: () => text(429, 'text/plain', 'Too many requests') }),
  },
  {
    name: 'status 503',
    change: 'answers 503 to two of three requests',
    begin: ({ random }) => ({
      reply: () =>
        happens(random, 66) ? text(503, 'text/plain', 'upstream is unavailable') : undefined,
    }),
  },
  {
    name: 'HTML',
    change: 'answers with a page of HTML and status 200',
    begin: () => ({ reply: () => text(200, 'text/html', '<html><body>Maintenance</body></html>') }),
  },
  {
    name: 'truncated JSON',
    change: 'sends half of each third answer, with status 200',
    begin: ({ random }) => ({
      body: (body) => text(200, JSON_TYPE, happens(random, 33) ? half(body) : body),
    }),
  },
  {
    name: 'broken gzip',
    change: 'sends half of the compressed bytes of each third answer',
    begin: ({ random }) => ({
      body: (body) => ({
        status: 200,
        headers: { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' },
        body: happens(random, 33) ? half(gzipSync(body)) : gzipSync(body),
      }),
    }),
  },
  {
    name: 'mid-body reset',
    change: 'cuts the connection in the middle of each third answer',
    begin: ({ random }) => ({
      body: (body) => {
        const isReset = happens(random, 33);
        const length = { 'content-length': `${Buffer.byteLength(body)}` };
        const headers = { 'content-type': JSON_TYPE, ...length };
        return { status: 200, headers, body: isReset ? half(body) : body, isReset };
      },
    }),
  },
  {
    name: 'slow answers',
    change: 'answers after three slots',
    begin: () => ({ answerDelayMs: () => slots(3) }),
  },
  {
    name: 'answers after the limit',
    change: 'answers a third of the requests when nobody waits any more',
    begin: ({ random }) => ({
      answerDelayMs: () => (happens(random, 33) ? REQUEST_LIMIT_MS + 500 : 0),
    }),
  },
  {
    name: 'large answers',
    change: 'adds 8 MB of spaces to each tenth answer',
    begin: ({ random }) => ({
      body: (body) =>
        text(200, JSON_TYPE, happens(random, 10) ? `${' '.repeat(8_000_000)}${body}` : body),
    }),
  },
  {
    name: 'batches out of order',
    change: 'answers the calls of a batch in reverse order',
    begin: () => ({ batch: (answers) => [...answers].reverse() }),
  },
  {
    name: 'batches in part',
    change: 'leaves out every second answer of a batch',
    begin: () => ({ batch: (answers) => answers.filter((_, i) => i % 2 === 0) }),
  },
  {
    name: 'batch as one error',
    change: 'answers a batch with one error',
    begin: () => ({
      batch: () => ({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_603, message: 'Internal error' },
      }),
    }),
  },
];
