import type { TObject, TSchema } from 'typebox';
import {
  BuilderError,
  InternalError,
  NotFoundError,
  ValidationError,
} from './schemas/error-schemas.ts';

/** Shape of error bodies; undefined is the shape of all other operations. */
export type ErrorFormat = 'builder';

type ErrorStatus = 400 | 401 | 404 | 500;

/** What the program knows of an operation beyond its schemas; it travels with the route. */
export type Operation = {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** What one call costs against the caller's limit; 0 is never limited. */
  readonly weight: number;
  /** What this query costs, for an operation of which that differs. It sees the query before anyone checked it. */
  readonly weightOf?: (query: unknown) => number;
  /** The error statuses that the contract lists for it. */
  readonly statuses: readonly ErrorStatus[];
  readonly errorFormat?: ErrorFormat;
  /** Characters of query string it takes, when more than the usual. */
  readonly maxQueryLength?: number;
  /** Media type of its answer, when that is not JSON. */
  readonly mediaType?: string;
  /** How long others may keep its answer, when that is not "ask each time". */
  readonly cacheControl?: string;
  /** Fixed headers of its answers: name, value, name, value. */
  readonly headers?: readonly string[];
  /** Left out of the OpenAPI document: a page or an asset of one. */
  readonly hidden?: true;
  /**
   * For an answer that depends on nothing but its parameters and data with a version: tells that version.
   * Such an answer is made once, kept as bytes, and found again by its URL.
   */
  readonly cacheVersion?: () => number;
};

type Schemas = {
  readonly answer: TSchema;
  /** Answers with another status that are no errors. */
  readonly otherAnswers?: Readonly<Record<number, TSchema>>;
  readonly params?: TObject;
  readonly querystring?: TObject;
  readonly body?: TSchema;
};

type RouteSchema<Given extends Schemas> = Pick<
  Given,
  keyof Given & ('params' | 'querystring' | 'body')
> & {
  readonly response: { readonly 200: Given['answer'] } & NonNullable<Given['otherAnswers']>;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** Route options of an operation: schemas for the server, everything else as data. */
export function defineOperation<const Given extends Schemas>(facts: Operation, given: Given) {
  const { answer, otherAnswers, ...parts } = given;
  const { statuses, errorFormat } = facts;
  const errors = statuses.map((status) => [status, errorSchema(status, errorFormat)] as const);
  const response = { ...Object.fromEntries(errors), ...otherAnswers, 200: answer };
  const schema = { ...parts, response } as unknown as RouteSchema<Given>;
  return { schema, config: { operation: facts } };
}

function errorSchema(status: ErrorStatus, format: ErrorFormat | undefined): TSchema {
  if (format === 'builder') return BuilderError;
  if (status === 400) return ValidationError;
  return status === 404 ? NotFoundError : InternalError;
}
