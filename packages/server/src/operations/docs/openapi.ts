import { defineOperation } from '../../http/operation.ts';
import { OpenObject } from '../../http/schemas/primitives.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { createDocument } from './document.ts';

export const getOpenApi: OperationPlugin = (context) => async (app) => {
  app.get(
    '/openapi.json',
    defineOperation(
      {
        operationId: 'getOpenApi',
        tag: 'operations',
        summary: 'OpenAPI document',
        description:
          'This document, created from the schemas that validate requests and responses.',
        weight: 1,
        ignoresMinContextSlot: true,
        statuses: [500],
        dependsOn: [],
      },
      { response: OpenObject },
    ),
    async () => createDocument(context),
  );
};
