import { expect, test } from 'vitest';
import { bodyOf } from '../../support/day-one/operation-requests.ts';
import {
  goldenLoan,
  goldenMarket,
  goldenReserve,
  goldenVault,
} from '../../support/golden/golden-addresses.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
};
type OperationObject = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, unknown>>;
  /** Only operations that need an API key have it; they have tests of their own. */
  readonly security?: unknown;
};
type Operation = OperationObject & { readonly path: string; readonly method: string };
type Document = { readonly paths: Record<string, Record<string, OperationObject>> };

/** A system account, a token mint, a market, a reserve, an obligation, a vault and a token account. */
const ADDRESSES = [
  '11111111111111111111111111111111',
  'So11111111111111111111111111111111111111112',
  goldenMarket('Main Market').address,
  goldenReserve('Main Market', 'SOL').address,
  goldenLoan('frank'),
  goldenVault('Steady USDC').address,
  goldenReserve('Main Market', 'SOL').liquiditySupply,
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

/** Request body of each POST operation, with a text in place of every address. */
const bodies: Readonly<Record<string, (address: string) => unknown>> = {
  findLookupTables: (address) => ({ addresses: [address], userAccounts: [address] }),
  queryVaultTransactions: (text) => ({ instruction: text }),
  queryOneVaultTransactions: (text) => ({ instruction: text }),
  queryMarketTransactions: (text) => ({ instruction: text }),
  queryMarketTransactionsV3: (text) => ({ instruction: text }),
  decodeTransaction: (address) => ({ transaction: address }),
  suggestPriorityFee: (address) => ({ transaction: address, computeUnitLimit: 200_000 }),
  planLoanExit: (address) => ({ wallet: address, market: address, loan: address }),
  planVaultExit: (address) => ({ wallet: address, kvault: address }),
  ...builderBodies('Tx'),
  ...builderBodies('Ixs'),
};

function builderBodies(suffix: string): Readonly<Record<string, (address: string) => unknown>> {
  const lending = (address: string) => ({ ...addressFields(address), amount: '1' });
  const vault = (address: string) => ({ wallet: address, kvault: address, amount: '1' });
  const lendingNames = ['LendDeposit', 'LendBorrow', 'LendRepay', 'LendWithdraw'];
  const vaultNames = ['VaultDeposit', 'VaultWithdraw'];
  return Object.fromEntries([
    ...lendingNames.map((name) => [`build${name}${suffix}`, lending]),
    ...vaultNames.map((name) => [`build${name}${suffix}`, vault]),
    [`buildFarmClaim${suffix}`, addressFields],
    ...['Liquidation', 'Multiply', 'Deleverage'].map((name) => [
      `build${name}${suffix}`,
      (address: string) => withAddress(`build${name}${suffix}`, address),
    ]),
  ]);
}

/** The body of the operation with a text in place of every address. */
const withAddress = (operationId: string, address: string): unknown =>
  bodyOf(operationId, {
    wallet: address,
    market: address,
    reserve: address,
    obligation: address,
    vault: address,
    sharesMint: address,
    farm: address,
  });

function addressFields(address: string) {
  return { wallet: address, market: address, reserve: address };
}

/** Every operation gets many requests. */

async function startAll() {
  const { app } = await startHistoryApi();
  const { paths } = (await app.inject('/openapi.json')).json<Document>();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security === undefined)
      .map(([method, operation]) => ({ path, method, ...operation })),
  );
  /** Sends a request with `text` in place of every address. */
  const request = ({ path, method, operationId }: Operation, text: string, query = '') => {
    const url = `${fillPath(path, text)}${query}`;
    if (method === 'get') return app.inject(url);
    const payload = bodies[operationId]?.(text);
    if (payload === undefined) throw new Error(`no request body for ${operationId}`);
    return app.inject({ url, method: 'POST', payload: payload as object });
  };
  return { operations, request };
}

const fillPath = (path: string, value: string): string => path.replaceAll(/\{\w+\}/g, value);

/** The statuses that the OpenAPI document lists for an operation. */
const documentedStatuses = ({ responses }: OperationObject): number[] =>
  Object.keys(responses).map(Number);

test('no operation fails with the address of another kind of account', async () => {
  const { operations, request } = await startAll();
  for (const operation of operations) {
    for (const address of ADDRESSES) {
      const { statusCode: status } = await request(operation, address);
      const what = `${operation.operationId} of ${address}: ${status}`;
      expect([200, 400, 404], what).toContain(status);
      expect(documentedStatuses(operation), what).toContain(status);
    }
  }
});

test('an invalid address is a client error', async () => {
  const { operations, request } = await startAll();
  for (const operation of operations) {
    const { path, method, operationId } = operation;
    if (!path.includes('{') && method === 'get') continue;
    for (const text of MALFORMED) {
      const { statusCode: status, body } = await request(operation, text);
      const what = `${operationId} of ${text.slice(0, 20)}: ${status}`;
      expect([400, 404, 414], what).toContain(status);
      expect(documentedStatuses(operation), what).toContain(status);
      const answer: object = JSON.parse(body);
      expect(answer).toHaveProperty(status === 404 && 'metadata' in answer ? 'metadata' : 'error');
    }
  }
});

test('invalid and repeated parameters never cause a server error', async () => {
  const { operations, request } = await startAll();
  const values = ['', 'x', '-1', '1e9', 'NaN', '[]', 'z'.repeat(1000), 'a&b', '%00'];
  const market = goldenMarket('Main Market').address;
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
        const { statusCode: status } = await request(operation, market, `?${query}`);
        const what = `${operationId}?${query.slice(0, 40)}: ${status}`;
        expect([200, 400, 404], what).toContain(status);
        expect(documentedStatuses(operation), what).toContain(status);
      }
    }
  }
});

test('an empty parameter is a client error', async () => {
  const { operations, request } = await startAll();
  const market = goldenMarket('Main Market').address;
  for (const operation of operations) {
    const { operationId, parameters = [] } = operation;
    for (const { name } of parameters.filter((parameter) => parameter.in === 'query')) {
      const { statusCode: status } = await request(operation, market, `?${name}=`);
      expect(status, `${operationId}?${name}=`).toBe(400);
    }
  }
});

test('every operation rejects a cluster that is not served', async () => {
  const { operations, request } = await startAll();
  const vault = goldenVault('Steady USDC').address;
  for (const operation of operations) {
    for (const env of ['devnet', 'mainnet-beta', 'testnet', 'x']) {
      const { statusCode: status, body } = await request(operation, vault, `?env=${env}`);
      expect(status, `${operation.operationId} of ${env}`).toBe(400);
      expect(body).toContain('localnet');
    }
  }
});
