import type { Static } from 'typebox';
import type { ReplayRange } from '../../clusters/cluster-hooks.ts';
import { CodedError } from '../../errors.ts';
import { defineOperation } from '../../http/operation.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { hookAccess, hookOperation } from './hook-access.ts';
import { deliveryJson } from './json.ts';
import {
  DEFAULT_DELIVERIES,
  DeliveriesQuery,
  DeliveryList,
  EnvQuery,
  HookParams,
  ReplayBody,
  Replayed,
} from './schema.ts';

export const listHookDeliveries: OperationPlugin = (context) => async (app) => {
  app.get(
    '/hooks/:id/deliveries',
    defineOperation(
      {
        ...hookOperation,
        operationId: 'listHookDeliveries',
        summary: 'Log of a webhook',
        description: 'Deliveries with their attempts, newest first.',
        weight: 2,
        statuses: [400, 401, 404, 500],
      },
      { params: HookParams, querystring: DeliveriesQuery, response: DeliveryList },
    ),
    async (request) => {
      const { env, state, cursor: after, limit = DEFAULT_DELIVERIES } = request.query;
      const { hooks, owner } = hookAccess(context, request, env);
      const query = { limit: limit + 1, state, after };
      const found = await hooks.deliveries(owner, request.params.id, query);
      const page = found.slice(0, limit);
      const cursor = found.length > limit ? (page.at(-1)?.id ?? null) : null;
      return { deliveries: page.map(deliveryJson), cursor };
    },
  );
};

export const replayHookDeliveries: OperationPlugin = (context) => async (app) => {
  app.post(
    '/hooks/:id/replay',
    defineOperation(
      {
        ...hookOperation,
        operationId: 'replayHookDeliveries',
        summary: 'Send deliveries again',
        description:
          'One delivery, or all that were stored in a time. They keep their ids and bodies, whatever became of them; the signature is of the new attempt.',
        weight: 5,
        statuses: [400, 401, 404, 500],
      },
      { params: HookParams, querystring: EnvQuery, body: ReplayBody, response: Replayed },
    ),
    async (request) => {
      const { hooks, owner } = hookAccess(context, request, request.query.env);
      const range = parseRange(request.body, context.clock());
      return { deliveries: await hooks.replay(owner, request.params.id, range) };
    },
  );
};

function parseRange(
  { delivery, since, until }: Static<typeof ReplayBody>,
  now: number,
): ReplayRange {
  if ((delivery === undefined) === (since === undefined)) {
    throw invalid(['delivery'], 'Send either delivery or since.');
  }
  if (delivery !== undefined) return { delivery };
  const from = Date.parse(since ?? '');
  const to = until === undefined ? now : Date.parse(until);
  if (Number.isNaN(from)) throw invalid(['since'], 'since must be a time in ISO 8601.');
  if (Number.isNaN(to) || to < from) {
    throw invalid(['until'], 'until must be a time in ISO 8601, not before since.');
  }
  return { since: from, until: to };
}

function invalid(path: readonly string[], message: string): CodedError {
  return new CodedError('INVALID_BODY', { issues: [{ path, code: 'invalid_range', message }] });
}
