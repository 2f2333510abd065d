import { beforeAll, expect, test } from 'vitest';
import { lendingBody, vaultBody } from '../../support/http/builder-requests.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import { startApp } from '../../support/http/test-api.ts';
import { type Agent, connectOverHttp, startTools } from '../../support/mcp/connect-agent.ts';
import { fileScope } from '../../support/processes/test-scope.ts';

const onEnd = fileScope();
let agent: Agent;
let build: (path: string, body: object) => Promise<string>;

beforeAll(async () => {
  const { app, url } = await startApp();
  onEnd(() => void app.close());
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
])('%s is verified by the word of the server', async (path, body, input) => {
  const transaction = await build(path, body);
  const same = await agent.call('verify', { ...input, transaction });
  expect(same.structured['data'], same.text).toMatchObject({
    verdict: 'accepted',
    chainDataFrom: 'server',
  });
  expect(same.text).toContain('the word of the same server');
  const other = await agent.call('verify', { ...input, amount: '2', transaction });
  expect(other.structured['data'], other.text).toMatchObject({ verdict: 'rejected' });
});

test('a market is found by the reserve', async () => {
  const transaction = await build('/ktx/klend/deposit', lendingBody);
  const input = { action: 'lend-deposit', wallet, reserve, amount, transaction };
  const { structured } = await agent.call('verify', input);
  expect(structured['data']).toMatchObject({ verdict: 'accepted' });
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
