import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { goldenApi, startApi } from '../support/http/test-api.ts';
import { type OpenApi, operationDifferences } from './operation-differences.ts';
import {
  additionalOperations,
  coreOperations,
  extendedOperations,
  streamedOperations,
} from './served-operations.ts';

type Json = Record<string, unknown>;

const readDocument = (name: string) =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as OpenApi;

const contract = readDocument('core.openapi.json');
const extended = readDocument('extended.openapi.json');

/** Fields of builders that are not in the contract. */
const builderAdditions = [
  'parameters > query env',
  'parameters > query preview',
  'requestBody > content > application/json > schema > properties > computeUnitLimit',
  'requestBody > content > application/json > schema > properties > computeUnitPrice',
  'responses > 200 > content > application/json > schema > properties > preview',
];

/** Fields of the portfolio that are not in the contract. */
const portfolioAdditions = [
  'responses > 200 > content > application/json > schema > properties > ctokens',
  'responses > 200 > content > application/json > schema > properties > sections > properties > ctokens',
];

const VAULT_LISTS = ['/kvaults/transactions', '/kvaults/vaults/{pubkey}/transactions'];

const isBuilder = ([path]: readonly [string, string]): boolean => /^\/ktx\/k/.test(path);

/** Every response has the header `x-env`, a transaction also those of its blockhash; current state can be streamed. */
const additionsTo = (operation: readonly [string, string]): readonly string[] => [
  'responses > 200 > headers',
  ...(streamedOperations.includes(operation[0])
    ? ['responses > 200 > content > text/event-stream']
    : []),
  ...fieldsAddedTo(operation),
];

function fieldsAddedTo(operation: readonly [string, string]): readonly string[] {
  if (operation[0].startsWith('/ktx/kvault/withdraw'))
    return [...builderAdditions, 'properties > unit'];
  if (operation[0].startsWith('/ktx/klend/')) return [...builderAdditions, 'properties > loan'];
  if (isBuilder(operation)) return builderAdditions;
  if (operation[0] === '/oracles/prices') return ['parameters > query mints'];
  if (VAULT_LISTS.includes(operation[0])) return ['ix > properties > direction'];
  return operation[0] === '/portfolio/{pubkey}' ? portfolioAdditions : [];
}

/** Whether a difference is only an addition to the contract. */
const isAddition = (difference: string, additions: readonly string[]): boolean =>
  difference.endsWith(', contract undefined') &&
  additions.some((addition) => difference.includes(` > ${addition}: served {`));

/** Operations that return 404 for an unknown address, which the contract does not list. */
const unlistedNotFound = [
  '/kvaults/vaults/{pubkey}/allocations',
  '/kvaults/vaults/{pubkey}/metrics',
  '/v2/svc-market/{pubkey}',
];

/** Statuses that are not in the contract. With strict statuses, 400 and 404 are only those of the contract. */
function statusesAddedTo([path, method]: readonly [string, string], isStrict: boolean): string[] {
  return [
    ...(isStrict ? [] : ['400', ...(unlistedNotFound.includes(path) ? ['404'] : [])]),
    ...(method === 'post' ? ['413', '415'] : []),
    ...['401', '414', '429', '500', '503'],
  ];
}

/** The status, or its headers. */
const addedStatus = (status: string): RegExp =>
  new RegExp(` > responses > ${status}( > headers)?: served {`);

const isAddedStatus = (difference: string, statuses: readonly string[]): boolean =>
  difference.endsWith(', contract undefined') &&
  statuses.some((status) => addedStatus(status).test(difference));

async function servedDocument(strictStatuses = false): Promise<OpenApi> {
  const { get } = await startApi({ strictStatuses });
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

test.each([false, true])(
  'every served operation matches the contract in parameters, statuses and schemas (strict statuses: %s)',
  async (isStrict) => {
    const served = await servedDocument(isStrict);
    for (const operation of contractOperations(served)) {
      const [path, method] = operation;
      const document = isExtension(operation) ? extended : contract;
      const statuses = statusesAddedTo(operation, isStrict);
      // 304 is listed if the operation has an ETag.
      const differences = operationDifferences(served, document, operation).filter(
        (difference) => !isAddedStatus(difference, [...statuses, '304']),
      );
      const allowed = additionsTo(operation);
      const additions = differences.filter((difference) => isAddition(difference, allowed));
      expect(differences.filter((difference) => !additions.includes(difference))).toEqual([]);
      expect(additions).toHaveLength(allowed.length);
      const responses = served.paths[path]?.[method]?.['responses'] as Json;
      expect(Object.keys(responses), path).toEqual(expect.arrayContaining(statuses));
    }
    const isCore = (operation: readonly string[]) => !isExtension(operation);
    expect(contractOperations(served).filter(isCore).sort()).toEqual(coreOperations);
    expect(contractOperations(served).filter(isExtension).sort()).toEqual(
      extendedOperations.toSorted(),
    );
  },
);

test('operationIds are unique, and the document is OpenAPI 3.1', async () => {
  const served = await servedDocument();
  const ids = operationsOf(served).map(([, , op]) => op['operationId']);
  expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(served).toMatchObject({ openapi: '3.1.0', info: { title: 'Tidegate', version: '1.0.0' } });
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
  const operation = ['/tokens-api/tokens', 'get'] as const;
  const added = [...statusesAddedTo(operation, false), '304'];
  try {
    return operationDifferences(document, contract, operation).filter(
      (difference) =>
        !isAddedStatus(difference, added) && !isAddition(difference, additionsTo(operation)),
    );
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
  const annotations = [
    'tags',
    'summary',
    'description',
    'example',
    'x-rate-weight',
    'x-aliases',
    'headers',
  ];
  const added = ['304', '401', '414', '429', '503'];
  const significant = [...inOperation, ...schemas].filter(
    (path) =>
      !path.some((key, index) => annotations.includes(key) && path[index - 1] !== 'properties') &&
      !path.includes('text/event-stream') &&
      !added.includes(path[4] ?? ''),
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
  const { get } = await goldenApi();
  const isToken = validatorOf('TokenInfo');
  for (const token of (await get('/tokens-api/tokens?limit=1000')).body as unknown[]) {
    expect(isToken(token), JSON.stringify(isToken.errors)).toBe(true);
  }
  expect(validatorOf('ValidationError')((await get('/tokens-api/tokens?limit=0')).body)).toBe(true);
  expect(validatorOf('BuilderError')((await get('/ktx/nope')).body)).toBe(true);
});
