import type { LogConfig } from 'kysely';

/** A query that has ended. */
export type QueryObservation = {
  /** With placeholders instead of values. */
  readonly sql: string;
  readonly ms: number;
  readonly error: string | undefined;
};

export type OnQuery = (query: QueryObservation) => void;

/** Options of the query builder; none without an observer. */
export const observedQueries = (onQuery: OnQuery | undefined): { readonly log?: LogConfig } =>
  onQuery === undefined
    ? {}
    : {
        log: (event) =>
          onQuery({
            sql: event.query.sql,
            ms: event.queryDurationMillis,
            error: event.level === 'error' ? errorName(event.error) : undefined,
          }),
      };

/** Messages of the database may contain values. */
const errorName = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'error';
