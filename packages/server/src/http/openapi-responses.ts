import { type TSchema, Type } from 'typebox';
import type { Operation } from './operation.ts';
import {
  BuilderError,
  InternalError,
  UnavailableError,
  ValidationError,
} from './schemas/error-schemas.ts';

/** A response that an operation can return. Without a schema, it has no body. */
export type DocumentedResponse = {
  readonly description: string;
  readonly schema?: TSchema;
  readonly headers?: Readonly<Record<string, unknown>>;
};

const descriptions: Readonly<Record<string, string>> = {
  200: 'OK',
  304: 'Not modified since the response with this ETag',
  400: 'Invalid request, or a cluster that is not served',
  401: 'Unknown API key, or none where one is needed',
  404: 'Not found',
  413: 'Body too large',
  414: 'URL too long',
  415: 'The body is not JSON, or compressed',
  429: 'Rate limit exceeded',
  500: 'Internal error',
  503: 'Data is not available now',
};

const RETRY_AFTER = {
  'retry-after': {
    description: 'Seconds until the request can be repeated',
    schema: { type: 'integer', minimum: 0 },
  },
};

const headers: Readonly<Record<string, DocumentedResponse['headers']>> = {
  401: {
    'www-authenticate': { description: 'Always Bearer', schema: { type: 'string' } },
  },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

type ResponseSchemas = Readonly<Record<string, TSchema>>;

/**
 * Lists all responses of an operation: those of its schema, and those of the server around it. With strict statuses,
 * a 400 or 404 that the contract does not list is a 500.
 */
export function listResponses(
  operation: Operation,
  schemas: ResponseSchemas,
  { strictStatuses, hasBody }: { readonly strictStatuses: boolean; readonly hasBody: boolean },
): [string, DocumentedResponse][] {
  const added = addedStatuses(operation, strictStatuses, hasBody).filter(
    (status) => schemas[status] === undefined,
  );
  const all: ResponseSchemas = {
    ...schemas,
    ...Object.fromEntries(added.map((status) => [status, errorSchemaOf(status, operation)])),
    ...(schemas[503] && { 503: Type.Union([schemas[503], errorSchemaOf('503', operation)]) }),
  };
  const statuses = [...Object.keys(all), ...(isConditional(operation) ? ['304'] : [])];
  return statuses.sort().map((status) => [status, describeResponse(status, all[status])]);
}

function describeResponse(status: string, schema: TSchema | undefined): DocumentedResponse {
  return {
    description: descriptions[status] ?? status,
    ...(headers[status] && { headers: headers[status] }),
    ...(schema && { schema }),
  };
}

const isConditional = ({ dependsOn, hasEtag }: Operation): boolean =>
  dependsOn !== undefined || hasEtag === true;

function addedStatuses(operation: Operation, strictStatuses: boolean, hasBody: boolean): string[] {
  const { weight, weightOf, answersNotFound } = operation;
  return [
    ...(strictStatuses ? [] : ['400', ...(answersNotFound ? ['404'] : [])]),
    '401',
    ...(hasBody ? ['413', '415'] : []),
    '414',
    ...(weight > 0 || weightOf !== undefined ? ['429'] : []),
    '500',
    '503',
  ];
}

function errorSchemaOf(status: string, { errorFormat }: Operation): TSchema {
  if (errorFormat === 'builder') return BuilderError;
  if (status === '400') return ValidationError;
  return status === '503' ? UnavailableError : InternalError;
}
