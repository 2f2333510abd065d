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
  vaultEventInstructions,
  vaultEventKinds,
  viewVaultTransaction,
} from '@tidegate/core/views/transactions';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import {
  type EventPageQuery,
  readEventPage,
  readGlobalEventPage,
} from '../../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import { formatSeriesRatio } from '../../decimal-format/series-decimals.ts';
import { createEventPage, type EventPage } from '../../event-query/event-page-token.ts';
import {
  parseEventPageQuery,
  readRawTransactionJson,
  timeRangeOfPage,
} from '../../event-query/event-query.ts';
import type { FeatureContext } from '../../feature-context.ts';
import { createHistoricalPriceLookup } from '../../history-query/historical-price-lookup.ts';
import { requireHistory, setEventGapsHeader } from '../../history-query/history-query.ts';
import {
  type EnrichedVaultEvent,
  enrichVaultEvents,
  type VaultEventRow,
} from '../../vault-events/vault-events.ts';
import { readVaultTokenInfo } from '../../vault-events/vault-token-info.ts';
import {
  BulkVaultTxPage,
  BulkVaultTxQuery,
  BulkVaultTxRequest,
  parseFlag,
  VaultTxPage,
  VaultTxRequest,
} from './schema.ts';

const PAGE = 1_000;

export const vaultTransactionQueryRoutes =
  ({ clusters }: Pick<FeatureContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/kvaults/transactions',
      defineOperation(
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
        const history = requireHistory(cluster);
        const asked = pageAsked(body, cluster);
        await tellPageGaps(reply, cluster, asked);
        const found = createEventPage(await readGlobalEventPage(history, asked), PAGE);
        const { programId } = query;
        const programOf = (vault: Address) => cluster.reader.vault(vault)?.program ?? programId;
        const rows = found.rows.filter(({ vault }) => programOf(vault) === programId);
        const page = await answer({ ...found, rows }, cluster, history);
        return parseFlag(query.includeRawJson) ? await withRawJson(page, rows, history) : page;
      },
    );

    app.post(
      '/kvaults/vaults/:pubkey/transactions',
      defineOperation(
        {
          operationId: 'queryOneVaultTransactions',
          tag: 'earn',
          summary: 'Transactions of a vault',
          description: `Newest first unless direction is asc, ${PAGE} a page; paginationToken is there while there are more.`,
          weight: 10,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          body: VaultTxRequest,
          answer: VaultTxPage,
        },
      ),
      async ({ params, body }, reply) => {
        const cluster = clusters.select(undefined);
        const history = requireHistory(cluster);
        const address = toAddress(params.pubkey);
        const page = { ...pageAsked(body, cluster), of: 'vault', address } as const;
        await tellPageGaps(reply, cluster, page);
        return await answer(
          createEventPage(await readEventPage(history, page), PAGE),
          cluster,
          history,
        );
      },
    );
  };

type Asked = Partial<Static<typeof VaultTxRequest>>;

function pageAsked(
  { instruction, direction, ...place }: Asked,
  { reader }: Cluster,
): EventPageQuery<'vaultEvent'> {
  return {
    table: 'vaultEvent',
    kinds: instruction === undefined ? undefined : kindsOf(instruction),
    ...parseEventPageQuery(place, reader.at().unix),
    order: direction === 'asc' ? 'oldest first' : 'newest first',
    limit: PAGE + 1,
  };
}

async function tellPageGaps(
  reply: FastifyReply,
  cluster: Cluster,
  page: EventPageQuery<'vaultEvent'>,
): Promise<void> {
  const now = cluster.reader.at().unix;
  await setEventGapsHeader(reply, requireHistory(cluster), {
    now,
    range: timeRangeOfPage(page, now),
  });
}

/** Names of both kinds of investment are the same. */
function kindsOf(instruction: string): readonly number[] {
  const kinds = vaultEventKinds.flatMap((kind, i) =>
    vaultEventInstructions[kind] === instruction ? [i] : [],
  );
  if (kinds.length > 0) return kinds;
  const options = [...new Set(Object.values(vaultEventInstructions))];
  const message = `instruction must be one of ${options.join(', ')}`;
  const issue = { path: ['instruction'], code: 'invalid_value', message, options };
  throw new CodedError('INVALID_BODY', { issues: [issue] });
}

async function answer(
  { rows, ...next }: EventPage<VaultEventRow>,
  cluster: Cluster,
  history: HistoryReader,
): Promise<Static<typeof VaultTxPage>> {
  const facts = await readVaultTokenInfo(
    cluster,
    history,
    rows.map(({ vault }) => vault),
  );
  const told = await enrichVaultEvents(rows, facts, createHistoricalPriceLookup(history));
  return { result: told.map((event) => toJson(event, cluster)), ...next };
}

/** Where what the node told is still kept. */
async function withRawJson(
  page: Static<typeof VaultTxPage>,
  rows: readonly VaultEventRow[],
  history: HistoryReader,
): Promise<Static<typeof BulkVaultTxPage>> {
  const rawJsonOf = await readRawTransactionJson(
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

function toJson({ row, kind, facts, prices }: EnrichedVaultEvent, { reader }: Cluster) {
  const { tokenAmount, sharesAmount, reserve } = row;
  const told = viewVaultTransaction({ kind, tokenAmount, sharesAmount, prices }, facts);
  const market = reserve === null ? undefined : reader.reserve(reserve)?.fields.lendingMarket;
  return {
    ix: {
      ...(market === undefined ? {} : { market }),
      ...(reserve === null ? {} : { reserve }),
      solPrice: formatSeriesRatio(told.solPrice),
      sharePrice: formatSeriesRatio(told.sharePrice),
      tokenPrice: formatSeriesRatio(told.tokenPrice),
      tokenAmount: formatSeriesRatio(told.tokenAmount),
      numberOfShares: formatSeriesRatio(told.shares),
    },
    timestamp: formatInstant(row.at),
    signature: encodeBase58(row.signature),
    kvault: row.vault,
    wallet: row.wallet ?? ZERO_ADDRESS,
  };
}
