import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { lendingBody, vaultBody } from '../../support/http/builder-requests.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import { startApp } from '../../support/http/test-api.ts';
import { type Agent, connectOverHttp, startTools } from '../../support/mcp/connect-agent.ts';
import { fileScope } from '../../support/processes/test-scope.ts';

const onEnd = fileScope();
let agent: Agent;
let build: (path: string, body: object) => Promise<string>;
let apiUrl: string;

beforeAll(async () => {
  const { app, url } = await startApp();
  onEnd(() => void app.close());
  apiUrl = url;
  const post = jsonPoster({ url });
  build = async (path, body) => {
    const answer = await post(path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return (answer.body as { transaction: string }).transaction;
  };
  const server = await startTools(url, onEnd);
  agent = await connectOverHttp(server.url, onEnd);
});

const { wallet, market, reserve, amount } = lendingBody;
const { kvault: vault } = vaultBody;

const loan = { wallet, market, reserve, amount };
const shares = { wallet, vault, amount };

test.each([
  ['/ktx/klend/deposit', lendingBody, { action: 'lend-deposit', ...loan }],
  ['/ktx/klend/borrow', lendingBody, { action: 'borrow', ...loan }],
  ['/ktx/klend/repay', lendingBody, { action: 'repay', ...loan }],
  ['/ktx/kvault/deposit', vaultBody, { action: 'vault-deposit', ...shares }],
])(
  '%s is not accepted by the word of the server, but can be rejected',
  async (path, body, input) => {
    const transaction = await build(path, body);
    const same = await agent.call('verify', { ...input, transaction });
    expect(same.structured['data'], same.text).toMatchObject({
      verdict: 'undecided',
      chainDataFrom: 'server',
    });
    expect(same.text).toContain('Set RPC_URL');
    const other = await agent.call('verify', { ...input, amount: '2', transaction });
    expect(other.structured['data'], other.text).toMatchObject({ verdict: 'rejected' });
  },
);

test('a market is found by the reserve', async () => {
  const transaction = await build('/ktx/klend/deposit', lendingBody);
  const input = { action: 'lend-deposit', wallet, reserve, amount, transaction };
  const { structured } = await agent.call('verify', input);
  expect(structured['data']).toMatchObject({ verdict: 'undecided' });
});

test('a withdrawal is undecided, because the value of its cTokens is not known', async () => {
  const transaction = await build('/ktx/klend/withdraw', lendingBody);
  const { structured, text } = await agent.call('verify', {
    ...{ action: 'lend-withdraw', ...loan },
    transaction,
  });
  expect(structured['data'], text).toMatchObject({ verdict: 'undecided' });
  expect(text).toContain('Set RPC_URL');
});

/** A server on this machine that names an RPC endpoint of its own in its status. */
async function startHostile() {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '' } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (path === '/') calls.push(Buffer.concat(chunks).toString());
    if (path === '/status' || path === '/') {
      const { port } = server.address() as AddressInfo;
      const demo = { rpcUrl: `http://127.0.0.1:${port}` };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ version: '1.0.0', demo }));
      return;
    }
    const body = method === 'POST' ? { body: Buffer.concat(chunks) } : {};
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(new URL(path, apiUrl), { method, headers, ...body });
    for (const [name, value] of answer.headers) {
      if (name.startsWith('x-') || name === 'content-type') response.setHeader(name, value);
    }
    response.statusCode = answer.status;
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onEnd(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls };
}

test('an endpoint that the server names is never a witness', async () => {
  const hostile = await startHostile();
  const tools = await startTools(hostile.url, onEnd);
  const misled = await connectOverHttp(tools.url, onEnd);
  const transaction = await build('/ktx/klend/deposit', lendingBody);
  const result = await misled.call('verify', { action: 'lend-deposit', ...loan, transaction });
  expect(result.structured['data'], result.text).toMatchObject({
    verdict: 'undecided',
    chainDataFrom: 'server',
  });
  expect(result.text).toContain('Set RPC_URL');
  expect(hostile.calls).toEqual([]);
});
