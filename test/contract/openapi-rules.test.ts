import { expect, test } from 'vitest';
import { checkOpenApi, listFields, listOperations } from '../../scripts/openapi/openapi-rules.ts';
import { type OpenApi, readServedDocument } from '../../scripts/openapi/served-document.ts';

type Json = Record<string, unknown>;

const document = await readServedDocument();

test('every field and parameter has a description, every operation an example', async () => {
  expect(checkOpenApi(document)).toEqual([]);
  expect(checkOpenApi(await readServedDocument({ strictStatuses: true }))).toEqual([]);
  expect(listFields(document).length).toBeGreaterThan(900);
});

test('429 and 503 have a retry-after header', () => {
  for (const { path, value } of listOperations(document)) {
    const responses = value['responses'] as Record<string, { readonly headers?: Json }>;
    for (const status of ['429', '503'].filter((each) => each in responses)) {
      expect(responses[status]?.headers, path).toHaveProperty('retry-after');
    }
  }
});

test('the health checks have no rate limit', () => {
  const { get } = document.paths['/health'] ?? {};
  expect(Object.keys(get?.['responses'] as Json)).toEqual([
    '200',
    '400',
    '401',
    '414',
    '500',
    '503',
  ]);
});

/** A change of `getVault`, and the problem that it is. */
const changes: readonly [string, (operation: Json, changed: OpenApi) => void][] = [
  ['has no summary', (operation) => delete operation['summary']],
  ['has no description', (operation) => delete operation['description']],
  ['has the undeclared tag x', (operation) => Object.assign(operation, { tags: ['x'] })],
  ['has no 2xx response', ({ responses }) => delete Object(responses)['200']],
  [
    'has no 4xx response',
    ({ responses }) => {
      for (const status of Object.keys(Object(responses)).filter((each) => each.startsWith('4'))) {
        delete Object(responses)[status];
      }
    },
  ],
  ['does not declare the path parameter pubkey', (operation) => delete operation['parameters']],
  ['does not describe pubkey', ({ parameters }) => delete Object(parameters)[0].description],
  ['200 has no example', ({ responses }) => delete mediaOf(responses)['example']],
  [
    "200 has a wrong example: data must have required property 'state'",
    ({ responses }) => delete Object(mediaOf(responses)['example']).state,
  ],
  [
    '/components/schemas/Vault/state has no description',
    (_, { components }) => {
      delete Object(components.schemas['Vault']).properties.state.description;
    },
  ],
  [
    'the component Extra is not used',
    (_, { components }) => {
      Object.assign(components.schemas, { Extra: {} });
    },
  ],
  [
    'the component Absent does not exist',
    ({ responses }) => {
      Object.assign(Object(responses), { 404: { $ref: '#/components/schemas/Absent' } });
    },
  ],
  [
    'the operationId listVaults is not unique',
    (operation) => {
      operation['operationId'] = 'listVaults';
    },
  ],
];

const mediaOf = (responses: unknown): Json => Object(responses)['200'].content['application/json'];

test.each(changes)('a change is found: %s', (problem, change) => {
  const path = '/kvaults/vaults/{pubkey}';
  const names = ['/kvaults/vaults', path];
  const paths = Object.fromEntries(names.map((name) => [name, document.paths[name] ?? {}]));
  const changed = structuredClone({ ...document, paths }) as OpenApi;
  change(changed.paths[path]?.['get'] as Json, changed);
  expect(checkOpenApi(changed).join('\n')).toContain(problem);
});
