import { formatInstant } from '@tidegate/core/base';
import { Type } from 'typebox';
import { setDataHeader } from '../../http/data-headers.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { IsoInstant } from '../../http/schemas/primitives.ts';
import type { OperationPlugin } from '../operation-context.ts';

const EpochInfo = Type.Object(
  {
    epoch: Type.Number({ description: 'Number of the epoch' }),
    firstSlot: Type.Number({ description: 'First slot of the epoch' }),
    lastSlot: Type.Number({ description: 'Last slot of the epoch' }),
    startBlockTime: describe(IsoInstant, 'Time of the first block of the epoch, UTC'),
    endBlockTime: describe(IsoInstant, 'Time of the last block of the epoch, UTC'),
  },
  { title: 'EpochInfo' },
);

const MAX_LISTED = 20;

export const listEpochs: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/epochs',
      defineOperation(
        {
          operationId: 'listEpochs',
          tag: 'chain',
          summary: 'Finished epochs',
          description:
            'Slots and block times of finished epochs, oldest first. Times are those of blocks, never estimates: the running epoch is not listed, because its end is not known, and x-omitted lists finished epochs whose blocks the node does not have or that are still being loaded. The first request after a start begins to load them, the newest first.',
          weight: 2,
          statuses: [500],
        },
        { response: Type.Array(EpochInfo) },
      ),
      async (_request, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const { epochs, missing } = await cluster.listEpochs(cluster.reader.at().slot);
        const items = missing.map(({ first, last, reason }) => {
          const range = first === last ? `${first}` : `${first}-${last}`;
          return `${range};reason="${reason.replaceAll(/[^ !#-[\]-~]/g, '?')}"`;
        });
        setDataHeader(reply, 'x-omitted', items.slice(-MAX_LISTED));
        return epochs.map(({ epoch, first, last, startedAt, endedAt }) => ({
          epoch: Number(epoch),
          firstSlot: Number(first),
          lastSlot: Number(last),
          startBlockTime: formatInstant(startedAt),
          endBlockTime: formatInstant(endedAt),
        }));
      },
    );
  };
