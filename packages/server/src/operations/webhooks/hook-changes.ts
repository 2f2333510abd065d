import { defineOperation } from '../../http/operation.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { hookAccess, hookOperation } from './hook-access.ts';
import { hookJson } from './json.ts';
import { EnvQuery, HookJson, HookParams, RotatedSecret, StoredTest } from './schema.ts';

export const testHook: OperationPlugin = (context) => async (app) => {
  app.post(
    '/hooks/:id/test',
    defineOperation(
      {
        ...hookOperation,
        operationId: 'testHook',
        summary: 'Send a test delivery',
        description:
          'Stores a delivery of the type test, which is sent like any other. The log of the webhook has its result.',
        weight: 5,
        statuses: [401, 404, 500],
      },
      { params: HookParams, querystring: EnvQuery, response: StoredTest },
    ),
    async (request) => {
      const { hooks, owner } = hookAccess(context, request, request.query.env);
      return { delivery: await hooks.test(owner, request.params.id) };
    },
  );
};

export const rotateHookSecret: OperationPlugin = (context) => async (app) => {
  app.post(
    '/hooks/:id/rotate-secret',
    defineOperation(
      {
        ...hookOperation,
        operationId: 'rotateHookSecret',
        summary: 'Replace the secret of a webhook',
        description:
          'For 24 hours deliveries have two signatures, one with each secret, so that receivers can change over.',
        weight: 1,
        statuses: [401, 404, 500],
      },
      { params: HookParams, querystring: EnvQuery, response: RotatedSecret },
    ),
    async (request) => {
      const { id } = request.params;
      const { hooks, owner } = hookAccess(context, request, request.query.env);
      const { secret, previousUntil } = await hooks.rotateSecret(owner, id);
      return { id, secret, previousSecretUntil: new Date(previousUntil).toISOString() };
    },
  );
};

export const enableHook: OperationPlugin = (context) => async (app) => {
  app.post(
    '/hooks/:id/enable',
    defineOperation(
      {
        ...hookOperation,
        operationId: 'enableHook',
        summary: 'Enable a disabled webhook',
        description:
          'Deliveries that were waiting are sent at once. Transactions and liquidations that happened while it was disabled are not delivered; a crossing is, if the value is on the other side now.',
        weight: 1,
        statuses: [401, 404, 500],
      },
      { params: HookParams, querystring: EnvQuery, response: HookJson },
    ),
    async (request) => {
      const { hooks, owner } = hookAccess(context, request, request.query.env);
      return hookJson(await hooks.enable(owner, request.params.id));
    },
  );
};
