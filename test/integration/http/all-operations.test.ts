import { expect, test } from 'vitest';
import { historyApis } from '../../support/history/history-api.ts';
import { readJson } from '../../support/http/test-api.ts';

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
};
type Described = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
};
type Operation = Described & { readonly path: string; readonly method: string };
type Document = { readonly paths: Record<string, Record<string, Described>> };

/** A system account, a token mint, a market, a reserve, an obligation, a vault and a token account. */
const ADDRESSES = [
  '11111111111111111111111111111111',
  'So11111111111111111111111111111111111111112',
  '9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES',
  '4YBrhwpzdrgQgz8AFvD6JBD1Yq3QZZEx4hySgNdufAJm',
  '48C1Q3qbd1ieesAwQXFaC7aYfUzeDFtVGPbuW7uGxkSe',
  'F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri',
  '9kYxwtrDevBdQB5SNTJdPVbyp4dVNEPNsgjJyg2z5aUf',
];

const MALFORMED = [
  'x',
  '0',
  'null',
  'undefined',
  '%00',
  '..%2f..',
  'So1111111111111111111111111111111111111111',
  `${'z'.repeat(44)}`,
  'z'.repeat(1500),
  '%F0%9F%92%A9',
  '<script>',
  "'%20or%201=1",
];

/** A body that each operation with one takes, made of an address of whatever kind. */
const bodies: Readonly<Record<string, (address: string) => unknown>> = {
  findLookupTables: (address) => ({ addresses: [address], userAccounts: [address] }),
  queryVaultTransactions: (text) => ({ instruction: text }),
  queryOneVaultTransactions: (text) => ({ instruction: text }),
  queryMarketTransactions: (text) => ({ instruction: text }),
  decodeTransaction: (address) => ({ transaction: address }),
  ...builderBodies('Tx'),
  ...builderBodies('Ixs'),
};

function builderBodies(form: string): Readonly<Record<string, (address: string) => unknown>> {
  const lend = (address: string) => ({ ...allOf(address), amount: '1' });
  const save = (address: string) => ({ wallet: address, kvault: address, amount: '1' });
  const lending = ['LendDeposit', 'LendBorrow', 'LendRepay', 'LendWithdraw'];
  const saving = ['VaultDeposit', 'VaultWithdraw'];
  return Object.fromEntries([
    ...lending.map((name) => [`build${name}${form}`, lend]),
    ...saving.map((name) => [`build${name}${form}`, save]),
    [`buildFarmClaim${form}`, allOf],
  ]);
}

function allOf(address: string) {
  return { wallet: address, market: address, reserve: address };
}

/** Every operation is asked many times. */
const slow = { timeout: 60_000 };

const startPastApi = historyApis();

async function startAll() {
  const { get, url } = await startPastApi();
  const { paths } = (await get('/openapi.json')).body as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method, ...described })),
  );
  /** With a text in the place of every address. */
  const ask = ({ path, method, operationId }: Operation, text: string, query = '') => {
    const target = `${url}${filled(path, text)}${query}`;
    if (method === 'get') return fetch(target);
    const body = bodies[operationId]?.(text);
    if (body === undefined) throw new Error(`what ${operationId} takes is not told here`);
    const headers = { 'content-type': 'application/json' };
    return fetch(target, { method, headers, body: JSON.stringify(body) });
  };
  return { operations, ask };
}

const filled = (path: string, value: string): string => path.replaceAll(/\{\w+\}/g, value);

test('no address, of whatever kind of account, makes an operation fail', slow, async () => {
  const { operations, ask } = await startAll();
  for (const operation of operations) {
    for (const address of ADDRESSES) {
      const { status } = await ask(operation, address);
      const what = `${operation.operationId} of ${address}: ${status}`;
      expect([200, 400, 404], what).toContain(status);
    }
  }
});

test('what is not an address is refused as the caller’s mistake', slow, async () => {
  const { operations, ask } = await startAll();
  for (const operation of operations) {
    const { path, method, operationId } = operation;
    if (!path.includes('{') && method === 'get') continue;
    for (const text of MALFORMED) {
      const { status, body } = await readJson(await ask(operation, text));
      expect([400, 404, 414], `${operationId} of ${text.slice(0, 20)}: ${status}`).toContain(
        status,
      );
      expect(body).toHaveProperty(
        status === 404 && 'metadata' in Object(body) ? 'metadata' : 'error',
      );
    }
  }
});

test(
  'every parameter refuses what it does not take, also when it is given twice',
  slow,
  async () => {
    const { operations, ask } = await startAll();
    const values = ['', 'x', '-1', '1e9', 'NaN', '[]', 'z'.repeat(1000), 'a&b', '%00'];
    const market = '9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES';
    for (const operation of operations) {
      const { operationId, parameters = [] } = operation;
      for (const { name } of parameters.filter((parameter) => parameter.in === 'query')) {
        const queries = [
          ...values.map((value) => `${name}=${value}`),
          `${name}=a&${name}=b`,
          `${name}[]=a`,
          `${name}[x]=a`,
        ];
        for (const query of queries) {
          const { status } = await ask(operation, market, `?${query}`);
          expect([200, 400, 404], `${operationId}?${query.slice(0, 40)}: ${status}`).toContain(
            status,
          );
        }
      }
    }
  },
);

test('a cluster that is not served is refused by every operation', slow, async () => {
  const { operations, ask } = await startAll();
  const vault = 'F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri';
  for (const operation of operations) {
    for (const env of ['devnet', 'mainnet-beta', 'testnet', 'x']) {
      const { status, body } = await readJson(await ask(operation, vault, `?env=${env}`));
      expect(status, `${operation.operationId} of ${env}`).toBe(400);
      expect(JSON.stringify(body)).toContain('localnet');
    }
  }
});
