import type { Frequency } from '@tidegate/core/base';
import type { PriceAge } from '@tidegate/core/views/lending';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TProperties, TSchema } from 'typebox';
import type { HoledSeries } from '../../history/queries/series-holes.ts';
import { readSeriesSpan, type SeriesSpan } from '../../history/queries/time-series.ts';
import { createEtag } from '../../http/cache/etag.ts';
import { setDataHeader } from '../../http/data-headers.ts';
import { defineOperation } from '../../http/operation.ts';
import type { OperationContext, OperationPlugin } from '../../operations/operation-context.ts';
import { setStalePricesHeader } from '../pricing/data-notes.ts';
import { type ChunkedSeries, historyChunkCache } from './history-chunk-cache.ts';
import { setSampleGapsHeader, setSeriesGapsHeader } from './history-gaps.ts';
import { clampToNow } from './history-query.ts';
import { historyQueue } from './history-queue.ts';
import {
  chunkedWeightsOf,
  type HistoryRequest,
  type HistoryRoute,
  historyParameters,
  openHistoryRequest,
} from './history-request.ts';
import { includesPresent, timesOfStoredPoints } from './present-range.ts';
import { seriesHolesCache } from './series-holes-cache.ts';
import {
  STREAM_TIMEOUT_MS,
  type StreamedJson,
  sendStreamedHistory,
  streamedJsonSchema,
  withPresent,
} from './streamed-history.ts';

/** What the points of a history are: chunks of the recorded past, and the state now. */
export type HistoryPoints<Row> = {
  readonly series: ChunkedSeries<Row>;
  /** Called if the range includes now. Its points take the place of the one of the running interval. */
  readonly present?: () => PresentPoints | Promise<PresentPoints>;
  /** Fields that are not computed over their own period. */
  readonly estimated?: readonly string[];
};

export type PresentPoints = {
  /** As JSON; empty if there is no current state. */
  readonly items: readonly string[];
  /** Of the prices behind them. */
  readonly priceAges?: Iterable<PriceAge>;
};

export type PointsRequest<Subject, Name extends Frequency> = HistoryRequest<Subject, Name> & {
  /** Of the stored series; undefined if it is empty. */
  readonly span: SeriesSpan | undefined;
};

type Definition<
  Params extends TProperties,
  Query extends TProperties,
  Subject,
  Name extends Frequency,
  Row,
> = HistoryRoute<Params, Query, Subject, Name> & {
  readonly response: TSchema;
  /** The fields beside the list `history`. By default the response is the list. */
  readonly envelope?: (subject: Subject) => Readonly<Record<string, string>>;
  /** Throws if the history of the subject is not complete. */
  readonly require?: (request: HistoryRequest<Subject, Name>) => void | Promise<void>;
  /** The stored series with a point for each interval: `x-gaps` then also lists the times without its points. */
  readonly stored?: (request: HistoryRequest<Subject, Name>) => HoledSeries;
  readonly open: (request: PointsRequest<Subject, Name>) => Promise<HistoryPoints<Row>>;
};

/**
 * Defines an operation that answers with the points of a range: those of the past from the cache of history chunks, and
 * the state now. The definition has the range and its limits, gaps, entity tags, the queue of builds, and the stream.
 */
export function defineHistory<
  const Params extends TProperties,
  Subject,
  Name extends Frequency,
  Row,
  const Query extends TProperties = Record<never, never>,
>(definition: Definition<Params, Query, Subject, Name, Row>): OperationPlugin {
  return (context) => async (app) => {
    definition.prepare?.(context);
    const answer = createAnswer(definition, context);
    const { operation, path, response } = definition;
    app.get(
      path,
      {
        ...defineOperation(
          { ...operation, ...chunkedWeightsOf(definition, context), hasEtag: true },
          { ...historyParameters(definition), response: streamedJsonSchema(response) },
        ),
        handlerTimeout: STREAM_TIMEOUT_MS,
      },
      answer,
    );
  };
}

function createAnswer<
  Params extends TProperties,
  Query extends TProperties,
  Subject,
  Name extends Frequency,
  Row,
>(definition: Definition<Params, Query, Subject, Name, Row>, context: OperationContext) {
  const chunks = historyChunkCache(context);
  const builds = historyQueue(context);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<StreamedJson> => {
    const query = openHistoryRequest(definition, context, request);
    const { subject, frequency, now, range } = query;
    const { series, ...points } = await openPoints(definition, query, reply);
    const present = includesPresent(range, now) ? await points.present?.() : undefined;
    const items = present?.items ?? [];
    setStalePricesHeader(reply, present?.priceAges ?? []);
    const past = timesOfStoredPoints(range, now, { frequency, exists: items.length > 0 });
    const pastEtag = chunks.etagOf(series, past);
    const hasPresent = points.present !== undefined;
    return await sendStreamedHistory(request, reply, {
      etag: hasPresent ? createEtag([pastEtag, ...items].join(' ')) : pastEtag,
      ...bracketsOf(definition.envelope?.(subject)),
      items: withPresent(chunks.read(series, past, builds.enter(request, reply)), items),
    });
  };
}

/** Sets `x-gaps` and `x-estimated`. */
async function openPoints<
  Params extends TProperties,
  Query extends TProperties,
  Subject,
  Name extends Frequency,
  Row,
>(
  { require, stored, open }: Definition<Params, Query, Subject, Name, Row>,
  request: HistoryRequest<Subject, Name>,
  reply: FastifyReply,
): Promise<HistoryPoints<Row>> {
  const { context, history, now } = request;
  const range = clampToNow(request.range, now);
  await require?.(request);
  const holed = stored?.(request);
  if (holed === undefined) await setSampleGapsHeader(reply, history, range);
  const span = holed && (await readSeriesSpan(history, holed));
  const points = await open({ ...request, span });
  setDataHeader(reply, 'x-estimated', points.estimated ?? []);
  if (holed === undefined) return points;
  const holes = seriesHolesCache(context).of(history, points.series);
  await setSeriesGapsHeader(reply, holed, { range, now, holes });
  return points;
}

/** JSON before and after the points. */
function bracketsOf(envelope: Readonly<Record<string, string>> | undefined) {
  if (envelope === undefined) return { prefix: '[', suffix: ']' };
  return { prefix: `${JSON.stringify(envelope).slice(0, -1)},"history":[`, suffix: ']}' };
}
