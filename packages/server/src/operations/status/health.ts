import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import type { OperationPlugin } from '../operation-context.ts';

const Health = Type.Object(
  { status: describe(Type.Literal('ok'), 'Always ok') },
  { title: 'Health' },
);

export const getHealth: OperationPlugin = () => async (app) => {
  app.get(
    '/health',
    defineOperation(
      {
        operationId: 'getHealth',
        tag: 'operations',
        summary: 'Liveness of the process',
        description: 'Returns 200 while the process accepts requests, also before data is loaded.',
        weight: 0,
        ignoresMinContextSlot: true,
        statuses: [500],
      },
      { response: Health },
    ),
    async () => ({ status: 'ok' as const }),
  );
};
