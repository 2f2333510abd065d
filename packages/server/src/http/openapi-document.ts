import type { TSchema } from 'typebox';
import type { Operation } from './operation.ts';

export type DocumentedRoute = {
  readonly method: string;
  /** Route pattern: `/a/:b`. */
  readonly url: string;
  readonly operation: Operation;
  readonly schema: {
    readonly params?: TSchema;
    readonly querystring?: TSchema;
    readonly body?: TSchema;
    readonly response: Readonly<Record<string, TSchema>>;
  };
};

type Json = Readonly<Record<string, unknown>>;
type Components = Map<string, unknown>;

const statusDescriptions: Readonly<Record<string, string>> = {
  200: 'OK',
  400: 'Invalid request',
  401: 'Unknown API key',
  404: 'Not found',
  500: 'Internal error',
  503: 'Not ready',
};

type DocumentInfo = {
  readonly version: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
};

/** Creates the OpenAPI 3.1 document from the schemas that validate requests and serialize responses. */
export function createOpenApiDocument(
  routes: readonly DocumentedRoute[],
  { version, description, tags }: DocumentInfo,
): Json {
  const components: Components = new Map();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: describeOperation(route, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidegate',
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags,
    paths,
    components: {
      schemas: Object.fromEntries(components),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
    security: [{}, { apiKey: [] }, { bearer: [] }],
  };
}

function describeOperation({ operation, schema }: DocumentedRoute, components: Components): Json {
  const { operationId, tag, summary, description, weight, mediaType } = operation;
  const parameters = [
    ...parametersOf(schema.params, 'path', components),
    ...parametersOf(schema.querystring, 'query', components),
  ];
  const responses = Object.entries(schema.response).map(([status, response]) => {
    const type = status === '200' ? (mediaType ?? 'application/json') : 'application/json';
    const content = { [type]: { schema: toReferences(response, components) } };
    return [status, { description: statusDescriptions[status] ?? status, content }];
  });
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(schema.body && { requestBody: requestBody(schema.body, components) }),
    responses: Object.fromEntries(responses),
    'x-rate-weight': weight,
  };
}

function requestBody(body: TSchema, components: Components): Json {
  const content = { 'application/json': { schema: toReferences(body, components) } };
  return { required: true, content };
}

function parametersOf(
  schema: TSchema | undefined,
  location: 'path' | 'query',
  components: Components,
): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema & { description?: string }>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: location,
    required: required.includes(name),
    ...(description && { description }),
    schema: toReferences(property, components),
  }));
}

/** Copies a schema. Replaces each schema that has a title by a reference to a component of that name. */
function toReferences(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => toReferences(item, components));
  if (typeof value !== 'object' || value === null) return value;
  const { title, ...rest } = value as Record<string, unknown>;
  // Not a string: a property called `title`.
  if (typeof title !== 'string') return copyObject(value, components);
  const { description, ...schema } = rest;
  components.set(title, copyObject(schema, components));
  // The description belongs to this use, not to the component.
  const siblings = typeof description === 'string' ? { description } : {};
  return { $ref: `#/components/schemas/${title}`, ...siblings };
}

const copyObject = (value: object, components: Components): Json =>
  Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, toReferences(inner, components)]),
  );
