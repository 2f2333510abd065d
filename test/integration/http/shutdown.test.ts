import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Type } from 'typebox';
import { expect, onTestFinished, test } from 'vitest';
import { createDeferred } from '#server/chain/deferred.ts';
import { closeServer } from '#server/http/close-server.ts';
import { defineOperation } from '#server/http/operation.ts';
import { Shutdown } from '#server/http/shutdown.ts';
import { type App, startApi } from '../../support/http/test-api.ts';

const PATIENTLY = { interval: 10 };
/** Longer than any test: connections end before. */
const LINGER_MS = 600_000;
const shared = { tag: 'x', summary: 'x', weight: 1, statuses: [] } as const;

type Answer = { readonly status: number | undefined; readonly connection: string | undefined };

/** A server that ends when `end` is called and its drain is over, and a way to call it on one connection. */
async function startEnding() {
  const shutdown = new Shutdown();
  const drained = createDeferred<void>();
  const held = createDeferred<void>();
  const isHeld = createDeferred<void>();
  const routes = (app: App): void => {
    const body = Type.Object({ amount: Type.String() });
    const response = Type.Any();
    app.post(
      '/echo',
      defineOperation({ ...shared, operationId: 'echo' }, { body, response }),
      (r) => Promise.resolve(r.body),
    );
    app.get(
      '/held',
      defineOperation({ ...shared, operationId: 'held' }, { response }),
      async () => {
        isHeld.resolve();
        await held.promise;
        return 'held';
      },
    );
  };
  const { app, url } = await startApi({ shutdown, routes });
  const connect = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    return (path: string, body?: unknown) => call(agent, `${url}${path}`, body);
  };
  const end = () => closeServer(app, shutdown, { drained: drained.promise, lingerMs: LINGER_MS });
  return { url, connect, end, drained, held, isHeld };
}

async function call(agent: Agent, url: string, body?: unknown): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request(url, { agent, method, headers: { 'content-type': 'application/json' } });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await response.resume().toArray();
  return { status: response.statusCode, connection: response.headers.connection };
}

const refused = (url: string) =>
  fetch(`${url}/health`).then(
    () => 'answered',
    () => 'refused',
  );

test('while a server drains, every request is answered and closes its connection', async () => {
  const { url, connect, end, drained } = await startEnding();
  const connections = Array.from({ length: 8 }, connect);
  const path = '/tokens-api/tokens?limit=1';
  // the second answer comes from the response cache
  for (const each of [...connections, ...connections]) {
    expect(await each(path)).toEqual({ status: 200, connection: 'keep-alive' });
  }
  const ended = end();
  const ready = await fetch(`${url}/ready`);
  const { waitingFor } = (await ready.json()) as { readonly waitingFor: readonly string[] };
  expect([ready.status, waitingFor]).toEqual([503, ['shutdown']]);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  for (const each of connections) {
    expect(await each(path)).toEqual({ status: 200, connection: 'close' });
    expect(await each('/echo', { amount: '1' })).toEqual({ status: 200, connection: 'close' });
    expect(await each('/nothing')).toEqual({ status: 404, connection: 'close' });
  }
  drained.resolve();
  await ended;
  expect(await refused(url)).toBe('refused');
});

test('a request that is open when the drain begins is completed and closes its connection', async () => {
  const { url, connect, end, drained, held, isHeld } = await startEnding();
  const open = connect()('/held');
  await isHeld.promise;
  const ended = end();
  drained.resolve();
  await expect.poll(() => refused(url), PATIENTLY).toBe('refused');
  held.resolve();
  expect(await open).toEqual({ status: 200, connection: 'close' });
  await ended;
});

test('a request on an idle connection is answered after the server has stopped to listen', async () => {
  const { url, connect, end, drained } = await startEnding();
  const idle = connect();
  expect(await idle('/health')).toEqual({ status: 200, connection: 'keep-alive' });
  const ended = end();
  drained.resolve();
  await expect.poll(() => refused(url), PATIENTLY).toBe('refused');
  expect(await idle('/echo', { amount: '1' })).toEqual({ status: 200, connection: 'close' });
  await ended;
});

test('streams go on while a server drains, and end with a reason afterwards', async () => {
  const { url, end, drained } = await startEnding();
  const headers = { accept: 'text/event-stream' };
  const path = '/oracles/prices';
  const before = await fetch(`${url}${path}`, { headers });
  const ended = end();
  const during = await fetch(`${url}${path}`, { headers });
  expect([before.status, during.status]).toEqual([200, 200]);
  drained.resolve();
  for (const stream of [before, during]) {
    expect(await stream.text()).toContain('event: closed\ndata: {"code":"SHUTTING_DOWN"');
  }
  await ended;
});

test('without a drain, a server closes idle connections at once', async () => {
  const shutdown = new Shutdown();
  const { app, url } = await startApi({ shutdown });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  await call(agent, `${url}/health`);
  await closeServer(app, shutdown, { drained: undefined });
  expect(await refused(url)).toBe('refused');
});
