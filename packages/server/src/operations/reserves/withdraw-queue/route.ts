import { type Address, ratioOfUnits, toAddress } from '@tidegate/core/base';
import { redeemedLiquidity } from '@tidegate/core/protocol/klend/math';
import type { MarketSnapshot, Omission, ReserveSnapshot } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';
import { defineOperation } from '../../../http/operation.ts';
import { ClusterNameString } from '../../../http/schemas/primitives.ts';
import { formatLiveRatio } from '../../../support/decimals/live-decimals.ts';
import {
  marketPriceAges,
  requireReadable,
  setOmittedHeader,
  setStalePricesHeader,
  unreadableAccounts,
} from '../../../support/pricing/data-notes.ts';
import { MARKET_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { marketCache } from '../../../support/pricing/market-cache.ts';
import {
  MarketParameter,
  ReserveParameter,
  WalletParameter,
} from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { queuedWithdrawalJson } from './json.ts';
import { readWithdrawQueue } from './query.ts';
import { QueuedWithdrawalItem, WithdrawQueue } from './schema.ts';

const MAX_TICKETS = 100;

const env = Type.Object({ env: Type.Optional(ClusterNameString) });

export const getWithdrawQueue: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const marketOf = marketCache(context);

  app.get(
    '/svc-market/:marketPubkey/reserves/:reservePubkey/withdraw-queue',
    defineOperation(
      {
        operationId: 'getWithdrawQueue',
        tag: 'lending',
        summary: 'Withdraw queue of a reserve',
        description:
          'Withdrawals that wait until the reserve has the liquidity to pay them, in the order in which they are paid. Amounts use the present exchange rate of cTokens. 503 with code WITHDRAW_QUEUE_INCOMPLETE while not all tickets are known.',
        weight: 2,
        statuses: [404, 500],
        dependsOn: [...MARKET_DEPENDENCIES, 'withdrawTicket'],
      },
      {
        params: Type.Object({ marketPubkey: MarketParameter, reservePubkey: ReserveParameter }),
        querystring: env,
        response: WithdrawQueue,
      },
    ),
    async ({ params, query }, reply) => {
      const cluster = clusters.requireLoaded(query.env);
      const { reader } = cluster;
      const address = toAddress(params.reservePubkey);
      requireReadable(reader, address);
      const market = marketOf(reader, toAddress(params.marketPubkey));
      const reserve = market?.reserves.get(address);
      if (market === undefined || reserve === undefined) {
        throw new CodedError('NOT_FOUND', { what: 'reserve of the market', address });
      }
      setStalePricesHeader(reply, marketPriceAges(market, [address]));
      return withdrawQueueJson(cluster, market, reserve);
    },
  );
};

function withdrawQueueJson(
  cluster: Cluster,
  market: MarketSnapshot,
  reserve: ReserveSnapshot,
): Static<typeof WithdrawQueue> {
  const tickets = readWithdrawQueue(cluster, market, reserve.address);
  const { fields } = market;
  const queue = cluster.reader.reserve(reserve.address)?.fields.withdrawQueue;
  const queued = redeemedLiquidity(reserve.rate, queue?.queuedCollateralAmount ?? 0n);
  const tokens = (amount: bigint) => formatLiveRatio(ratioOfUnits(amount, reserve.decimals));
  return {
    reserve: reserve.address,
    liquidityToken: reserve.symbol,
    liquidityTokenMint: reserve.mint,
    issuesTickets: fields.withdrawTicketIssuanceEnabled !== 0,
    paysTickets: fields.withdrawTicketRedemptionEnabled !== 0,
    cancelsTickets: fields.withdrawTicketCancellationEnabled !== 0,
    queuedAmount: tokens(queued),
    availableAmount: tokens(reserve.liquidity.totalAvailableAmount),
    minPaymentUsd: String(fields.minWithdrawQueuedLiquidityValue),
    nextSequenceNumber: String(queue?.nextWithdrawableTicketSequenceNumber ?? 0n),
    waitingTickets: tickets.filter(({ status }) => status === 'waiting').length,
    tickets: tickets
      .slice(0, MAX_TICKETS)
      .map((ticket) => queuedWithdrawalJson(ticket, market.address)),
  };
}

export const listUserWithdrawTickets: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const marketOf = marketCache(context);

  app.get(
    '/klend/users/:pubkey/withdraw-tickets',
    defineOperation(
      {
        operationId: 'listUserWithdrawTickets',
        tag: 'lending',
        summary: 'Queued withdrawals of a wallet',
        description:
          'Tickets of a wallet in the withdraw queues of all reserves, oldest first. 503 with code WITHDRAW_QUEUE_INCOMPLETE while not all tickets of a reserve are known.',
        weight: 2,
        statuses: [500],
        dependsOn: [...MARKET_DEPENDENCIES, 'withdrawTicket'],
      },
      {
        params: Type.Object({ pubkey: WalletParameter }),
        querystring: env,
        response: Type.Array(QueuedWithdrawalItem),
      },
    ),
    async ({ params, query }, reply) => {
      const cluster = clusters.requireLoaded(query.env);
      const owner = toAddress(params.pubkey);
      const marketOfReserve = (reserve: Address): MarketSnapshot | undefined => {
        const account = cluster.reader.reserve(reserve);
        return account && marketOf(cluster.reader, account.fields.lendingMarket);
      };
      const { items, omitted } = userTickets(cluster, owner, marketOfReserve);
      const unreadable = unreadableAccounts(cluster.reader, 'withdrawTicket', owner);
      setOmittedHeader(reply, [...unreadable, ...omitted]);
      return items;
    },
  );
};

/**
 * Throws if the tickets of any reserve with a queue are not all known, because one of the wallet could be missing. Tickets of
 * a reserve that cannot be priced are omitted.
 */
function userTickets(
  cluster: Cluster,
  owner: Address,
  marketOfReserve: (reserve: Address) => MarketSnapshot | undefined,
): { readonly items: Static<typeof QueuedWithdrawalItem>[]; readonly omitted: Omission[] } {
  const { reader } = cluster;
  const own = new Set(reader.withdrawTicketsOf(owner).map(({ fields }) => fields.reserve));
  const omitted: Omission[] = [];
  const tickets = queuesOf(reader).flatMap((address) => {
    const market = marketOfReserve(address);
    if (market?.reserves.has(address) === true) {
      return readWithdrawQueue(cluster, market, address)
        .filter((ticket) => ticket.owner === owner)
        .map((ticket) => ({ ticket, json: queuedWithdrawalJson(ticket, market.address) }));
    }
    const reason = market?.unavailable.get(address)?.message ?? 'Its market is not known.';
    if (own.has(address)) omitted.push({ address, reason });
    return [];
  });
  const items = tickets
    .sort((a, b) => Number(a.ticket.createdAt - b.ticket.createdAt))
    .map(({ json }) => json);
  return { items, omitted };
}

/** Reserves with tickets, or with a queue whose tickets are not known. */
const queuesOf = (reader: Cluster['reader']): Address[] =>
  reader
    .markets()
    .flatMap(({ address }) => reader.reservesOf(address))
    .filter(({ address, fields }) => {
      const hasQueue = fields.withdrawQueue.queuedCollateralAmount > 0n;
      return hasQueue || reader.withdrawTicketsIn(address).length > 0;
    })
    .map(({ address }) => address);
