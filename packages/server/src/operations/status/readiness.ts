import { type Static, Type } from 'typebox';
import type { StartProgress } from '../../clusters/cluster-status.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { NullableNumber } from '../../http/schemas/primitives.ts';
import type { OperationContext, OperationPlugin } from '../operation-context.ts';
import { listPendingHistory, listPendingParts } from './pending-parts.ts';

const stages = ['starting', 'simulating', 'loading', 'standby'] as const;

const Progress = Type.Object(
  {
    stage: Type.Unsafe<StartProgress['stage']>({
      type: 'string',
      enum: stages,
      description:
        'What happens: `simulating` generates the history of localnet, `loading` reads the first state, `standby` waits until the index process that writes is gone',
    }),
    fraction: describe(NullableNumber, 'Part of the stage that is done, 0 to 1; null if unknown'),
  },
  { description: 'Progress of the start; absent when no cluster starts or loads' },
);

const HistoryReadiness = Type.Object(
  {
    ready: Type.Boolean({
      description: 'Whether the history of all clusters can be read and is recorded',
    }),
    waitingFor: Type.Array(Type.String(), {
      description:
        'Per cluster: `database` if its history cannot be read, `recording` if it can only be read',
    }),
  },
  {
    description:
      'Readiness of the history. It does not change `ready` and the status: current data does not depend on the database',
  },
);

const Readiness = Type.Object(
  {
    ready: Type.Boolean({ description: 'Whether all parts that current data needs are ready' }),
    waitingFor: Type.Array(Type.String(), { description: 'Parts that are not ready yet' }),
    history: HistoryReadiness,
    progress: Type.Optional(Progress),
  },
  { title: 'Readiness' },
);

export const getReadiness: OperationPlugin = (context) => async (app) => {
  app.get(
    '/ready',
    defineOperation(
      {
        operationId: 'getReadiness',
        tag: 'operations',
        summary: 'Readiness; 503 until all parts are ready',
        description:
          'Tells a load balancer whether to send requests. waitingFor names what is missing, progress says how far the start is. An outage of the database leaves the status at 200, because current data is still served; history reports it.',
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
      const pending = listPendingHistory(context);
      const history = { ready: pending.length === 0, waitingFor: pending };
      return { ready, waitingFor, history, ...progressJson(context) };
    },
  );
};

/** Of the first cluster that starts or loads. */
function progressJson({ clusters }: OperationContext): Pick<Static<typeof Readiness>, 'progress'> {
  const [progress] = [
    clusters.progress?.(),
    ...clusters.all.map((cluster) => cluster.status().progress),
  ].filter((each) => each !== undefined);
  if (progress === undefined) return {};
  const { stage, done, total } = progress;
  return { progress: { stage, fraction: total === 0 ? null : done / total } };
}
