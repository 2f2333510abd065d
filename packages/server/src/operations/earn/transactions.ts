import {
  type Address,
  encodeBase58,
  formatInstant,
  toAddress,
  toUnixSeconds,
} from '@tidegate/core/base';
import { shareTradeKinds, viewVaultTransaction } from '@tidegate/core/views/transactions';
import {
  countClosedTrades,
  isInCurrentHoldingPeriod,
  type ShareBalanceChange,
  totalShares,
} from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import { vaultEventKinds } from '../../history/event-kinds.ts';
import { readSamplesBegin } from '../../history/queries/event-coverage.ts';
import { readEventPages } from '../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readVaultHoldings } from '../../history/queries/vault-holdings.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';
import { formatSeriesRatio } from '../../support/decimals/series-decimals.ts';
import {
  type EnrichedVaultEvent,
  enrichVaultEvents,
  type VaultEventRow,
} from '../../support/events/vault-events.ts';
import { readVaultTokenInfo } from '../../support/events/vault-token-info.ts';
import { missingPrice, requireWalletShareHistory } from '../../support/history/complete-history.ts';
import { createHistoricalPriceLookup } from '../../support/history/historical-price-lookup.ts';
import { setPositionGapsHeader } from '../../support/history/history-gaps.ts';
import { requireHistory } from '../../support/history/history-query.ts';
import { WalletParameter } from '../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../operation-context.ts';

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
    createdOn: describe(IsoInstant, 'Block time, UTC'),
    instruction: Type.String({
      description: 'Instruction, such as deposit, withdraw, buy or sell; more may be added',
    }),
    tokenMint: describe(AddressString, 'Mint of the token of the vault'),
    tokenAmount: describe(DecimalString, 'Tokens that moved, in whole tokens; always positive'),
    tokenPrice: describe(DecimalString, 'USD per whole token at the time of the transaction'),
    solPrice: describe(DecimalString, 'USD per SOL at the time of the transaction'),
    sharePrice: describe(DecimalString, 'USD per whole share at the time of the transaction'),
    numberOfShares: describe(DecimalString, 'Shares that moved, in whole shares; always positive'),
    usdValue: describe(
      DecimalString,
      'Value of the moved tokens in USD at the time of the transaction',
    ),
    transaction: describe(SignatureString, 'Signature of the transaction, base58'),
    kvault: describe(AddressString, 'Address of the vault'),
    latestPosition: Type.Boolean({
      description: 'Whether the wallet has held shares without interruption since this transaction',
    }),
  },
  { title: 'VaultTransaction' },
);

export const listUserVaultTransactions: OperationPlugin =
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
          readsEvents: true,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ pubkey: WalletParameter }),
          response: Type.Array(VaultTransaction),
        },
      ),
      async ({ params }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const history = requireHistory(cluster);
        const wallet = toAddress(params.pubkey);
        await cluster.loadWallet(wallet);
        await requireWalletShareHistory(cluster, history, { wallet, isListed: true });
        await setPositionGapsHeader(reply, cluster, { kind: 'shares', wallet });
        const rows = await readWalletEvents(history, wallet);
        const vaults = rows.map(({ vault }) => vault);
        const tokenInfo = await readVaultTokenInfo(cluster, history, vaults);
        const prices = createHistoricalPriceLookup(history);
        const events = await enrichVaultEvents(rows, tokenInfo, prices);
        await requireEventPrices(events, history);
        const isLatest = await readCurrentHoldings(history, wallet, rows);
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

/** Throws HISTORY_INCOMPLETE for an event from before the first sample, whose prices are unknown. */
async function requireEventPrices(
  events: readonly EnrichedVaultEvent[],
  history: HistoryReader,
): Promise<void> {
  const since = await readSamplesBegin(history);
  for (const { row, tokenInfo, prices } of events) {
    const { tokenPrice, solPrice, tokensPerShare } = prices;
    const isPriced = [tokenPrice, solPrice, tokensPerShare].every((price) => price.numerator > 0n);
    if (isPriced || (since !== undefined && row.at >= since.unix)) continue;
    throw missingPrice(`the wallet ${row.wallet}`, tokenInfo.mint, row.at);
  }
}

/** Predicate for events of the current position of the wallet in their vault. `events`: newest first. */
async function readCurrentHoldings(
  history: HistoryReader,
  wallet: Address,
  events: readonly VaultEventRow[],
): Promise<(event: VaultEventRow) => boolean> {
  const recorded = groupByVault(await readVaultHoldings(history, { wallet }, END_OF_TIME));
  const traded = groupByVault(events.toReversed());
  const current = new Set(
    [...recorded].flatMap(([vault, changes]) => currentEvents(changes, traded.get(vault) ?? [])),
  );
  return (event) => current.has(event);
}

/** Trades tell exactly when the wallet had no shares; recorded balances only at the end of a slot. */
function currentEvents(
  changes: readonly ShareBalanceChange[],
  events: readonly VaultEventRow[],
): readonly VaultEventRow[] {
  const isCurrent = isInCurrentHoldingPeriod([...balancesBefore(changes, events), ...changes]);
  const last = changes.at(-1);
  const trades = events.flatMap((row) => {
    const kind = tradeKindOf(row);
    const { slot, transactionIndex, sharesAmount: shares } = row;
    if (kind === undefined || shares === null) return [];
    return [{ row, transaction: `${slot} ${transactionIndex}`, kind, shares }];
  });
  const closed = last && countClosedTrades(trades, totalShares(last));
  const lastClosed = closed === undefined ? undefined : trades[closed - 1]?.row;
  const start = lastClosed === undefined ? 0 : events.indexOf(lastClosed) + 1;
  return events.slice(start).filter(({ slot }) => isCurrent(slot));
}

const tradeKindOf = ({ kind }: VaultEventRow) => {
  const name = vaultEventKinds[kind];
  return name && shareTradeKinds[name];
};

function groupByVault<Row extends { readonly vault: Address }>(
  rows: readonly Row[],
): ReadonlyMap<Address, readonly Row[]> {
  const groups = new Map<Address, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.vault);
    if (group === undefined) groups.set(row.vault, [row]);
    else group.push(row);
  }
  return groups;
}

/** Balances after the trades from before the first recorded balance, which all trades are needed for. */
function balancesBefore(
  [first]: readonly ShareBalanceChange[],
  trades: readonly VaultEventRow[],
): readonly ShareBalanceChange[] {
  let held = 0n;
  const balances: ShareBalanceChange[] = [];
  for (const row of trades) {
    const { slot, sharesAmount } = row;
    const trade = tradeKindOf(row);
    if (first === undefined || slot >= first.slot) break;
    if (trade === undefined || sharesAmount === null) continue;
    held += trade === 'buy' ? sharesAmount : -sharesAmount;
    balances.push({ slot, held, staked: 0n });
  }
  return balances;
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
