import { defineOperation } from '../../http/operation.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { hookAccess, hookOperation } from './hook-access.ts';
import { hookJson } from './json.ts';
import {
  CreatedHook,
  EnvQuery,
  HookJson,
  HookList,
  HookParams,
  NewHook,
  RemovedHook,
} from './schema.ts';

export const createHook: OperationPlugin = (context) => async (app) => {
  app.post(
    '/hooks',
    defineOperation(
      {
        ...hookOperation,
        operationId: 'createHook',
        summary: 'Create a webhook',
        description:
          'Sends a signed POST (Standard Webhooks) when the trigger fires. The secret is in this response only. Crossings are compared with where the value is now; transactions and liquidations are those of later slots. An API key sees and changes only its own webhooks. The guide to webhooks has payloads, retries and how to verify a signature.',
        weight: 5,
        statuses: [400, 401, 404, 500],
      },
      { querystring: EnvQuery, body: NewHook, response: CreatedHook },
    ),
    async (request) => {
      const { body, query } = request;
      const { hooks, owner } = hookAccess(context, request, query.env);
      const { url, description = '', trigger } = body;
      const { hook, secret } = await hooks.create(owner, { url, description, trigger });
      return { ...hookJson(hook), secret };
    },
  );
};

export const listHooks: OperationPlugin = (context) => async (app) => {
  app.get(
    '/hooks',
    defineOperation(
      {
        ...hookOperation,
        operationId: 'listHooks',
        summary: 'Webhooks of the API key',
        description: 'Without their secrets, oldest first.',
        weight: 1,
        statuses: [401, 500],
      },
      { querystring: EnvQuery, response: HookList },
    ),
    async (request) => {
      const { hooks, owner } = hookAccess(context, request, request.query.env);
      return { hooks: (await hooks.list(owner)).map(hookJson) };
    },
  );
};

export const getHook: OperationPlugin = (context) => async (app) => {
  app.get(
    '/hooks/:id',
    defineOperation(
      {
        ...hookOperation,
        operationId: 'getHook',
        summary: 'A webhook and its state',
        description:
          'Whether it is active, since when attempts fail, and on which side of its threshold each subject is.',
        weight: 1,
        statuses: [401, 404, 500],
      },
      { params: HookParams, querystring: EnvQuery, response: HookJson },
    ),
    async (request) => {
      const { hooks, owner } = hookAccess(context, request, request.query.env);
      return hookJson(await hooks.find(owner, request.params.id));
    },
  );
};

export const deleteHook: OperationPlugin = (context) => async (app) => {
  app.delete(
    '/hooks/:id',
    defineOperation(
      {
        ...hookOperation,
        operationId: 'deleteHook',
        summary: 'Delete a webhook with its log',
        description: 'Deliveries that are waiting are not sent any more.',
        weight: 1,
        statuses: [401, 404, 500],
      },
      { params: HookParams, querystring: EnvQuery, response: RemovedHook },
    ),
    async (request) => {
      const { id } = request.params;
      const { hooks, owner } = hookAccess(context, request, request.query.env);
      await hooks.remove(owner, id);
      return { id };
    },
  );
};
