import type { TObject, TSchema } from 'typebox';
import type { DataDependency } from '../clusters/data-versions.ts';
import {
  BuilderError,
  InternalError,
  NotFoundError,
  ValidationError,
} from './schemas/error-schemas.ts';

/** Special format of error bodies. */
export type ErrorFormat = 'builder';

type ErrorStatus = 400 | 401 | 404 | 500;

/** Metadata of an operation, stored in the route configuration. */
export type Operation = {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Rate limit units per call; 0 is never limited. */
  readonly weight: number;
  /** Units of a call with this query, which is not validated yet. Overrides `weight`. */
  readonly weightOf?: (query: unknown) => number;
  /** Units of a call that computes nothing. The rest of `weightOf` is charged for what the call computes. */
  readonly cachedWeightOf?: (query: unknown) => number;
  /** Error statuses that the contract lists. */
  readonly statuses: readonly ErrorStatus[];
  /** Whether an unknown address is a 404 although the contract does not list it. */
  readonly answersNotFound?: true;
  readonly errorFormat?: ErrorFormat;
  /** Whether a request without a valid API key is rejected. */
  readonly requiresKey?: true;
  /** Whether it has the parameter `env`; `defineOperation` sets it. Without it, the data is of the primary cluster. */
  readonly readsEnv?: boolean;
  /** Whether the response contains recorded events: `minContextSlot` then waits for those of the slot. */
  readonly readsEvents?: true;
  /** Whether the response has no data of a cluster, such as a page: `minContextSlot` does not concern it. */
  readonly ignoresMinContextSlot?: true;
  /** Overrides the default limit of the query string, in characters. */
  readonly maxQueryLength?: number;
  /** Whether its handler sends an ETag and responds with 304. Cached responses (`dependsOn`) have one anyway. */
  readonly hasEtag?: true;
  /** Media type of the response; JSON if omitted. */
  readonly mediaType?: string;
  /** `cache-control` of cached responses; `no-cache` if omitted. */
  readonly cacheControl?: string;
  /** Static response headers: name, value, name, value. */
  readonly headers?: readonly string[];
  /** Headers of a successful response that only this operation has: description by name. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Not in the OpenAPI document. */
  readonly hidden?: true;
  /**
   * All data that a response depends on besides its parameters. Such a response is cached until one of them changes. A
   * response that depends on anything else (clock, database, host of the caller) has no list and is not cached.
   */
  readonly dependsOn?: readonly DataDependency[];
  /** Data of the state, now or recorded, behind the figures of a response that has no `dependsOn`. */
  readonly computedFrom?: readonly DataDependency[];
};

/** Whether a GET of it can be streamed: JSON of current state, whose changes have a version. */
export const isStreamable = ({ dependsOn = [], mediaType, hidden }: Operation): boolean =>
  dependsOn.length > 0 && mediaType === undefined && hidden !== true;

type OperationSchemas = {
  readonly response: TSchema;
  /** Responses with other statuses that are not errors. */
  readonly otherResponses?: Readonly<Record<number, TSchema>>;
  readonly params?: TObject;
  readonly querystring?: TObject;
  readonly body?: TSchema;
};

type RouteSchema<Given extends OperationSchemas> = Pick<
  Given,
  keyof Given & ('params' | 'querystring' | 'body')
> & {
  readonly response: { readonly 200: Given['response'] } & NonNullable<Given['otherResponses']>;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** Creates the route options of an operation. */
export function defineOperation<const Given extends OperationSchemas>(
  operation: Operation,
  schemas: Given,
) {
  const { response: success, otherResponses, ...parts } = schemas;
  const { statuses, errorFormat } = operation;
  const errors = statuses.map((status) => [status, errorSchema(status, errorFormat)] as const);
  const response = { ...Object.fromEntries(errors), ...otherResponses, 200: success };
  const schema = { ...parts, response } as unknown as RouteSchema<Given>;
  const readsEnv = Object.hasOwn(schemas.querystring?.properties ?? {}, 'env');
  return { schema, config: { operation: { ...operation, readsEnv } } };
}

function errorSchema(status: ErrorStatus, format: ErrorFormat | undefined): TSchema {
  if (format === 'builder') return BuilderError;
  if (status === 400) return ValidationError;
  return status === 404 ? NotFoundError : InternalError;
}
