import { type Address, CodedError, toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { lendingEventKinds } from '../../../history/event-kinds.ts';
import { type EventsQuery, readEventPage } from '../../../history/queries/event-pages.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import { createTransactionPage } from '../../event-query/event-page-token.ts';
import {
  parseEventPageQuery,
  readRawTransactionJson,
  timeRangeOfPage,
} from '../../event-query/event-query.ts';
import { parseFlag } from '../../event-query/event-query-schema.ts';
import type { Feature } from '../../feature-context.ts';
import { setEventGapsHeader } from '../../history-query/history-gaps.ts';
import { requireHistory } from '../../history-query/history-query.ts';
import { parseProgramId } from '../../lending-program/program-id.ts';
import { addRawJson, marketTransactionsJson } from './json.ts';
import { BulkLendTxPage, BulkLendTxQuery, BulkLendTxRequest } from './schema.ts';

const PAGE_SIZE = 1_000;

export const queryMarketTransactions: Feature =
  ({ clusters }) =>
  async (app) => {
    app.post(
      '/v2/svc-market/:pubkey/transactions',
      defineOperation(
        {
          operationId: 'queryMarketTransactions',
          tag: 'lending',
          summary: 'Market transactions with one instruction',
          description: `Newest first, ${PAGE_SIZE} instructions per page; \`paginationToken\` is present if there are more. Instructions of one transaction on one loan are grouped. Amounts are in whole tokens, prices are those of the last snapshot before the transaction. An API key is accepted but not required.`,
          weight: 20,
          statuses: [400, 401, 500],
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          querystring: BulkLendTxQuery,
          body: BulkLendTxRequest,
          response: BulkLendTxPage,
        },
      ),
      async ({ params, query, body }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const history = requireHistory(cluster);
        const { instruction, ...page } = body;
        const now = cluster.reader.at().unix;
        const events: EventsQuery<'lendingEvent'> = {
          table: 'lendingEvent',
          subject: 'market',
          address: toAddress(params.pubkey),
          kinds: [parseKind(instruction)],
          order: 'newest first',
          limit: PAGE_SIZE + 1,
          ...parseEventPageQuery(page, now),
        };
        await setEventGapsHeader(reply, history, { now, range: timeRangeOfPage(events, now) });
        const isOfProgram = programOf(cluster, events.address) === parseProgramId(query.programId);
        const found = isOfProgram ? await readEventPage(history, events) : [];
        const { rows, ...next } = createTransactionPage(found, PAGE_SIZE);
        const result = marketTransactionsJson(rows, cluster);
        if (!parseFlag(query.includeRawJson)) return { result, ...next };
        const signatures = rows.map(({ signature }) => signature);
        const rawJsonOf = await readRawTransactionJson(history, signatures);
        return { result: result.map((each) => addRawJson(each, rawJsonOf)), ...next };
      },
    );
  };

/** A market without an account, such as a closed one, counts as one of the default program. */
const programOf = ({ reader }: Cluster, market: Address): Address =>
  reader.market(market)?.program ?? parseProgramId();

const kindNames: readonly string[] = lendingEventKinds;

function parseKind(instruction: string): number {
  const kind = kindNames.indexOf(instruction);
  if (kind >= 0) return kind;
  const message = `instruction must be one of ${lendingEventKinds.join(', ')}`;
  const issue = {
    path: ['instruction'],
    code: 'invalid_value',
    message,
    options: lendingEventKinds,
  };
  throw new CodedError('INVALID_BODY', { issues: [issue] });
}
