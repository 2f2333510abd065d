import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import {
  type StateUpdate,
  streamTransactions,
  streamUpdates,
  type TransactionUpdate,
} from '#client/streams/read-streams.ts';
import {
  answerJson,
  beginEvents,
  eventText,
  startScriptedServer,
} from '../../support/http/scripted-server.ts';
import { assertAsyncProperty } from '../../support/properties/assert-property.ts';

const WALLET = 'So11111111111111111111111111111111111111112';
const PATH = '/klend/loans/{pubkey}';
const path = { pubkey: WALLET };

/** Collects items until the predicate holds, then ends the stream. */
async function collect<Item>(
  stream: AsyncIterable<Item>,
  isLast: (items: readonly Item[]) => boolean,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) {
    items.push(item);
    if (isLast(items)) break;
  }
  return items;
}

/** Writes bytes in pieces that split lines and characters, then breaks the connection. */
async function writeInPieces(response: ServerResponse, bytes: Buffer, sizes: Iterator<number>) {
  for (let start = 0; start < bytes.length && !response.destroyed; ) {
    const size = sizes.next().value ?? 1;
    response.write(bytes.subarray(start, start + size));
    await new Promise((resolve) => setImmediate(resolve));
    start += size;
  }
  response.destroy();
}

const event = (cursor: number) => ({ signature: `sig${cursor}`, memo: `žluť-${cursor}-𝄞` });

test('property: a stream that is cut, repeated and split at any byte has every event once, in order', async () => {
  const faults = fc.record({
    sizes: fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
    cuts: fc.infiniteStream(fc.integer({ min: 1, max: 400 })),
    repeated: fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
  });
  const total = 12;
  await assertAsyncProperty(
    fc.asyncProperty(faults, async ({ sizes, cuts, repeated }) => {
      const { url, requests } = await startScriptedServer(async (request, response) => {
        beginEvents(response);
        const cursor = new URL(request.url ?? '', 'http://x').searchParams.get('cursor');
        const first = Math.max(1, Number(cursor ?? 0) + 1 - (repeated.next().value ?? 0));
        const text = Array.from({ length: total - first + 1 }, (_, index) => first + index)
          .map((id) => eventText({ id, event: 'transaction', data: event(id) }))
          .join(': heartbeat\n\n');
        const cut = Buffer.from(text).subarray(0, (cuts.next().value ?? 1) + requests.length * 20);
        await writeInPieces(response, cut, sizes);
      });
      const client = createClient({ baseUrl: url });
      const isLast = (items: readonly TransactionUpdate[]) =>
        items.filter(({ kind }) => kind === 'transaction').length === total;
      const items = await collect(streamTransactions(client, { wallet: WALLET }), isLast);
      const transactions = items.filter((item) => item.kind === 'transaction');
      expect(transactions.map(({ cursor, data }) => [cursor, data])).toEqual(
        Array.from({ length: total }, (_, index) => [String(index + 1), event(index + 1)]),
      );
      expect(requests.every(({ url: target }) => target?.includes(`wallet=${WALLET}`))).toBe(true);
    }),
    8,
  );
});

test('updates have their slot, the same one is not repeated, and a rolled back slot is shown', async () => {
  const { url, requests } = await startScriptedServer((_, response, count) => {
    beginEvents(response);
    const update = (id: number, value: number) => {
      const headers = { 'x-env': 'localnet', 'x-omitted': `A${id};reason="x"` };
      response.write(eventText({ event: 'headers', data: headers }));
      response.write(eventText({ id, event: 'update', data: { value } }));
    };
    if (count === 0) {
      update(10, 1);
      update(11, 2);
      response.end();
    } else {
      update(11, 2);
      response.write(eventText({ event: 'unchanged', data: { 'x-slot': '12' } }));
      update(9, 3);
    }
  });
  const client = createClient({ baseUrl: url });
  const items = await collect(
    streamUpdates(client, PATH, { path }),
    (all) => all.filter(({ kind }) => kind === 'update').length === 3,
  );
  expect(items).toMatchObject([
    {
      kind: 'update',
      slot: 10n,
      data: { value: 1 },
      freshness: { env: 'localnet', slot: 10n, omitted: [{ name: 'A10' }] },
    },
    { kind: 'update', slot: 11n, data: { value: 2 } },
    { kind: 'disconnected', error: { kind: 'network' } },
    { kind: 'unchanged', freshness: { slot: 12n } },
    { kind: 'update', slot: 9n, data: { value: 3 } },
  ]);
  const [first, second] = requests.map(({ headers }) => headers);
  expect(first?.accept).toContain('text/event-stream');
  expect([first?.['last-event-id'], second?.['last-event-id']]).toEqual([undefined, '11']);
});

test('a known slot is sent with the first connection', async () => {
  const { url, requests } = await startScriptedServer((_, response) => {
    beginEvents(response);
    response.write(eventText({ id: 8, event: 'update', data: {} }));
  });
  const client = createClient({ baseUrl: url, apiKey: 'key' });
  await collect(streamUpdates(client, PATH, { path, afterSlot: 7n }), () => true);
  expect(requests[0]?.headers).toMatchObject({
    'last-event-id': '7',
    authorization: 'Bearer key',
  });
});

test('a position without an event is continued from', async () => {
  const { url, requests } = await startScriptedServer((_, response, count) => {
    beginEvents(response);
    if (count === 0) response.end('id: 500-1\n\n');
    else {
      const data = { signature: 's', slot: '500' };
      response.write(eventText({ id: '501', event: 'removed', data }));
      response.write(eventText({ id: '501-0', event: 'transaction', data: {} }));
    }
  });
  const client = createClient({ baseUrl: url });
  const isLast = (all: readonly TransactionUpdate[]) => all.at(-1)?.kind === 'transaction';
  const items = await collect(streamTransactions(client, { vault: WALLET }), isLast);
  expect(items).toMatchObject([
    { kind: 'disconnected' },
    { kind: 'removed', cursor: '501', data: { signature: 's' } },
    { kind: 'transaction', cursor: '501-0' },
  ]);
  expect(requests[1]?.url).toContain('cursor=500-1');
});

test('data that is not available now, and the reason of a closed stream, are told apart', async () => {
  const { url } = await startScriptedServer((_, response, count) => {
    beginEvents(response);
    const problem = { code: 'PRICE_UNAVAILABLE', message: 'No price.', statusCode: 503 };
    if (count === 0) {
      response.write(eventText({ event: 'error', data: problem }));
      response.end(
        eventText({ event: 'closed', data: { code: 'SLOW_READER', message: 'Too slow.' } }),
      );
    } else response.write(eventText({ id: 5, event: 'update', data: { value: 1 } }));
  });
  const client = createClient({ baseUrl: url });
  const isLast = (all: readonly StateUpdate<unknown>[]) => all.at(-1)?.kind === 'update';
  expect(await collect(streamUpdates(client, PATH, { path }), isLast)).toMatchObject([
    { kind: 'unavailable', code: 'PRICE_UNAVAILABLE', message: 'No price.' },
    { kind: 'disconnected', error: { kind: 'closed', code: 'SLOW_READER' } },
    { kind: 'update', slot: 5n },
  ]);
});

test('a silent connection is replaced', async () => {
  const { url, requests } = await startScriptedServer((_, response, count) => {
    beginEvents(response);
    if (count > 0) response.write(eventText({ id: 1, event: 'update', data: {} }));
  });
  const client = createClient({ baseUrl: url });
  const options = { path, idleTimeoutMs: 60 };
  const items = await collect(
    streamUpdates(client, PATH, options),
    (all) => all.at(-1)?.kind === 'update',
  );
  expect(items[0]).toMatchObject({ kind: 'disconnected', error: { kind: 'timeout' } });
  expect(requests.length).toBeGreaterThan(1);
});

test('a limit is waited for, and an error that would come again ends the stream', async () => {
  const { url } = await startScriptedServer((request, response, count) => {
    if (request.url?.startsWith('/kvaults')) answerJson(response, 200, []);
    else if (count === 0) {
      response.writeHead(429, { 'retry-after': '0' }).end('{"code":"RATE_LIMITED"}');
    } else answerJson(response, 404, { metadata: 'No such loan' });
  });
  const client = createClient({ baseUrl: url });
  const never = () => false;
  expect(await collect(streamUpdates(client, PATH, { path }), never)).toMatchObject([
    { kind: 'disconnected', error: { kind: 'http', code: 'RATE_LIMITED' } },
    { kind: 'failed', error: { kind: 'http', status: 404, message: 'No such loan' } },
  ]);
  // the hosted API answers with JSON
  expect(await collect(streamUpdates(client, '/kvaults/vaults', {}), never)).toMatchObject([
    { kind: 'failed', error: { kind: 'malformed' } },
  ]);
  const absent = createClient({ baseUrl: 'http://127.0.0.1:1' });
  const options = { path, retries: 0 };
  expect(await collect(streamUpdates(absent, PATH, options), never)).toMatchObject([
    { kind: 'failed', error: { kind: 'network' } },
  ]);
  const empty = { path: { pubkey: '' } };
  expect(await collect(streamUpdates(client, PATH, empty), never)).toMatchObject([
    { kind: 'failed', error: { kind: 'invalid' } },
  ]);
});

test('a signal ends a stream at any time, and leaving the loop closes the connection', async () => {
  const server = await startScriptedServer((_, response) => {
    beginEvents(response);
    response.write(eventText({ id: 1, event: 'update', data: {} }));
  });
  const client = createClient({ baseUrl: server.url });
  const controller = new AbortController();
  const { signal } = controller;
  const seen: string[] = [];
  for await (const { kind } of streamUpdates(client, PATH, { path, signal })) {
    seen.push(kind);
    setImmediate(() => controller.abort());
  }
  expect(seen).toEqual(['update']);
  await expect.poll(server.openConnections).toBe(0);
  await collect(streamUpdates(client, PATH, { path }), () => true);
  await expect.poll(server.openConnections).toBe(0);
  expect(await collect(streamUpdates(client, PATH, { path, signal }), () => false)).toEqual([]);
});
