import { type Address, toAddress } from '@tidegate/core/base';
import { vaultEventInstructions } from '@tidegate/core/views/transactions';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';
import { vaultEventKinds } from '../../../history/event-kinds.ts';
import {
  type EventPageQuery,
  readEventPage,
  readGlobalEventPage,
} from '../../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { defineOperation } from '../../../http/operation.ts';
import { createEventPage, type EventPage } from '../../../support/events/event-page-token.ts';
import {
  limitToRecorded,
  parseEventPageQuery,
  readRawTransactionJson,
  timeRangeOfPage,
} from '../../../support/events/event-query.ts';
import { EventQueryRequest, parseFlag } from '../../../support/events/event-query-schema.ts';
import { enrichVaultEvents, type VaultEventRow } from '../../../support/events/vault-events.ts';
import { readVaultTokenInfo } from '../../../support/events/vault-token-info.ts';
import { createHistoricalPriceLookup } from '../../../support/history/historical-price-lookup.ts';
import { setEventGapsHeader } from '../../../support/history/history-gaps.ts';
import { requireAllEvents } from '../../../support/history/history-query.ts';
import { VaultParameter } from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { vaultTransactionJson } from './json.ts';
import { BulkVaultTxPage, BulkVaultTxQuery, VaultTxPage, VaultTxRequest } from './schema.ts';

const PAGE_SIZE = 1_000;

export const queryVaultTransactions: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.post(
      '/kvaults/transactions',
      defineOperation(
        {
          operationId: 'queryVaultTransactions',
          tag: 'earn',
          summary: 'Transactions of all vaults',
          description: `Transactions of one instruction, newest first, ${PAGE_SIZE} per page. The direction of an invest is in or out of a reserve. paginationToken is absent on the last page. An API key is optional.`,
          weight: 20,
          readsEvents: true,
          statuses: [400, 401, 500],
        },
        { querystring: BulkVaultTxQuery, body: EventQueryRequest, response: BulkVaultTxPage },
      ),
      async ({ body, query: { programId, includeRawJson } }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const history = requireAllEvents(cluster);
        const pageQuery = toPageQuery(body, cluster);
        await setGapsHeader(reply, cluster, { pageQuery });
        const recorded = await limitToRecorded(history, pageQuery);
        const page = createEventPage(await readGlobalEventPage(history, recorded), PAGE_SIZE);
        const programOf = (vault: Address) => cluster.reader.vault(vault)?.program ?? programId;
        const rows = page.rows.filter(({ vault }) => programOf(vault) === programId);
        const response = await createResponse({ ...page, rows }, cluster, history);
        return parseFlag(includeRawJson) ? await addRawJson(response, rows, history) : response;
      },
    );
  };

export const queryOneVaultTransactions: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.post(
      '/kvaults/vaults/:pubkey/transactions',
      defineOperation(
        {
          operationId: 'queryOneVaultTransactions',
          tag: 'earn',
          summary: 'Transactions of a vault',
          description: `Newest first unless direction is asc, ${PAGE_SIZE} per page. The direction of an invest is in or out of a reserve. paginationToken is absent on the last page.`,
          weight: 10,
          readsEvents: true,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ pubkey: VaultParameter }),
          body: VaultTxRequest,
          response: VaultTxPage,
        },
      ),
      async ({ params, body }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const history = requireAllEvents(cluster);
        const pageQuery = toPageQuery(body, cluster);
        const address = toAddress(params.pubkey);
        await setGapsHeader(reply, cluster, { pageQuery, vault: address });
        const recorded = await limitToRecorded(history, pageQuery);
        const rows = await readEventPage(history, { ...recorded, subject: 'vault', address });
        return await createResponse(createEventPage(rows, PAGE_SIZE), cluster, history);
      },
    );
  };

function toPageQuery(
  { instruction, direction, ...page }: Partial<Static<typeof VaultTxRequest>>,
  { reader }: Cluster,
): EventPageQuery<'vaultEvent'> {
  return {
    table: 'vaultEvent',
    kinds: instruction === undefined ? undefined : parseEventKinds(instruction),
    ...parseEventPageQuery(page, reader.at().unix),
    order: direction === 'asc' ? 'oldest first' : 'newest first',
    limit: PAGE_SIZE + 1,
  };
}

async function setGapsHeader(
  reply: FastifyReply,
  cluster: Cluster,
  { pageQuery, vault }: VaultPageQuery,
): Promise<void> {
  const now = cluster.reader.at().unix;
  const range = timeRangeOfPage(pageQuery, now);
  const positions = { kind: 'shares', place: vault } as const;
  await setEventGapsHeader(reply, requireAllEvents(cluster), { now, range, positions });
}

/** `vault`: undefined for all vaults. */
type VaultPageQuery = {
  readonly pageQuery: EventPageQuery<'vaultEvent'>;
  readonly vault?: Address;
};

async function createResponse(
  { rows, ...pagination }: EventPage<VaultEventRow>,
  cluster: Cluster,
  history: HistoryReader,
): Promise<Static<typeof VaultTxPage>> {
  const vaults = rows.map(({ vault }) => vault);
  const tokenInfo = await readVaultTokenInfo(cluster, history, vaults);
  const events = await enrichVaultEvents(rows, tokenInfo, createHistoricalPriceLookup(history));
  return { result: events.map((event) => vaultTransactionJson(event, cluster)), ...pagination };
}

/** Adds the RPC response of each transaction that is not pruned. */
async function addRawJson(
  response: Static<typeof VaultTxPage>,
  rows: readonly VaultEventRow[],
  history: HistoryReader,
): Promise<Static<typeof BulkVaultTxPage>> {
  const signatures = rows.map(({ signature }) => signature);
  const rawJsonOf = await readRawTransactionJson(history, signatures);
  return {
    ...response,
    result: response.result.map((transaction) => {
      const rawJson = rawJsonOf(transaction.signature);
      return rawJson === undefined ? transaction : { ...transaction, rawJson };
    }),
  };
}

/** Event kinds of an instruction. `investIn` and `investOut` are events of the same instruction. */
function parseEventKinds(instruction: string): readonly number[] {
  const kinds = vaultEventKinds.flatMap((kind, i) =>
    vaultEventInstructions[kind] === instruction ? [i] : [],
  );
  if (kinds.length > 0) return kinds;
  const options = [...new Set(Object.values(vaultEventInstructions))];
  const message = `instruction must be one of ${options.join(', ')}`;
  const issue = { path: ['instruction'], code: 'invalid_value', message, options };
  throw new CodedError('INVALID_BODY', { issues: [issue] });
}
