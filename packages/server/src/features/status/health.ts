import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import type { Feature } from '../feature-context.ts';

const Health = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' });

export const getHealth: Feature = () => async (app) => {
  app.get(
    '/health',
    defineOperation(
      {
        operationId: 'getHealth',
        tag: 'operations',
        summary: 'Liveness of the process',
        weight: 0,
        statuses: [500],
      },
      { response: Health },
    ),
    async () => ({ status: 'ok' as const }),
  );
};
