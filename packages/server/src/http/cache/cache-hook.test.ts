import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { Operation } from '../operation.ts';
import { addCacheHook } from './cache-hook.ts';
import { ResponseCache } from './response-cache.ts';

/** A server with one operation, whose answer starts with how often it was made. */
async function startCounting(bytes: number) {
  const data = { version: 1, made: 0, looks: 0 };
  const operation: Operation = {
    operationId: 'count',
    tag: 'x',
    summary: 'x',
    weight: 1,
    statuses: [],
    keptWhile: () => {
      data.looks++;
      return data.version;
    },
  };
  const app = fastify();
  onTestFinished(() => app.close());
  addCacheHook(app, new ResponseCache());
  const rest = randomBytes(bytes).toString('base64');
  app.get('/count', { config: { operation } }, async () => `${++data.made} ${rest}`);
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  return { data, ask: (callers: number) => askAtOnce(Number(url.port), callers) };
}

/** Over as many connections, all of them open before the first one speaks. Resolves to the first words. */
async function askAtOnce(port: number, callers: number): Promise<string[]> {
  const sockets = Array.from({ length: callers }, () => connect({ port, host: '127.0.0.1' }));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) {
    socket.write('GET /count HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  }
  return Promise.all(
    sockets.map(async (socket) => {
      let text = '';
      for await (const chunk of socket) text += chunk;
      return /\r\n\r\n(\w+) /.exec(text)?.[1] ?? text;
    }),
  );
}

test('for all who ask at once an answer is made once in each version of the data', async () => {
  const { data, ask } = await startCounting(100_000);
  expect(await ask(40)).toEqual(Array(40).fill('1'));
  data.version = 2;
  expect(await ask(40)).toEqual(Array(40).fill('2'));
});

test('nobody gets what was still being compressed when the data changed', async () => {
  const { data, ask } = await startCounting(4_000_000);
  const before = ask(1);
  await expect.poll(() => data.made, { interval: 1 }).toBe(1);
  data.version = 2;
  expect(await ask(1)).toEqual(['2']);
  expect(await before).toEqual(['1']);
});

test('who has waited for an answer while the data changed gets a new one', async () => {
  const { data, ask } = await startCounting(4_000_000);
  const before = ask(1);
  await expect.poll(() => data.made, { interval: 1 }).toBe(1);
  const { looks } = data;
  const waiting = ask(1);
  await expect.poll(() => data.looks, { interval: 1 }).toBeGreaterThan(looks);
  data.version = 2;
  expect(await waiting).toEqual(['2']);
  expect(await before).toEqual(['1']);
});
