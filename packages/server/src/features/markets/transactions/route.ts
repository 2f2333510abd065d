import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type Address,
  bytesToHex,
  CodedError,
  encodeBase58,
  formatInstant,
  mulRatio,
  ratioOfSf,
  ratioOfUnits,
  sfFromBits,
  toAddress,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { lendingEventKinds } from '@tidegate/core/views/transactions';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { type EventsQuery, readEventPage } from '../../../history/queries/event-pages.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import { formatSeriesRatio } from '../../decimal-format/series-decimals.ts';
import { createTransactionPage } from '../../event-query/event-page-token.ts';
import {
  parseEventPageQuery,
  readRawTransactionJson,
  timeRangeOfPage,
} from '../../event-query/event-query.ts';
import type { FeatureContext } from '../../feature-context.ts';
import { requireHistory, setEventGapsHeader } from '../../history-query/history-query.ts';
import type { LendingEventRow } from '../../lending-events/lending-events.ts';
import { parseProgramId } from '../../lending-program/program-id.ts';
import {
  type BulkLendTx,
  BulkLendTxPage,
  BulkLendTxQuery,
  BulkLendTxRequest,
} from '../../loans/transactions/schema.ts';
import { parseFlag } from '../../vaults/transactions/schema.ts';

const PAGE = 1_000;

/** What happened in a market, to whomever. */
export const queryMarketTransactions =
  ({ clusters }: Pick<FeatureContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/v2/svc-market/:pubkey/transactions',
      defineOperation(
        {
          operationId: 'queryMarketTransactions',
          tag: 'lending',
          summary: 'One kind of transactions of a market',
          description: `Newest first, ${PAGE} instructions a page; paginationToken is there while there are more. Of a transaction all such instructions on one loan are together, with amounts in whole tokens and prices of the last snapshot before. A key is taken, not needed.`,
          weight: 20,
          statuses: [400, 401, 500],
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          querystring: BulkLendTxQuery,
          body: BulkLendTxRequest,
          answer: BulkLendTxPage,
        },
      ),
      async ({ params, query, body }, reply) => {
        const cluster = clusters.select(undefined);
        const history = requireHistory(cluster);
        const { instruction, ...place } = body;
        const now = cluster.reader.at().unix;
        const asked: EventsQuery<'lendingEvent'> = {
          table: 'lendingEvent',
          of: 'market',
          address: toAddress(params.pubkey),
          kinds: [kindOf(instruction)],
          order: 'newest first',
          limit: PAGE + 1,
          ...parseEventPageQuery(place, now),
        };
        await setEventGapsHeader(reply, history, { now, range: timeRangeOfPage(asked, now) });
        const isOther = programOf(cluster, asked.address) !== parseProgramId(query.programId);
        const found = isOther ? [] : await readEventPage(history, asked);
        const { rows, ...next } = createTransactionPage(found, PAGE);
        const result = transactionsOf(rows, (row) => instructionJson(row, cluster));
        if (!parseFlag(query.includeRawJson)) return { result, ...next };
        const signatures = rows.map(({ signature }) => signature);
        const rawJsonOf = await readRawTransactionJson(history, signatures);
        return { result: result.map((each) => withRawJson(each, rawJsonOf)), ...next };
      },
    );
  };

/** A market that is not there (any more) was one of the usual program. */
const programOf = ({ reader }: Cluster, market: Address): Address =>
  reader.market(market)?.program ?? parseProgramId();

const kindNames: readonly string[] = lendingEventKinds;

function kindOf(instruction: string): number {
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

/** In the order of their first instructions. */
function transactionsOf(
  rows: readonly LendingEventRow[],
  toJson: (row: LendingEventRow) => Record<string, unknown>,
): BulkLendTx[] {
  const found = new Map<string, BulkLendTx>();
  for (const row of rows) {
    const key = `${bytesToHex(row.signature)} ${row.obligation}`;
    const known = found.get(key);
    if (known !== undefined) known.ixs.push(toJson(row));
    else found.set(key, { ixs: [toJson(row)], ...happened(row) });
  }
  // what ran first in a transaction is told first
  return [...found.values()].map((each) => ({ ...each, ixs: each.ixs.toReversed() }));
}

const happened = ({
  at,
  signature,
  obligation,
  wallet,
}: LendingEventRow): Omit<BulkLendTx, 'ixs'> => ({
  timestamp: formatInstant(at),
  signature: encodeBase58(signature),
  obligation: obligation ?? ZERO_ADDRESS,
  wallet: wallet ?? ZERO_ADDRESS,
});

/** What is not known, or does not belong to the instruction, is left out. */
function instructionJson(row: LendingEventRow, { reader }: Cluster): Record<string, unknown> {
  const { reserve, mint, priceSf, solPriceSf } = row;
  const decimals =
    reserve === null ? undefined : reader.reserve(reserve)?.fields.liquidity.mintDecimals;
  const tokens = (amount: bigint | null) =>
    amount === null || decimals === undefined ? undefined : ratioOfUnits(amount, decimals);
  const moved = tokens(row.liquidityAmount);
  const price = priceSf === null ? undefined : ratioOfSf(sfFromBits(priceSf));
  const texts = {
    tokenAmount: moved,
    collateralAmount: tokens(row.collateralAmount),
    feeAmount: tokens(row.feeAmount),
    tokenPrice: price,
    solPrice: solPriceSf === null ? undefined : ratioOfSf(sfFromBits(solPriceSf)),
    usdValue: moved && price && mulRatio(moved, price),
  };
  return {
    instruction: lendingEventKinds[row.kind],
    ...(reserve === null ? {} : { reserve }),
    ...(mint === null ? {} : { tokenMint: mint }),
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, formatSeriesRatio(value)]],
      ),
    ),
  };
}

function withRawJson(
  transaction: BulkLendTx,
  rawJsonOf: (signature: string) => string | undefined,
): BulkLendTx {
  const rawJson = rawJsonOf(transaction.signature);
  return rawJson === undefined ? transaction : { ...transaction, rawJson };
}
