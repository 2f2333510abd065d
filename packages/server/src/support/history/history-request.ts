import {
  type Frequency,
  intersectRanges,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { FastifyRequest } from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import type { Operation } from '../../http/operation.ts';
import { ClusterNameString } from '../../http/schemas/primitives.ts';
import type { OperationContext } from '../../operations/operation-context.ts';
import type { FrequencyRule } from './history-frequency.ts';
import { parseQueryRange, requireHistory, requireRangeWithinLimit } from './history-query.ts';
import { historyQueue, type RunQueued } from './history-queue.ts';
import { timesOfStoredPoints } from './present-range.ts';
import {
  createChunkedRangeWeight,
  createRangeWeight,
  type RangeWeightOptions,
} from './range-weight.ts';
import { EndString, StartString } from './time-range-schema.ts';

/** The path and the parameters of a history, and what they select. */
export type HistoryRoute<
  Params extends TProperties,
  Query extends TProperties,
  Subject,
  Name extends Frequency,
> = {
  readonly operation: Omit<Operation, 'weight' | 'weightOf' | 'cachedWeightOf' | 'hasEtag'>;
  readonly path: string;
  readonly params: Params;
  /** Parameters beside the range and the frequency. */
  readonly query?: Query;
  /** Whether the caller can choose the cluster. */
  readonly hasEnv?: true;
  readonly frequency: FrequencyRule<Name>;
  readonly weight: HistoryWeight;
  /** Whose history is requested. */
  readonly subjectOf: (params: Static<TObject<Params>>, query: Static<TObject<Query>>) => Subject;
  /** Creates caches with the app, so that their metrics are there before the first request. */
  readonly prepare?: (context: OperationContext) => unknown;
  /** Limits the range to the times at which there can be points. */
  readonly within?: (request: Pick<HistoryRequest<Subject, Name>, RangeSource>) => TimeRange;
  /** Whether missing history is reported before an invalid range. */
  readonly requiresHistoryFirst?: true;
  /** Without `end`, samples of the current second belong to the range, although its end is exclusive. */
  readonly endsAfterNow?: true;
};

type RangeSource = 'cluster' | 'subject' | 'now';

type HistoryWeight = RangeWeightOptions & {
  /** What is counted; by default points. Some daily points are computed from those of each hour. */
  readonly counts?: 'hours';
};

/** A valid request for the history of a subject. */
export type HistoryRequest<Subject, Name extends Frequency> = {
  readonly context: OperationContext;
  readonly cluster: Cluster;
  readonly history: HistoryReader;
  readonly subject: Subject;
  readonly frequency: Name;
  /** The time of the cluster. */
  readonly now: UnixSeconds;
  /** May end after now. */
  readonly range: TimeRange;
  /** The times of the range that can have stored points. */
  readonly past: TimeRange;
  /** Runs what is not cached when it is the client's turn. */
  readonly build: RunQueued;
};

type RangeQuery = {
  readonly env?: string;
  readonly start?: string;
  readonly end?: string;
  readonly frequency?: unknown;
};

/** The schemas of the parameters. */
export function historyParameters({
  params,
  query,
  hasEnv,
  frequency: { parameter },
}: Pick<AnyRoute, 'params' | 'query' | 'hasEnv' | 'frequency'>): {
  readonly params: TObject;
  readonly querystring: TObject;
} {
  return {
    params: Type.Object(params),
    querystring: Type.Object({
      ...(hasEnv && { env: Type.Optional(ClusterNameString) }),
      start: Type.Optional(StartString),
      end: Type.Optional(EndString),
      ...(parameter && { frequency: parameter }),
      ...query,
    } satisfies Record<string, TSchema>),
  };
}

type AnyRoute = HistoryRoute<TProperties, TProperties, unknown, Frequency>;

type Weighted = Pick<AnyRoute, 'frequency' | 'weight'>;

/** The rate limit units of a range. */
export const rangeWeightsOf = (
  { frequency: { of }, weight: { counts, ...options } }: Weighted,
  { clock }: OperationContext,
): Pick<Operation, 'weight' | 'weightOf'> => ({
  weight: options.minimum ?? 1,
  weightOf: createRangeWeight(clock, counts === 'hours' ? () => 'hour' : of, options),
});

/** Those of a range that is cached in chunks. Hours behind points are not. */
export const chunkedWeightsOf = (
  route: Weighted,
  context: OperationContext,
): Pick<Operation, 'weight' | 'weightOf' | 'cachedWeightOf'> => {
  const { frequency, weight } = route;
  const chunked = createChunkedRangeWeight(context.clock, frequency.of, weight);
  return { ...(weight.counts === undefined && chunked), ...rangeWeightsOf(route, context) };
};

/** Throws if the range is invalid or too long, or if no history is recorded. */
export function openHistoryRequest<
  Params extends TProperties,
  Query extends TProperties,
  Subject,
  Name extends Frequency,
>(
  route: HistoryRoute<Params, Query, Subject, Name>,
  context: OperationContext,
  { params, query, raw }: FastifyRequest,
): HistoryRequest<Subject, Name> {
  const { within, frequency: rule, endsAfterNow } = route;
  // the schemas have validated both
  const parameters = query as RangeQuery & Static<TObject<Query>>;
  const subject = route.subjectOf(params as Static<TObject<Params>>, parameters);
  const cluster = context.clusters.requireLoaded(parameters.env);
  if (route.requiresHistoryFirst) requireHistory(cluster);
  const now = cluster.reader.at().unix;
  const end = endsAfterNow ? toUnixSeconds(now + 1n) : now;
  const requested = parseQueryRange(parameters, { now: end });
  const frequency = rule.of(requested, parameters);
  const bounds = within?.({ cluster, subject, now });
  const range = bounds === undefined ? requested : intersectRanges(requested, bounds);
  const isChosen = rule.parameter !== undefined;
  requireRangeWithinLimit({ range, frequency }, rule.limits ?? {}, isChosen);
  return {
    context,
    cluster,
    history: requireHistory(cluster),
    subject,
    frequency,
    now,
    range,
    past: timesOfStoredPoints(range, now, { frequency, exists: false }),
    build: historyQueue(context).runner(raw),
  };
}
