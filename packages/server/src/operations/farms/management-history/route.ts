import { toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { readFarmManagementSince } from '../../../history/queries/event-coverage.ts';
import { type EventsQuery, readEventPage } from '../../../history/queries/event-pages.ts';
import { defineOperation } from '../../../http/operation.ts';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import { createEventPage } from '../../../support/events/event-page-token.ts';
import { limitToRecorded } from '../../../support/events/event-query.ts';
import { setEventGapsHeader } from '../../../support/history/history-gaps.ts';
import { requireAllEvents } from '../../../support/history/history-query.ts';
import {
  DEFAULT_PAGE_LIMIT,
  pageParameters,
  parsePageParameters,
  SortString,
} from '../../../support/schemas/page-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { farmManagementJson } from './json.ts';
import { FarmAdminTxPage } from './schema.ts';

export const listFarmAdminHistory: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/farms/:farmPubkey/management-history',
      defineOperation(
        {
          operationId: 'listFarmAdminHistory',
          tag: 'farms',
          summary: 'Instructions of the administrators of a farm',
          description:
            'Creation, configuration, rewards that are added, withdrawn or assigned, and movements of the vault of the farm, newest first unless sort is asc. Instructions on the global configuration of the program are not included. x-gaps lists the times whose instructions are not recorded; an instance records them since the release that serves this operation. paginationToken is absent on the last page.',
          weight: 10,
          readsEvents: true,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ farmPubkey: describe(AddressString, 'Address of the farm') }),
          querystring: Type.Object({
            ...pageParameters,
            sort: describe(Type.Optional(SortString('desc')), 'Order by time'),
          }),
          response: FarmAdminTxPage,
        },
      ),
      async ({ params, query: { limit = DEFAULT_PAGE_LIMIT, paginationToken, sort } }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const history = requireAllEvents(cluster);
        const since = await readFarmManagementSince(history);
        await setEventGapsHeader(reply, history, { now: cluster.reader.at().unix, since });
        const query: Omit<EventsQuery<'farmEvent'>, 'limit'> = {
          table: 'farmEvent',
          subject: 'managedFarm',
          address: toAddress(params.farmPubkey),
          ...parsePageParameters(sort ?? 'desc', paginationToken),
        };
        const recorded = await limitToRecorded(history, query, since);
        const found = await readEventPage(history, { ...recorded, limit: limit + 1 });
        const { rows, ...pagination } = createEventPage(found, limit);
        return { result: await farmManagementJson(rows, cluster.reader, history), ...pagination };
      },
    );
  };
