import { type Address, toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { lendingEventKinds } from '../../history/event-kinds.ts';
import { readQueueEventsSince } from '../../history/queries/event-coverage.ts';
import { type EventsQuery, readEventPages } from '../../history/queries/event-pages.ts';
import { defineOperation } from '../../http/operation.ts';
import { limitToRecorded } from '../../support/events/event-query.ts';
import type { LendingEventRow } from '../../support/events/lending-events.ts';
import {
  queueTransactionJson,
  readQueueTransactions,
  WithdrawQueueTx,
} from '../../support/events/queue-events.ts';
import { setEventGapsHeader } from '../../support/history/history-gaps.ts';
import { requireAllEvents } from '../../support/history/history-query.ts';
import { VAULT_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { tokenSymbolOrMint, vaultPricingCache } from '../../support/pricing/vault-pricing-cache.ts';
import { VaultParameter } from '../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../operation-context.ts';

export const listQueuedVaultWithdrawals: OperationPlugin = (context) => async (app) => {
  const { clusters, tokens: catalogue } = context;
  const pricingOf = vaultPricingCache(context);
  app.get(
    '/kvaults/vaults/:pubkey/enqueued-withdraw-transactions',
    defineOperation(
      {
        operationId: 'listQueuedVaultWithdrawals',
        tag: 'earn',
        summary: 'Queued withdrawals from a vault',
        description:
          'Withdrawals whose cTokens of a reserve of the vault were put into the queue of the reserve, oldest first. Amounts are the value of the cTokens at that time.',
        weight: 10,
        readsEvents: true,
        computedFrom: [...VAULT_DEPENDENCIES, 'withdrawTicket'],
        statuses: [400, 500],
      },
      {
        params: Type.Object({ pubkey: VaultParameter }),
        response: Type.Array(WithdrawQueueTx, { title: 'QueuedWithdrawTxs' }),
      },
    ),
    async ({ params }, reply) => {
      const cluster = clusters.requireLoaded(undefined);
      const history = requireAllEvents(cluster);
      const since = await readQueueEventsSince(history);
      await setEventGapsHeader(reply, history, { now: cluster.reader.at().unix, since });
      const query: Omit<EventsQuery<'lendingEvent'>, 'limit'> = {
        table: 'lendingEvent',
        subject: 'vault',
        address: toAddress(params.pubkey),
        kinds: [lendingEventKinds.indexOf('enqueueToWithdraw')],
        order: 'oldest first',
      };
      const rows: LendingEventRow[] = [];
      const pages = readEventPages(history, await limitToRecorded(history, query, since));
      for await (const page of pages) rows.push(...page);
      const { registry } = cluster;
      const source = { registry, pricing: pricingOf(cluster), catalogue };
      const symbolOf = (mint: Address) => tokenSymbolOrMint(mint, source);
      const transactions = await readQueueTransactions(cluster, rows);
      return transactions.map((transaction) => queueTransactionJson(transaction, symbolOf));
    },
  );
};
