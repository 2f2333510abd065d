import { expect, test } from 'vitest';
import { startApi } from '../support/api.ts';

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
};
type Described = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
};
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

async function operationsOf(get: (path: string) => Promise<{ body: unknown }>) {
  const { paths } = (await get('/openapi.json')).body as Document;
  return Object.entries(paths).flatMap(([path, methods]) => {
    const described = methods['get'];
    return described === undefined ? [] : [{ path, ...described }];
  });
}

const filled = (path: string, value: string): string => path.replaceAll(/\{\w+\}/g, value);

test('no address, of whatever kind of account, makes an operation fail', async () => {
  const { get, url } = await startApi();
  for (const { path, operationId } of await operationsOf(get)) {
    for (const address of ADDRESSES) {
      const { status } = await fetch(`${url}${filled(path, address)}`);
      expect([200, 400, 404], `${operationId} of ${address}: ${status}`).toContain(status);
    }
  }
});

test('what is not an address is refused as the caller’s mistake', async () => {
  const { get } = await startApi();
  for (const { path, operationId } of await operationsOf(get)) {
    if (!path.includes('{')) continue;
    for (const text of MALFORMED) {
      const { status, body } = await get(filled(path, text));
      expect([400, 404, 414], `${operationId} of ${text.slice(0, 20)}: ${status}`).toContain(
        status,
      );
      expect(body).toHaveProperty(
        status === 404 && 'metadata' in Object(body) ? 'metadata' : 'error',
      );
    }
  }
});

test('every parameter refuses what it does not take, also when it is given twice', async () => {
  const { get } = await startApi();
  const values = ['', 'x', '-1', '1e9', 'NaN', '[]', 'z'.repeat(1000), 'a&b', '%00'];
  const market = '9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES';
  for (const { path, operationId, parameters = [] } of await operationsOf(get)) {
    const target = filled(path, market);
    for (const { name } of parameters.filter((parameter) => parameter.in === 'query')) {
      const queries = [
        ...values.map((value) => `${name}=${value}`),
        `${name}=a&${name}=b`,
        `${name}[]=a`,
        `${name}[x]=a`,
      ];
      for (const query of queries) {
        const { status } = await get(`${target}?${query}`);
        expect([200, 400, 404], `${operationId}?${query.slice(0, 40)}: ${status}`).toContain(
          status,
        );
      }
    }
  }
});

test('a cluster that is not served is refused by every operation', async () => {
  const { get } = await startApi();
  const vault = 'F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri';
  for (const { path, operationId } of await operationsOf(get)) {
    for (const env of ['devnet', 'mainnet-beta', 'testnet', 'x']) {
      const { status, body } = await get(`${filled(path, vault)}?env=${env}`);
      expect(status, `${operationId} of ${env}`).toBe(400);
      expect(JSON.stringify(body)).toContain('localnet');
    }
  }
});
