import type { TSchema } from 'typebox';
import { CLUSTER_NAMES } from '../clusters/served-clusters.ts';
import { type DocumentedResponse, listResponses } from './openapi-responses.ts';
import { isStreamable, type Operation } from './operation.ts';
import { EVENT_STREAM } from './streams/accept-event-stream.ts';
import { readsAccounts } from './unproven-header.ts';

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

/** `/a/:b` as `/a/{b}`. */
export const pathOf = ({ url }: DocumentedRoute): string => url.replaceAll(/:(\w+)/g, '{$1}');

type Json = Readonly<Record<string, unknown>>;
type Components = Map<string, unknown>;

/** A request and its response. */
export type OperationExample = {
  /** Path parameters and required query parameters by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly response: unknown;
};

export type DocumentInfo = {
  readonly version: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly strictStatuses: boolean;
  /** Further names of a path, for `x-aliases`. */
  readonly aliasesOf: (path: string) => readonly string[];
  /** By operation. */
  readonly examples: Readonly<Record<string, OperationExample>>;
};

/** Creates the OpenAPI 3.1 document from the schemas that validate requests and serialize responses. */
export function createOpenApiDocument(
  routes: readonly DocumentedRoute[],
  info: DocumentInfo,
): Json {
  const { version, description, tags } = info;
  const components: Components = new Map();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = pathOf(route);
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: describeOperation(route, info, components),
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

function describeOperation(
  route: DocumentedRoute,
  info: DocumentInfo,
  components: Components,
): Json {
  const { operation, schema } = route;
  const { operationId, tag, summary, description, weight } = operation;
  const example = info.examples[operationId];
  const aliases = info.aliasesOf(pathOf(route));
  const shared = { components, examples: example?.parameters ?? {} };
  const parameters = [
    ...parametersOf(schema.params, 'path', shared),
    ...parametersOf(schema.querystring, 'query', shared),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(schema.body && { requestBody: requestBody(schema.body, example, components) }),
    responses: describeResponses(route, info, components),
    ...(operation.requiresKey && { security: [{ apiKey: [] }, { bearer: [] }] }),
    'x-rate-weight': weight,
    ...(aliases.length > 0 && { 'x-aliases': aliases }),
  };
}

/** Header of every successful response. */
const ENV_HEADER = {
  'x-env': {
    description:
      'Cluster that the data, x-slot and x-block-time are of: its own name, also if `env` is an alias of it',
    schema: { type: 'string', enum: [...CLUSTER_NAMES] },
  },
};

/** Header of responses that are computed from accounts. */
const UNPROVEN_HEADER = {
  'x-unproven': {
    description:
      'Kinds of accounts behind the response whose figures may differ from those of the programs, with code, first slot and reason; absent if there are none',
    schema: { type: 'string' },
  },
};

function headersOf({ responseHeaders = {}, ...operation }: Operation): Json {
  const described = Object.entries(responseHeaders).map(([name, description]) => {
    return [name, { description, schema: { type: 'string' } }] as const;
  });
  const unproven = readsAccounts(operation) ? UNPROVEN_HEADER : {};
  return { headers: { ...ENV_HEADER, ...unproven, ...Object.fromEntries(described) } };
}

/** The same body as a stream, for a client that accepts it. */
const STREAM_CONTENT: Json = {
  [EVENT_STREAM]: {
    schema: {
      type: 'string',
      description:
        'With accept: text/event-stream, an `update` event with the JSON body when the body changes, at most once per slot. The event id is the slot. docs/streams.md describes the other events.',
    },
    example: 'retry: 1000\n\nid: 250000000\nevent: update\ndata: {…}\n\n',
  },
};

function describeResponses(
  { method, operation, schema }: DocumentedRoute,
  { strictStatuses, examples }: DocumentInfo,
  components: Components,
): Json {
  const hasBody = schema.body !== undefined;
  const responses = listResponses(operation, schema.response, { strictStatuses, hasBody });
  const contentOf = (status: string, response: TSchema) => {
    const isSuccess = status === '200';
    const type = isSuccess ? (operation.mediaType ?? 'application/json') : 'application/json';
    const example = isSuccess ? examples[operation.operationId] : undefined;
    const shown = example && { example: example.response };
    const streamed = isSuccess && method === 'GET' && isStreamable(operation) ? STREAM_CONTENT : {};
    return { [type]: { schema: toReferences(response, components), ...shown }, ...streamed };
  };
  const describeOne = (status: string, { schema: body, ...rest }: DocumentedResponse) => ({
    ...rest,
    ...(status === '200' ? headersOf(operation) : {}),
    ...(body && { content: contentOf(status, body) }),
  });
  return Object.fromEntries(
    responses.map(([status, response]) => [status, describeOne(status, response)]),
  );
}

function requestBody(
  body: TSchema,
  example: OperationExample | undefined,
  components: Components,
): Json {
  const shown = example?.body === undefined ? {} : { example: example.body };
  const content = { 'application/json': { schema: toReferences(body, components), ...shown } };
  return { required: true, content };
}

function parametersOf(
  schema: TSchema | undefined,
  location: 'path' | 'query',
  { components, examples }: { components: Components; examples: Readonly<Record<string, string>> },
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
    ...(Object.hasOwn(examples, name) && { example: examples[name] }),
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
