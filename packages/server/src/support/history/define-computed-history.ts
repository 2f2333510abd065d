import type { Frequency, UnixSeconds } from '@tidegate/core/base';
import type { FastifyReply } from 'fastify';
import type { Static, TProperties, TSchema } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import type { OperationPlugin } from '../../operations/operation-context.ts';
import { setPointGapsHeader, setSampleGapsHeader } from './history-gaps.ts';
import { clampToNow } from './history-query.ts';
import {
  type HistoryRequest,
  type HistoryRoute,
  historyParameters,
  openHistoryRequest,
  rangeWeightsOf,
} from './history-request.ts';

export type ComputedHistory<Body> = {
  /** Times of points that cannot be computed although the time was recorded: `x-gaps` lists them too. */
  readonly unknown?: readonly UnixSeconds[];
  /** Called last and without a wait, so that all current values are of one slot. Sets the headers of the figures. */
  readonly answer: (reply: FastifyReply) => Body;
};

type Definition<
  Params extends TProperties,
  Query extends TProperties,
  Subject,
  Name extends Frequency,
  Response extends TSchema,
> = HistoryRoute<Params, Query, Subject, Name> & {
  readonly response: Response;
  /** Throws if the history of the subject is not complete. */
  readonly require?: (request: HistoryRequest<Subject, Name>) => Promise<void>;
  /** Whether `x-gaps` is set once the unknown points are known, so that a failed read has none. */
  readonly gaps?: 'after reading';
  readonly read: (
    request: HistoryRequest<Subject, Name>,
  ) => Promise<ComputedHistory<Static<Response>>>;
};

/**
 * Defines an operation that computes the history of a range with each request: its points depend on each other, so that
 * they are not cached in chunks. Missing history is reported before an invalid range.
 */
export function defineComputedHistory<
  const Params extends TProperties,
  Subject,
  Name extends Frequency,
  Response extends TSchema,
  const Query extends TProperties = Record<never, never>,
>(definition: Definition<Params, Query, Subject, Name, Response>): OperationPlugin {
  const { operation, path, require, gaps, read } = definition;
  const response: TSchema = definition.response;
  const route = { ...definition, requiresHistoryFirst: true } as const;
  return (context) => async (app) => {
    definition.prepare?.(context);
    app.get(
      path,
      defineOperation(
        { ...operation, ...rangeWeightsOf(definition, context) },
        { ...historyParameters(definition), response },
      ),
      async (request, reply) => {
        const query = openHistoryRequest(route, context, request);
        const { history, now, frequency } = query;
        const range = clampToNow(query.range, now);
        await require?.(query);
        if (gaps === undefined) await setSampleGapsHeader(reply, history, range);
        const { unknown, answer } = await read(query);
        if (unknown !== undefined) {
          await setPointGapsHeader(reply, history, { range, frequency, unknown });
        }
        return answer(reply);
      },
    );
  };
}
