import { defineOperation } from '../../http/operation.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { proofJson } from './json.ts';
import { ProofJson, ProofQuery } from './schema.ts';

export const getProof: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  app.get(
    '/proof',
    defineOperation(
      {
        operationId: 'getProof',
        tag: 'operations',
        summary: 'What this server has proven of its figures',
        description:
          'The server executes transactions of the programs again as they happen, with its own operations, and compares every account that they wrote with the bytes on the cluster. This counts what was proven, what differs and what could not be replayed, by release, program, instruction and kind of account, in the last hour, in the last day and since the start. Figures of a kind with an unexplained difference have the header x-unproven.',
        weight: 2,
        ignoresMinContextSlot: true,
        statuses: [400, 404, 500],
      },
      { querystring: ProofQuery, response: ProofJson },
    ),
    async ({ query }) => proofJson(clusters.byName(query.env)),
  );
};
