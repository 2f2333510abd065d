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
import { AddressString, DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';
import { formatSeriesRatio } from '../decimal-format/series-decimals.ts';
import type { Feature } from '../feature-context.ts';
import { createHistoricalPriceLookup } from '../history-query/historical-price-lookup.ts';
import { setEventGapsHeader } from '../history-query/history-gaps.ts';
import { requireHistory } from '../history-query/history-query.ts';
import {
  type EnrichedVaultEvent,
  enrichVaultEvents,
  type VaultEventRow,
} from '../vault-events/vault-events.ts';
import { readVaultTokenInfo } from '../vault-events/vault-token-info.ts';

/** Later than any event. */
const END_OF_TIME = toUnixSeconds(2n ** 62n);

const SignatureString = Type.String({
  title: 'TxSignature',
  minLength: 64,
  maxLength: 88,
  pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$',
});

const VaultTransaction = Type.Object(
  {
    createdOn: IsoInstant,
    instruction: Type.String(),
    tokenMint: AddressString,
    tokenAmount: DecimalString,
    tokenPrice: DecimalString,
    solPrice: DecimalString,
    sharePrice: DecimalString,
    numberOfShares: DecimalString,
    usdValue: DecimalString,
    transaction: SignatureString,
    kvault: AddressString,
    latestPosition: Type.Boolean(),
  },
  { title: 'VaultTransaction' },
);

export const listUserVaultTransactions: Feature =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/kvaults/users/:pubkey/transactions',
      defineOperation(
        {
          operationId: 'listUserVaultTransactions',
          tag: 'earn-users',
          summary: 'Vault transactions of a wallet',
          description:
            'Newest first. Instructions: deposit, buy, withdraw, sell, withdrawAvailable, redeemInKind, invest, and transferIn, transferOut and burn of shares, whose tokenAmount is the value of the shares. Prices are in USD at the time of the transaction. latestPosition is true for transactions since the wallet last had no shares of the vault.',
          weight: 10,
          statuses: [400, 500],
        },
        { params: Type.Object({ pubkey: AddressString }), response: Type.Array(VaultTransaction) },
      ),
      async ({ params }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const history = requireHistory(cluster);
        await setEventGapsHeader(reply, history, { now: cluster.reader.at().unix });
        const wallet = toAddress(params.pubkey);
        const rows = await readWalletEvents(history, wallet);
        const vaults = rows.map(({ vault }) => vault);
        const tokenInfo = await readVaultTokenInfo(cluster, history, vaults);
        const prices = createHistoricalPriceLookup(history);
        const events = await enrichVaultEvents(rows, tokenInfo, prices);
        const isLatest = await readCurrentHoldings(history, wallet);
        return events.map((event) => transactionJson(event, isLatest(event.row)));
      },
    );
  };

async function readWalletEvents(
  history: HistoryReader,
  wallet: Address,
): Promise<readonly VaultEventRow[]> {
  const rows: VaultEventRow[] = [];
  const query = { table: 'vaultEvent', subject: 'wallet', address: wallet } as const;
  const pages = readEventPages(history, { ...query, order: 'newest first' });
  for await (const page of pages) rows.push(...page);
  return rows;
}

/** Predicate for events of the current position of the wallet in their vault. */
async function readCurrentHoldings(
  history: HistoryReader,
  wallet: Address,
): Promise<(event: VaultEventRow) => boolean> {
  const changesByVault = new Map<Address, ShareBalanceChange[]>();
  for (const change of await readVaultHoldings(history, { wallet }, END_OF_TIME)) {
    const changes = changesByVault.get(change.vault);
    if (changes === undefined) changesByVault.set(change.vault, [change]);
    else changes.push(change);
  }
  const isCurrentByVault = new Map(
    [...changesByVault].map(([vault, changes]) => [vault, isInCurrentHoldingPeriod(changes)]),
  );
  return (event) => isCurrentByVault.get(event.vault)?.(event.slot) ?? false;
}

function transactionJson(
  { row, kind, tokenInfo, prices }: EnrichedVaultEvent,
  latestPosition: boolean,
): Static<typeof VaultTransaction> {
  const { tokenAmount, sharesAmount } = row;
  const view = viewVaultTransaction({ kind, tokenAmount, sharesAmount, prices }, tokenInfo);
  return {
    createdOn: formatInstant(row.at),
    instruction: view.instruction,
    tokenMint: tokenInfo.mint,
    tokenAmount: formatSeriesRatio(view.tokenAmount),
    tokenPrice: formatSeriesRatio(view.tokenPrice),
    solPrice: formatSeriesRatio(view.solPrice),
    sharePrice: formatSeriesRatio(view.sharePrice),
    numberOfShares: formatSeriesRatio(view.shares),
    usdValue: formatSeriesRatio(view.usdValue),
    transaction: encodeBase58(row.signature),
    kvault: row.vault,
    latestPosition,
  };
}
