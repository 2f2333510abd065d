import { expect, test } from 'vitest';
import type { OpenApi } from '../../scripts/openapi/served-document.ts';
import { listTextOperations, typescriptTypes } from '../../scripts/openapi/typescript-types.ts';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const text = { description: 'OK', content: { 'text/plain': { schema: { type: 'string' } } } };

const document = {
  tags: [],
  components: {
    schemas: {
      Item: {
        type: 'object',
        description: 'A thing',
        required: ['id'],
        properties: {
          id: { type: 'string', description: 'Its name,\n*/ in a comment' },
          description: { type: ['string', 'null'] },
        },
      },
    },
  },
  paths: {
    '/items/{id}': {
      get: {
        operationId: 'getItem',
        summary: 'One item',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'limit', in: 'query', description: 'At most', schema: { type: 'integer' } },
        ],
        responses: {
          200: {
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Item' } },
              'text/event-stream': { schema: { type: 'string' } },
            },
          },
          400: json({ type: 'object' }),
        },
      },
      delete: { operationId: 'deleteItem', summary: 'Delete', responses: { 204: {} } },
    },
    '/text': { get: { operationId: 'getText', summary: 'Text', responses: { 200: text } } },
  },
} as unknown as OpenApi;

const NONE = 'Readonly<Record<never, never>>';

test('the types of the client have descriptions, and text where an answer is text', () => {
  expect(typescriptTypes(document, { isDocumented: true }).split('\n').slice(1)).toEqual([
    '/** A thing */',
    'export type Item = { /** Its name, *\\/ in a comment */ readonly id: string; readonly description?: (string | null); };',
    '/** Operations by method and path. */',
    'export type Operations = {',
    '  /** One item */',
    "  readonly 'GET /items/{id}': { readonly path: { readonly id: string; }; readonly query: { /** At most */ readonly limit?: number; }; readonly body: undefined; readonly response: Item; };",
    '  /** Delete */',
    `  readonly 'DELETE /items/{id}': { readonly path: ${NONE}; readonly query: ${NONE}; readonly body: undefined; readonly response: unknown; };`,
    '  /** Text */',
    `  readonly 'GET /text': { readonly path: ${NONE}; readonly query: ${NONE}; readonly body: undefined; readonly response: string; };`,
    '};',
    '',
  ]);
  expect(listTextOperations(document)).toEqual(['GET /text']);
});

test('the types of the explorer have no comments', () => {
  const types = typescriptTypes(document, { isDocumented: false }).split('\n').slice(1);
  expect(types[0]).toBe(
    'export type Item = { readonly id: string; readonly description?: (string | null); };',
  );
  expect(types.filter((line) => line.includes('/**'))).toEqual([
    '/** Operations by method and path. */',
  ]);
});

test('the values of a record have the type of its patterns', () => {
  const counts = { type: 'object', patternProperties: { '^.*$': { type: 'integer' } } };
  const schemas = { Counts: counts, Any: { type: 'object' } };
  const types = typescriptTypes({ ...document, components: { schemas } }, { isDocumented: false });
  expect(types).toContain('export type Counts = Readonly<Record<string, number>>;');
  expect(types).toContain('export type Any = Readonly<Record<string, unknown>>;');
});
