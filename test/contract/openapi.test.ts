import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { startApi } from '../support/http/test-api.ts';
import { type OpenApi, operationDifferences } from './operation-differences.ts';

type Json = Record<string, unknown>;

const readDocument = (name: string) =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as OpenApi;

const contract = readDocument('core.openapi.json');
const extended = readDocument('extended.openapi.json');

/** Operations that are not in the contract. */
const additionalOperations = [
  'getHealth',
  'getReadiness',
  'getStatus',
  'getMetrics',
  'getOpenApi',
  'decodeTransaction',
  'buildFarmClaimTx',
  'buildFarmClaimIxs',
];

/** Served operations of the core contract, by path. */
const coreOperations = [
  ['/klend/loans/{pubkey}', 'get'],
  ['/klend/rewards', 'get'],
  ['/klend/users/{pubkey}/rewards', 'get'],
  ['/klend/{depositReservePubkey}/{borrowReservePubkey}/rewards/history', 'get'],
  ['/ktx/klend/borrow', 'post'],
  ['/ktx/klend/borrow-instructions', 'post'],
  ['/ktx/klend/deposit', 'post'],
  ['/ktx/klend/deposit-instructions', 'post'],
  ['/ktx/klend/repay', 'post'],
  ['/ktx/klend/repay-instructions', 'post'],
  ['/ktx/klend/withdraw', 'post'],
  ['/ktx/klend/withdraw-instructions', 'post'],
  ['/ktx/kvault/deposit', 'post'],
  ['/ktx/kvault/deposit-instructions', 'post'],
  ['/ktx/kvault/withdraw', 'post'],
  ['/ktx/kvault/withdraw-instructions', 'post'],
  ['/kvaults/mints/{pubkey}/metadata', 'get'],
  ['/kvaults/mints/{pubkey}/metadata/image.svg', 'get'],
  ['/kvaults/rewards', 'get'],
  ['/kvaults/summary', 'get'],
  ['/kvaults/users/{pubkey}/metrics/history', 'get'],
  ['/kvaults/users/{pubkey}/positions', 'get'],
  ['/kvaults/users/{pubkey}/transactions', 'get'],
  ['/kvaults/users/{userPubkey}/positions/{vaultPubkey}', 'get'],
  ['/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/metrics/history', 'get'],
  ['/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/pnl', 'get'],
  ['/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/pnl/history', 'get'],
  ['/kvaults/vaults', 'get'],
  ['/kvaults/vaults/{pubkey}', 'get'],
  ['/kvaults/vaults/{pubkey}/allocation-volume/history', 'get'],
  ['/kvaults/vaults/{pubkey}/metrics', 'get'],
  ['/kvaults/vaults/{pubkey}/metrics/history', 'get'],
  ['/svc-market/reserves/account-data', 'get'],
  ['/svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history', 'get'],
  ['/svc-market/{marketPubkey}/users/{userPubkey}/obligations', 'get'],
  ['/svc-market/{pubkey}/leverage/metrics', 'get'],
  ['/svc-market/{pubkey}/metrics/history', 'get'],
  ['/svc-market/{pubkey}/reserves/metrics', 'get'],
  ['/tokens-api/tokens', 'get'],
  ['/v2/svc-market', 'get'],
  ['/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/metrics/history', 'get'],
  ['/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/pnl', 'get'],
  ['/v2/svc-market/{pubkey}', 'get'],
];

/** Served operations of the extended contract, by path. */
const extendedOperations = [
  ['/farms/users/{pubkey}/transactions', 'get'],
  ['/farms/{farmPubkey}/transactions', 'get'],
  ['/kvaults/transactions', 'post'],
  ['/kvaults/users/{pubkey}/rewards', 'get'],
  ['/kvaults/vaults/metrics', 'get'],
  ['/kvaults/vaults/{pubkey}/allocations', 'get'],
  ['/kvaults/vaults/{pubkey}/transactions', 'post'],
  ['/luts/find-minimal', 'post'],
  ['/oracles/prices', 'get'],
  ['/portfolio/{pubkey}', 'get'],
  ['/portfolio/{pubkey}/rewards', 'get'],
  ['/season-rewards/users/{pubkey}', 'get'],
  ['/slots/duration', 'get'],
  ['/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/history', 'get'],
  [
    '/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/history/median',
    'get',
  ],
  ['/users/{pubkey}/staking-boosts', 'get'],
  ['/v2/staking-yields', 'get'],
  ['/v2/staking-yields/mean', 'get'],
  ['/v2/staking-yields/median', 'get'],
  ['/v2/svc-market/users/{userPubkey}/transactions', 'get'],
  ['/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-fees', 'get'],
  ['/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-paid', 'get'],
  ['/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/transactions', 'get'],
  ['/v2/svc-market/{marketPubkey}/users/{userPubkey}/transactions', 'get'],
  ['/v2/svc-market/{pubkey}/transactions', 'post'],
];

/** Fields of builders that are not in the contract. */
const builderAdditions = [
  'parameters > query env',
  'parameters > query preview',
  'requestBody > content > application/json > schema > properties > computeUnitLimit',
  'requestBody > content > application/json > schema > properties > computeUnitPrice',
  'responses > 200 > content > application/json > schema > properties > preview',
];

const isBuilder = ([path]: readonly [string, string]): boolean => /^\/ktx\/k/.test(path);

/** Whether a difference is only an addition to the contract. */
const isAddition = (difference: string): boolean =>
  difference.endsWith(', contract undefined') &&
  builderAdditions.some((addition) => difference.includes(` > ${addition}: served {`));

async function servedDocument(): Promise<OpenApi> {
  const { get } = await startApi();
  return (await get('/openapi.json')).body as OpenApi;
}

function operationsOf(document: OpenApi): [string, string, Json][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, op]): [string, string, Json] => [path, method, op]),
  );
}

function contractOperations(document: OpenApi): [string, string][] {
  return operationsOf(document)
    .filter(([, , op]) => !additionalOperations.includes(String(op['operationId'])))
    .map(([path, method]) => [path, method]);
}

const isExtension = ([path, method]: readonly string[]): boolean =>
  extendedOperations.some((operation) => operation[0] === path && operation[1] === method);

test('every served operation matches the contract in parameters, statuses and schemas', async () => {
  const served = await servedDocument();
  for (const operation of contractOperations(served)) {
    const document = isExtension(operation) ? extended : contract;
    const differences = operationDifferences(served, document, operation);
    const additions = isBuilder(operation) ? differences.filter(isAddition) : [];
    expect(differences.filter((difference) => !additions.includes(difference))).toEqual([]);
    expect(additions).toHaveLength(isBuilder(operation) ? builderAdditions.length : 0);
  }
  const isCore = (operation: readonly string[]) => !isExtension(operation);
  expect(contractOperations(served).filter(isCore).sort()).toEqual(coreOperations);
  expect(contractOperations(served).filter(isExtension).sort()).toEqual(extendedOperations);
});

test('operationIds are unique, and the document is OpenAPI 3.1', async () => {
  const served = await servedDocument();
  const ids = operationsOf(served).map(([, , op]) => op['operationId']);
  expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(served).toMatchObject({ openapi: '3.1.0', info: { title: 'Tidegate' } });
});

test('a property can be called title, and a description stays with its use', async () => {
  const { components } = await servedDocument();
  const schemas = components?.schemas as Record<string, Record<string, Json>>;
  expect(schemas['DecodedInstruction']?.['properties']).toHaveProperty('title');
  expect(schemas['Base58Address']).not.toHaveProperty('description');
  expect(schemas['FarmClaimRequest']?.['properties']?.['kvault']).toEqual({
    $ref: '#/components/schemas/Base58Address',
    description: 'Claims rewards for the shares of this vault',
  });
});

/** Paths of all values in a document. */
function pathsOf(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = [...at, key];
    return [here, ...pathsOf(inner, here)];
  });
}

function removeAt(document: OpenApi, path: readonly string[]): OpenApi {
  const copy = structuredClone(document);
  const parent = path.slice(0, -1).reduce<unknown>((inner, key) => (inner as Json)[key], copy);
  const last = path.at(-1) ?? '';
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete (parent as Json)[last];
  return copy;
}

function compare(document: OpenApi): string[] {
  try {
    return operationDifferences(document, contract, ['/tokens-api/tokens', 'get']);
  } catch (error) {
    return [String(error)];
  }
}

test('the comparison detects every removal: a field, a parameter, a status, a bound', async () => {
  const served = await servedDocument();
  expect(
    compare(removeAt(served, ['components', 'schemas', 'TokenInfo', 'properties', 'logoUrl'])),
  ).toEqual([
    'GET /tokens-api/tokens > responses > 200 > content > application/json > schema > items > properties > logoUrl: served undefined, contract {"type":["string","null"],"format":"uri"}',
  ]);
  const operation = ['paths', '/tokens-api/tokens', 'get'];
  const inOperation = pathsOf(served.paths['/tokens-api/tokens']?.['get']).map((path) => [
    ...operation,
    ...path,
  ]);
  const schemas = ['TokenInfo', 'Base58Address', 'ValidationError', 'InternalError'].flatMap(
    (name) =>
      pathsOf(served.components?.schemas?.[name]).map((path) => [
        'components',
        'schemas',
        name,
        ...path,
      ]),
  );
  const annotations = ['tags', 'summary', 'description', 'x-rate-weight'];
  const significant = [...inOperation, ...schemas].filter(
    (path) =>
      !path.some((key, index) => annotations.includes(key) && path[index - 1] !== 'properties'),
  );
  // `required: false` of a parameter can be omitted.
  const compared = significant.filter(
    (path) => path.at(-1) !== 'required' || path.at(-3) !== 'parameters',
  );
  expect(compared.length).toBeGreaterThan(60);
  expect(compared.filter((path) => compare(removeAt(served, path)).length === 0)).toEqual([]);
});

test('the comparison detects additions and changes', async () => {
  const served = await servedDocument();
  const change = (edit: (document: { paths: Json; components: { schemas: Json } }) => void) => {
    const copy = structuredClone(served) as unknown as Parameters<typeof edit>[0];
    edit(copy);
    return compare(copy as unknown as OpenApi);
  };
  const operation = (document: { paths: Json }) =>
    (document.paths['/tokens-api/tokens'] as { get: Record<string, Json | unknown[]> }).get;
  expect(
    change((document) => {
      (document.components.schemas['TokenInfo'] as { properties: Json }).properties['extra'] = {};
    }),
  ).toHaveLength(1);
  expect(
    change((document) => {
      (operation(document)['responses'] as Json)['404'] = { content: {} };
    }),
  ).toHaveLength(1);
  expect(
    change((document) => {
      (operation(document)['parameters'] as unknown[]).push({ name: 'x', in: 'query', schema: {} });
    }),
  ).toHaveLength(1);
  expect(
    change((document) => {
      (operation(document)['parameters'] as Json[])[0] = {
        name: 'verified',
        in: 'query',
        required: true,
        schema: { type: 'boolean' },
      };
    }),
  ).toHaveLength(1);
});

test('responses and errors match the contract', async () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(contract, 'contract');
  const validatorOf = (name: string) =>
    ajv.compile({ $ref: `contract#/components/schemas/${name}` });
  const { get } = await startApi();
  const isToken = validatorOf('TokenInfo');
  for (const token of (await get('/tokens-api/tokens?limit=1000')).body as unknown[]) {
    expect(isToken(token), JSON.stringify(isToken.errors)).toBe(true);
  }
  expect(validatorOf('ValidationError')((await get('/tokens-api/tokens?limit=0')).body)).toBe(true);
  expect(validatorOf('BuilderError')((await get('/ktx/nope')).body)).toBe(true);
});
