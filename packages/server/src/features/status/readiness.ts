import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import type { Feature } from '../feature-context.ts';
import { listPendingParts } from './pending-parts.ts';

const Readiness = Type.Object(
  {
    ready: Type.Boolean({ description: 'Whether all parts are ready' }),
    waitingFor: Type.Array(Type.String(), { description: 'Parts that are not ready yet' }),
  },
  { title: 'Readiness' },
);

export const getReadiness: Feature = (context) => async (app) => {
  app.get(
    '/ready',
    defineOperation(
      {
        operationId: 'getReadiness',
        tag: 'operations',
        summary: 'Readiness; 503 until all parts are ready',
        description:
          'Tells a load balancer whether to send requests. waitingFor names what is missing.',
        weight: 0,
        ignoresMinContextSlot: true,
        statuses: [500],
      },
      { response: Readiness, otherResponses: { 503: Readiness } },
    ),
    async (_request, reply) => {
      const waitingFor = listPendingParts(context);
      const ready = waitingFor.length === 0;
      reply.code(ready ? 200 : 503);
      return { ready, waitingFor };
    },
  );
};
