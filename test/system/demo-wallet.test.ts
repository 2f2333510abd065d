import { request as sendRequest } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { jsonPoster } from '../support/http/post-json.ts';
import { type JsonResponse, readJson, startApi, statusAndBody } from '../support/http/test-api.ts';
import { readWalletAddress } from '../support/localnet/wallet-keys.ts';
import { startServer, waitUntilReady } from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const PATH = '/localnet/demo-wallet/send';
/** An address that no wallet of the cluster has: 32 bytes of 1. */
const NO_WALLET = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';

type Action = { readonly reserve: string; readonly amount: string };
type Demo = {
  readonly wallet: string;
  readonly market: string;
  readonly obligation: string;
  readonly repay: Action;
  readonly borrow: Action;
};

const onEnd = fileScope();
let url: string;
let dataDir: string;
let demo: Demo;

beforeAll(async () => {
  const server = await startServer({}, onEnd);
  url = server.url;
  dataDir = server.dataDir;
  await waitUntilReady(url);
  demo = ((await (await fetch(`${url}/status`)).json()) as { demo: Demo }).demo;
});

/** Two transactions with the same amount and blockhash are the same transaction, which lands once. */
async function buildBorrow(more = 0): Promise<string> {
  const { wallet, market, borrow } = demo;
  const request = { wallet, market, ...borrow, amount: amountOf(more) };
  const { status, body } = await jsonPoster({ url })('/ktx/klend/borrow', request);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { transaction: string }).transaction;
}

const amountOf = (more: number): string => `${Number(demo.borrow.amount) + more}`;

async function sendTo(
  target: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<JsonResponse> {
  const init = { method: 'POST', body: JSON.stringify(body) };
  const types = { 'content-type': 'application/json' };
  return readJson(await fetch(`${target}${PATH}`, { ...init, headers: { ...types, ...headers } }));
}

type Debts = {
  readonly loanInfo: {
    readonly debt: { readonly borrows: readonly { readonly tokenAmount: string }[] };
  };
};

/** Tokens of all debts together. */
async function readDebt(): Promise<number> {
  const response = await fetch(`${url}/klend/loans/${demo.obligation}`);
  const { loanInfo } = (await response.json()) as Debts;
  return loanInfo.debt.borrows.reduce((sum, { tokenAmount }) => sum + Number(tokenAmount), 0);
}

test('a transaction of the own builder is signed and lands, and the next read has it', async () => {
  const before = await readDebt();
  const transaction = await buildBorrow();
  const { status, body } = await sendTo(url, { wallet: demo.wallet, transaction }, { origin: url });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toEqual({
    signature: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/),
    slot: expect.stringMatching(/^\d+$/),
  });
  const borrowed = Number(demo.borrow.amount);
  expect(await readDebt()).toBeGreaterThan(before + 0.99 * borrowed);
});

test('a transaction that landed is decoded by its signature', async () => {
  const transaction = await buildBorrow(1);
  const sent = await sendTo(url, { wallet: demo.wallet, transaction });
  const { signature } = sent.body as { signature: string };
  const decoded = await jsonPoster({ url })('/ktx/decode', { transaction: signature });
  expect(decoded.status, JSON.stringify(decoded.body)).toBe(200);
  expect(decoded.body).toMatchObject({
    feePayer: demo.wallet,
    signers: [{ address: demo.wallet, signed: true }],
    size: Buffer.from(transaction, 'base64').length,
  });
  const titles = (decoded.body as { instructions: { title: string }[] }).instructions.map(
    ({ title }) => title,
  );
  expect(titles.at(-1)).toMatch(new RegExp(`^Borrow ${amountOf(1)} USDC against`));
});

test('a signature that the cluster does not know is a 404, and one that is too short a 400', async () => {
  const decode = (transaction: string) => jsonPoster({ url })('/ktx/decode', { transaction });
  // 64 bytes of zeros in base58 are 64 ones; 88 characters can be 64 bytes too
  expect((await decode('1'.repeat(64))).status).toBe(404);
  expect((await decode('1'.repeat(63))).status).toBe(400);
});

test('the same transaction cannot be sent twice', async () => {
  const body = { wallet: demo.wallet, transaction: await buildBorrow(2) };
  expect(await sendTo(url, body)).toMatchObject({ status: 200 });
  const again = await sendTo(url, body);
  expect(again.status).toBe(400);
  expect(again.body).toMatchObject({ message: expect.stringMatching(/^The transaction is not/) });
});

test('an address that is no wallet of the cluster is refused', async () => {
  const transaction = await buildBorrow();
  // the fee payer, at the start of the keys, is replaced
  const bytes = Buffer.from(transaction, 'base64');
  bytes.fill(1, 1 + 64 + 4 + 1, 1 + 64 + 4 + 1 + 32);
  const foreign = bytes.toString('base64');
  const response = await sendTo(url, { wallet: NO_WALLET, transaction: foreign });
  expect(response.status).toBe(404);
  expect(response.body).toMatchObject({
    message: `There is no demo wallet ${NO_WALLET}. Check the address.`,
  });
});

test('a transaction of another wallet is refused', async () => {
  const wallet = readWalletAddress(dataDir, 1);
  const transaction = await buildBorrow();
  const response = await sendTo(url, { wallet, transaction });
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ message: expect.stringContaining('does not pay its fee') });
});

test.each(['https://example.org', 'null', 'http://127.0.0.1:1', 'not an origin'])(
  'a page of %s is refused',
  async (origin) => {
    const transaction = await buildBorrow();
    const before = await readDebt();
    const response = await sendTo(url, { wallet: demo.wallet, transaction }, { origin });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ message: expect.stringContaining('may not call') });
    // interest alone adds less
    expect((await readDebt()) - before).toBeLessThan(0.5 * Number(demo.borrow.amount));
  },
);

/** Unlike `fetch`, sends the given host. */
function sendWithHost(headers: Record<string, string>, body: unknown): Promise<number> {
  const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  return new Promise((resolve, reject) => {
    const request = sendRequest(`${url}${PATH}`, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject).end(JSON.stringify(body));
  });
}

test('a page whose name resolves to this machine (DNS rebinding) is refused, also through forwarding headers', async () => {
  const transaction = await buildBorrow();
  const body = { wallet: demo.wallet, transaction };
  const { port } = new URL(url);
  const host = `rebound.example:${port}`;
  const before = await readDebt();
  for (const headers of [
    { host, origin: `http://${host}` },
    { host },
    { host, origin: `http://127.0.0.1:${port}` },
    { host: `localhost.example:${port}`, origin: `http://localhost.example:${port}` },
    { host, origin: `http://127.0.0.1:${port}`, 'x-forwarded-host': `127.0.0.1:${port}` },
  ]) {
    expect(await sendWithHost(headers, body), JSON.stringify(headers)).toBe(403);
  }
  // interest alone adds less
  expect((await readDebt()) - before).toBeLessThan(0.5 * Number(demo.borrow.amount));
  const local = { host: `localhost:${port}`, origin: `http://localhost:${port}` };
  expect(await sendWithHost(local, body)).toBe(200);
});

test.each([
  ['no transaction', {}],
  ['not base64', { transaction: '***' }],
  ['not a transaction', { transaction: 'AAAA' }],
  ['a wallet that is no address', { wallet: 'me', transaction: 'AAAA' }],
])('malformed: %s', async (_, fields) => {
  const response = await sendTo(url, { wallet: demo.wallet, ...fields });
  expect(response.status).toBe(400);
});

test('a server of another cluster does not have the path, whatever is sent', async () => {
  const api = await startApi();
  const unknown = await readJson(await fetch(`${api.url}/localnet/nothing`, { method: 'POST' }));
  expect(unknown.status).toBe(404);
  for (const body of [{}, { wallet: NO_WALLET, transaction: 'AAAA' }]) {
    const response = await sendTo(api.url, body);
    expect(response.status).toBe(404);
    expect(statusAndBody(response)).toMatchObject({
      body: { message: 'The path does not exist. GET /openapi.json lists all paths.' },
    });
  }
});

test('the OpenAPI document does not list the path', async () => {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(paths)).toContain('/ktx/decode');
  expect(Object.keys(paths).filter((path) => path.startsWith('/localnet'))).toEqual([]);
});
