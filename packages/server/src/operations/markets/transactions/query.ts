import { type Address, toAddress } from '@tidegate/core/base';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';
import { lendingEventKinds } from '../../../history/event-kinds.ts';
import { readQueueEventsSince } from '../../../history/queries/event-coverage.ts';
import { type EventsQuery, readEventPage } from '../../../history/queries/event-pages.ts';
import { createTransactionPage } from '../../../support/events/event-page-token.ts';
import {
  limitToRecorded,
  parseEventPageQuery,
  readRawTransactionJson,
  timeRangeOfPage,
} from '../../../support/events/event-query.ts';
import { parseFlag } from '../../../support/events/event-query-schema.ts';
import { setEventGapsHeader } from '../../../support/history/history-gaps.ts';
import { requireAllEvents } from '../../../support/history/history-query.ts';
import { parseProgramId } from '../../../support/schemas/program-id.ts';
import type { BulkLendTxQuery, BulkLendTxRequest } from './schema.ts';

/** Instructions per page. */
export const PAGE_SIZE = 1_000;

type MarketEventsRequest = { readonly pubkey: string } & Static<typeof BulkLendTxQuery> &
  Static<typeof BulkLendTxRequest> & {
    /** Whether the response has fields that earlier releases did not record. */
    readonly needsTickets?: boolean;
  };

/** A page of the events of one instruction, newest first. Sets `x-gaps`. */
export async function readMarketEvents(
  cluster: Cluster,
  reply: FastifyReply,
  { pubkey, programId, includeRawJson, instruction, needsTickets, ...page }: MarketEventsRequest,
) {
  const history = requireAllEvents(cluster);
  const now = cluster.reader.at().unix;
  const events: EventsQuery<'lendingEvent'> = {
    table: 'lendingEvent',
    subject: 'market',
    address: toAddress(pubkey),
    kinds: [parseKind(instruction)],
    order: 'newest first',
    limit: PAGE_SIZE + 1,
    ...parseEventPageQuery(page, now),
  };
  const since = needsTickets ? await readQueueEventsSince(history) : undefined;
  const range = timeRangeOfPage(events, now);
  const positions = { kind: 'loan', place: events.address } as const;
  await setEventGapsHeader(reply, history, { now, range, since, positions });
  const isOfProgram = programOf(cluster, events.address) === parseProgramId(programId);
  const found = isOfProgram
    ? await readEventPage(history, await limitToRecorded(history, events, since))
    : [];
  const { rows, ...next } = createTransactionPage(found, PAGE_SIZE);
  const signatures = parseFlag(includeRawJson) ? rows.map(({ signature }) => signature) : [];
  const rawJsonOf = await readRawTransactionJson(history, signatures);
  return { rows, rawJsonOf, ...next };
}

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
