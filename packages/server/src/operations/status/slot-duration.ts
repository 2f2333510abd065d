import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { toLiveNumber } from '../../support/decimals/live-decimals.ts';
import type { OperationPlugin } from '../operation-context.ts';

const SlotDuration = Type.Object(
  {
    recentSlotDurationInMs: Type.Number({
      description: 'Mean duration of recent slots in milliseconds',
    }),
  },
  { title: 'SlotDuration' },
);

export const getSlotDuration: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/slots/duration',
      defineOperation(
        {
          operationId: 'getSlotDuration',
          tag: 'chain',
          summary: 'Recent slot duration',
          description: 'Mean of the recent performance samples. Yearly rates are based on it.',
          statuses: [500],
          weight: 1,
          dependsOn: ['slotDuration'],
        },
        { response: SlotDuration },
      ),
      async () => ({
        recentSlotDurationInMs: toLiveNumber(clusters.requireLoaded(undefined).reader.slotMs()),
      }),
    );
  };
