import { type Address, toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { lendingEventKinds } from '../../history/event-kinds.ts';
import { readQueueEventsSince } from '../../history/queries/event-coverage.ts';
import { type EventsQuery, readEventPages } from '../../history/queries/event-pages.ts';
import { defineOperation } from '../../http/operation.ts';
import { VaultParameter } from '../address-parameters/address-parameters.ts';
import { limitToRecorded } from '../event-query/event-query.ts';
import type { Feature } from '../feature-context.ts';
import { setEventGapsHeader } from '../history-query/history-gaps.ts';
import { requireAllEvents } from '../history-query/history-query.ts';
import type { LendingEventRow } from '../lending-events/lending-events.ts';
import {
  queueTransactionJson,
  readQueueTransactions,
  WithdrawQueueTx,
} from '../lending-events/queue-events.ts';
import { VAULT_DEPENDENCIES } from '../pricing/dependencies.ts';
import { tokenSymbolOrMint, vaultPricingCache } from '../pricing/vault-pricing-cache.ts';

export const listQueuedVaultWithdrawals: Feature = (context) => async (app) => {
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
