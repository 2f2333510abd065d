import { createServer, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
import { OriginRpc } from './origin-rpc.ts';

type Answer = (response: ServerResponse) => void;

const answerJson =
  (body: object): Answer =>
  (response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }));
  };

/** Gives the answers in order, the last one again and again. */
async function startOrigin(...answers: readonly Answer[]) {
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    request.resume();
    authorizations.push(request.headers.authorization);
    answers[Math.min(authorizations.length, answers.length) - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const pauses: number[] = [];
  const connect = (prefix = '', suffix = '') =>
    new OriginRpc(`http://${prefix}127.0.0.1:${port}/${suffix}`, async (ms) => pauses.push(ms));
  return { connect, pauses, authorizations, port };
}

const status =
  (code: number, retryAfter?: string): Answer =>
  (response) => {
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    response.writeHead(code).end();
  };

test('a call that can succeed later is repeated, after the time that the node requests', async () => {
  const behind = answerJson({ error: { code: -32_005, message: 'Node is behind by 42 slots' } });
  const { connect, pauses } = await startOrigin(
    status(429, '2'),
    status(503),
    behind,
    answerJson({ result: 7 }),
  );
  expect(await connect().call('getSlot', [])).toBe(7);
  expect(pauses).toEqual([2_000, 1_000, 2_000]);
});

test('a rejected call is not repeated', async () => {
  const rejected = answerJson({ error: { code: -32_602, message: 'Invalid params' } });
  const { connect, authorizations } = await startOrigin(rejected);
  expect(await catchError(connect().call('getSlot', []))).toMatchObject({
    code: 'SOURCE_REFUSES',
    message: expect.stringContaining('getSlot: Invalid params'),
  });
  expect(authorizations).toHaveLength(1);
});

test('a node that stays away is an error after five attempts', async () => {
  const { connect, authorizations } = await startOrigin(status(500));
  const error = await catchError(connect().call('getSlot', []));
  expect(error?.code).toBe('SOURCE_UNAVAILABLE');
  expect(authorizations).toHaveLength(5);
});

test('credentials are sent as a header, and no error shows them or a key in the URL', async () => {
  const { connect, authorizations } = await startOrigin(answerJson({ result: 1 }));
  expect(await connect('user:pass@').call('getSlot', [])).toBe(1);
  expect(authorizations).toEqual([`Basic ${Buffer.from('user:pass').toString('base64')}`]);
  const away = new OriginRpc('http://127.0.0.1:1/?api-key=secret', async () => undefined);
  const error = await catchError(away.call('getSlot', []));
  expect(error?.code).toBe('SOURCE_UNAVAILABLE');
  expect(error?.message).toContain('127.0.0.1:1');
  expect(`${error?.message}`).not.toContain('secret');
});

test.each(['', 'localhost:8899', 'ws://127.0.0.1', 'nonsense'])('%j is no origin', (url) => {
  expect(catchError(() => new OriginRpc(url))).toMatchObject({ code: 'INVALID_SETTING' });
});
