import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type Address,
  encodeBase58,
  formatInstant,
  toAddress,
  toUnixSeconds,
} from '@tidegate/core/base';
import { viewVaultTransaction } from '@tidegate/core/views/transactions';
import { isInCurrentHoldingPeriod, type ShareBalanceChange } from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import { readEventPages } from '../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readVaultHoldings } from '../../history/queries/vault-holdings.ts';
import { defineOperation } from '../../http/operation.ts';
import { AddressString } from '../../http/schemas/primitives.ts';
import { formatSeriesRatio } from '../decimal-format/series-decimals.ts';
import type { FeatureContext } from '../feature-context.ts';
import { createHistoricalPriceLookup } from '../history-query/historical-price-lookup.ts';
import { requireHistory, setEventGapsHeader } from '../history-query/history-query.ts';
import {
  type EnrichedVaultEvent,
  enrichVaultEvents,
  type VaultEventRow,
} from '../vault-events/vault-events.ts';
import { readVaultTokenInfo } from '../vault-events/vault-token-info.ts';
import { VaultTransaction } from '../vaults/transactions/schema.ts';

/** Later than anything that has happened. */
const FOREVER = toUnixSeconds(2n ** 62n);

export const listUserVaultTransactions =
  ({ clusters }: Pick<FeatureContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/kvaults/users/:pubkey/transactions',
      defineOperation(
        {
          operationId: 'listUserVaultTransactions',
          tag: 'earn-users',
          summary: 'What a wallet did with vaults',
          description:
            'Newest first: deposit, buy, withdraw, sell, withdrawAvailable, redeemInKind, invest, and transferIn, transferOut and burn of shares, for which tokenAmount is what they were worth. Prices are USD at that time. latestPosition: since the wallet last had no shares of the vault.',
          weight: 10,
          statuses: [400, 500],
        },
        { params: Type.Object({ pubkey: AddressString }), answer: Type.Array(VaultTransaction) },
      ),
      async ({ params }, reply) => {
        const cluster = clusters.select(undefined);
        const history = requireHistory(cluster);
        await setEventGapsHeader(reply, history, { now: cluster.reader.at().unix });
        const wallet = toAddress(params.pubkey);
        const rows: VaultEventRow[] = [];
        const ask = { table: 'vaultEvent', of: 'wallet', address: wallet } as const;
        const pages = readEventPages(history, { ...ask, order: 'newest first' });
        for await (const page of pages) rows.push(...page);
        const vaults = rows.map(({ vault }) => vault);
        const facts = await readVaultTokenInfo(cluster, history, vaults);
        const told = await enrichVaultEvents(rows, facts, createHistoricalPriceLookup(history));
        const isLatest = await readCurrentHoldings(history, wallet);
        return told.map((event) => toJson(event, isLatest(event.row)));
      },
    );
  };

/** Whether an event of the wallet belongs to what it holds now of that vault. */
async function readCurrentHoldings(
  history: HistoryReader,
  wallet: Address,
): Promise<(event: VaultEventRow) => boolean> {
  const changes = new Map<Address, ShareBalanceChange[]>();
  for (const change of await readVaultHoldings(history, { wallet }, FOREVER)) {
    const ofVault = changes.get(change.vault);
    if (ofVault === undefined) changes.set(change.vault, [change]);
    else ofVault.push(change);
  }
  const current = new Map(
    [...changes].map(([vault, ofVault]) => [vault, isInCurrentHoldingPeriod(ofVault)]),
  );
  return (event) => current.get(event.vault)?.(event.slot) ?? false;
}

function toJson(
  { row, kind, facts, prices }: EnrichedVaultEvent,
  latestPosition: boolean,
): Static<typeof VaultTransaction> {
  const { tokenAmount, sharesAmount } = row;
  const told = viewVaultTransaction({ kind, tokenAmount, sharesAmount, prices }, facts);
  return {
    createdOn: formatInstant(row.at),
    instruction: told.instruction,
    tokenMint: facts.mint,
    tokenAmount: formatSeriesRatio(told.tokenAmount),
    tokenPrice: formatSeriesRatio(told.tokenPrice),
    solPrice: formatSeriesRatio(told.solPrice),
    sharePrice: formatSeriesRatio(told.sharePrice),
    numberOfShares: formatSeriesRatio(told.shares),
    usdValue: formatSeriesRatio(told.usdValue),
    transaction: encodeBase58(row.signature),
    kvault: row.vault,
    latestPosition,
  };
}
