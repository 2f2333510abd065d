import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type Address,
  CodedError,
  encodeBase58,
  formatInstant,
  toAddress,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import {
  vaultInstructions,
  vaultKinds,
  viewVaultTransaction,
} from '@tidegate/core/views/transactions';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import {
  type EventsPage,
  readAllEvents,
  readEvents,
} from '../../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { operation } from '../../../http/operation.ts';
import { AddressText } from '../../../http/schemas/primitives.ts';
import { seriesText } from '../../decimal-format/series-decimals.ts';
import { type Page, pageOf } from '../../event-query/event-page-token.ts';
import { askedPage, rangeOfPage, readRawJson } from '../../event-query/event-query.ts';
import type { ApiContext } from '../../feature-context.ts';
import { createPastPrices } from '../../history-query/historical-price-lookup.ts';
import { historyOf, tellEventGaps } from '../../history-query/history-query.ts';
import {
  type ToldVaultEvent,
  tellVaultEvents,
  type VaultEventRow,
} from '../../vault-events/vault-events.ts';
import { readVaultFacts } from '../../vault-events/vault-token-info.ts';
import {
  BulkVaultTxPage,
  BulkVaultTxQuery,
  BulkVaultTxRequest,
  isYes,
  VaultTxPage,
  VaultTxRequest,
} from './schema.ts';

const PAGE = 1_000;

export const vaultTransactionQueryRoutes =
  ({ clusters }: Pick<ApiContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/kvaults/transactions',
      operation(
        {
          operationId: 'queryVaultTransactions',
          tag: 'earn',
          summary: 'One kind of transactions of all vaults',
          description: `Newest first, ${PAGE} a page; paginationToken is there while there are more. A key is taken, not needed.`,
          weight: 20,
          statuses: [400, 401, 500],
        },
        { querystring: BulkVaultTxQuery, body: BulkVaultTxRequest, answer: BulkVaultTxPage },
      ),
      async ({ body, query }, reply) => {
        const cluster = clusters.select(undefined);
        const history = historyOf(cluster);
        const asked = pageAsked(body, cluster);
        await tellPageGaps(reply, cluster, asked);
        const found = pageOf(await readAllEvents(history, asked), PAGE);
        const { programId } = query;
        const programOf = (vault: Address) => cluster.reader.vault(vault)?.program ?? programId;
        const rows = found.rows.filter(({ vault }) => programOf(vault) === programId);
        const page = await answer({ ...found, rows }, cluster, history);
        return isYes(query.includeRawJson) ? await withRawJson(page, rows, history) : page;
      },
    );

    app.post(
      '/kvaults/vaults/:pubkey/transactions',
      operation(
        {
          operationId: 'queryOneVaultTransactions',
          tag: 'earn',
          summary: 'Transactions of a vault',
          description: `Newest first unless direction is asc, ${PAGE} a page; paginationToken is there while there are more.`,
          weight: 10,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ pubkey: AddressText }),
          body: VaultTxRequest,
          answer: VaultTxPage,
        },
      ),
      async ({ params, body }, reply) => {
        const cluster = clusters.select(undefined);
        const history = historyOf(cluster);
        const address = toAddress(params.pubkey);
        const page = { ...pageAsked(body, cluster), of: 'vault', address } as const;
        await tellPageGaps(reply, cluster, page);
        return await answer(pageOf(await readEvents(history, page), PAGE), cluster, history);
      },
    );
  };

type Asked = Partial<Static<typeof VaultTxRequest>>;

function pageAsked(
  { instruction, direction, ...place }: Asked,
  { reader }: Cluster,
): EventsPage<'vaultEvent'> {
  return {
    table: 'vaultEvent',
    kinds: instruction === undefined ? undefined : kindsOf(instruction),
    ...askedPage(place, reader.at().unix),
    order: direction === 'asc' ? 'oldest first' : 'newest first',
    limit: PAGE + 1,
  };
}

async function tellPageGaps(
  reply: FastifyReply,
  cluster: Cluster,
  page: EventsPage<'vaultEvent'>,
): Promise<void> {
  const now = cluster.reader.at().unix;
  await tellEventGaps(reply, historyOf(cluster), { now, range: rangeOfPage(page, now) });
}

/** Names of both kinds of investment are the same. */
function kindsOf(instruction: string): readonly number[] {
  const kinds = vaultKinds.flatMap((kind, i) =>
    vaultInstructions[kind] === instruction ? [i] : [],
  );
  if (kinds.length > 0) return kinds;
  const options = [...new Set(Object.values(vaultInstructions))];
  const message = `instruction must be one of ${options.join(', ')}`;
  const issue = { path: ['instruction'], code: 'invalid_value', message, options };
  throw new CodedError('INVALID_BODY', { issues: [issue] });
}

async function answer(
  { rows, ...next }: Page<VaultEventRow>,
  cluster: Cluster,
  history: HistoryReader,
): Promise<Static<typeof VaultTxPage>> {
  const facts = await readVaultFacts(
    cluster,
    history,
    rows.map(({ vault }) => vault),
  );
  const told = await tellVaultEvents(rows, facts, createPastPrices(history));
  return { result: told.map((event) => toJson(event, cluster)), ...next };
}

/** Where what the node told is still kept. */
async function withRawJson(
  page: Static<typeof VaultTxPage>,
  rows: readonly VaultEventRow[],
  history: HistoryReader,
): Promise<Static<typeof BulkVaultTxPage>> {
  const rawJsonOf = await readRawJson(
    history,
    rows.map(({ signature }) => signature),
  );
  return {
    ...page,
    result: page.result.map((row) => {
      const rawJson = rawJsonOf(row.signature);
      return rawJson === undefined ? row : { ...row, rawJson };
    }),
  };
}

function toJson({ row, kind, facts, prices }: ToldVaultEvent, { reader }: Cluster) {
  const { tokenAmount, sharesAmount, reserve } = row;
  const told = viewVaultTransaction({ kind, tokenAmount, sharesAmount, prices }, facts);
  const market = reserve === null ? undefined : reader.reserve(reserve)?.fields.lendingMarket;
  return {
    ix: {
      ...(market === undefined ? {} : { market }),
      ...(reserve === null ? {} : { reserve }),
      solPrice: seriesText(told.solPrice),
      sharePrice: seriesText(told.sharePrice),
      tokenPrice: seriesText(told.tokenPrice),
      tokenAmount: seriesText(told.tokenAmount),
      numberOfShares: seriesText(told.shares),
    },
    timestamp: formatInstant(row.at),
    signature: encodeBase58(row.signature),
    kvault: row.vault,
    wallet: row.wallet ?? ZERO_ADDRESS,
  };
}
