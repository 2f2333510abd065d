import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Address, toAddress, toUnixSeconds } from '@tidegate/core/base';
import { obligationTagName } from '@tidegate/core/views/lending';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { readObligationSnapshots } from '../../../history/queries/obligation-snapshots.ts';
import { defineOperation } from '../../../http/operation.ts';
import { BooleanString } from '../../../http/schemas/boolean-string.ts';
import { AddressString, ClusterNameString } from '../../../http/schemas/primitives.ts';
import type { FeatureContext } from '../../feature-context.ts';
import {
  invalidQuery,
  requireHistory,
  setEventGapsHeader,
} from '../../history-query/history-query.ts';
import { readAllLendingEvents, readLoanFlows } from '../../lending-events/lending-events.ts';
import { tokenSymbolOrMint, type VaultPricingCache } from '../../pricing/vault-pricing-cache.ts';
import {
  type LendingTransactionLabels,
  type LoanTransaction,
  lendingTransactionJson,
  toLoanTransactions,
} from './json.ts';
import {
  type LendTx,
  ObligationTxList,
  UserLendTxsAllMarkets,
  UserLendTxsByObligation,
} from './schema.ts';

const SortText = Type.Unsafe<'asc' | 'desc'>({
  type: 'string',
  enum: ['asc', 'desc'],
  default: 'asc',
});
const Query = { env: Type.Optional(ClusterNameString), sort: Type.Optional(SortText) };

const WORDS =
  'Amounts are what moved, for a liquidation all that the seized cTokens were worth; prices are of the last snapshot before.';

type Sort = 'asc' | 'desc' | undefined;
type Json = Static<typeof LendTx>;

type Context = Pick<FeatureContext, 'clusters' | 'tokens'>;

/** What happened to loans, by loan and by wallet. */
export const lendingTransactionRoutes =
  (context: Context, termsOf: VaultPricingCache): FastifyPluginAsyncTypebox =>
  async (app) => {
    const parts = { clusters: context.clusters, wordsOf: createWords(context, termsOf) };
    app.register(obligationList(parts));
    app.register(allMarketsList(parts));
    app.register(marketList(parts));
  };

type Parts = {
  readonly clusters: FeatureContext['clusters'];
  wordsOf(cluster: Cluster, flows: readonly LoanTransaction[]): Promise<LendingTransactionLabels>;
};

const facts = { tag: 'lending-users', weight: 3, statuses: [500] } as const;

const obligationList =
  ({ clusters, wordsOf }: Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/transactions',
      defineOperation(
        {
          ...facts,
          operationId: 'listObligationTransactions',
          summary: 'What happened to a loan',
          description: WORDS,
        },
        {
          params: Type.Object({ marketPubkey: AddressString, obligationPubkey: AddressString }),
          querystring: Type.Object({ ...Query, useLogPrices: Type.Optional(BooleanString) }),
          answer: ObligationTxList,
        },
      ),
      async ({ params, query }, reply) => {
        refuseLogPrices(query.useLogPrices);
        const cluster = clusters.select(query.env);
        const market = toAddress(params.marketPubkey);
        const address = toAddress(params.obligationPubkey);
        const flows = await readFlows(cluster, reply, { of: 'obligation', address });
        const listed = sorted(
          flows.filter(({ row }) => row.market === market),
          query.sort,
        );
        const words = await wordsOf(cluster, listed);
        const transactions = listed.map((flow) => ({
          ...lendingTransactionJson(flow, words),
          obligation: flow.obligation,
        }));
        return { transactions };
      },
    );
  };

const allMarketsList =
  ({ clusters, wordsOf }: Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v2/svc-market/users/:userPubkey/transactions',
      defineOperation(
        {
          ...facts,
          operationId: 'listUserLendTransactionsAllMarkets',
          summary: 'What happened to the loans of a wallet, by market',
          description: WORDS,
        },
        {
          params: Type.Object({ userPubkey: AddressString }),
          querystring: Type.Object(Query),
          answer: UserLendTxsAllMarkets,
        },
      ),
      async ({ params, query }, reply) => {
        const cluster = clusters.select(query.env);
        const address = toAddress(params.userPubkey);
        const flows = await readFlows(cluster, reply, { of: 'wallet', address });
        const listed = sorted(flows, query.sort);
        const words = await wordsOf(cluster, listed);
        const markets = [...new Set(listed.map(({ row }) => row.market))];
        return markets.map((market) => ({
          market,
          obligations: byObligation(
            listed.filter(({ row }) => row.market === market),
            words,
          ),
        }));
      },
    );
  };

const marketList =
  ({ clusters, wordsOf }: Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v2/svc-market/:marketPubkey/users/:userPubkey/transactions',
      defineOperation(
        {
          ...facts,
          operationId: 'listUserLendTransactions',
          summary: 'What happened to the loans of a wallet in a market',
          description: WORDS,
        },
        {
          params: Type.Object({ marketPubkey: AddressString, userPubkey: AddressString }),
          querystring: Type.Object(Query),
          answer: UserLendTxsByObligation,
        },
      ),
      async ({ params, query }, reply) => {
        const cluster = clusters.select(query.env);
        const market = toAddress(params.marketPubkey);
        const address = toAddress(params.userPubkey);
        const flows = await readFlows(cluster, reply, { of: 'wallet', address });
        const listed = sorted(
          flows.filter(({ row }) => row.market === market),
          query.sort,
        );
        return byObligation(listed, await wordsOf(cluster, listed));
      },
    );
  };

/** Refused rather than answered with other prices. */
function refuseLogPrices(asked: 'true' | 'false' | undefined): void {
  if (asked !== 'true') return;
  const message = 'useLogPrices must be false: prices are those of the last snapshot before';
  throw invalidQuery([{ path: ['useLogPrices'], code: 'invalid_value', message }]);
}

type Subject = { readonly of: 'obligation' | 'wallet'; readonly address: Address };

async function readFlows(
  cluster: Cluster,
  reply: FastifyReply,
  subject: Subject,
): Promise<readonly LoanTransaction[]> {
  const { reader } = cluster;
  const history = requireHistory(cluster);
  await setEventGapsHeader(reply, history, { now: reader.at().unix });
  const rows = await readAllLendingEvents(history, subject);
  const decimalsOf = (reserve: Address) => reader.reserve(reserve)?.fields.liquidity.mintDecimals;
  return toLoanTransactions(await readLoanFlows(rows, { history, decimalsOf }));
}

const sorted = (flows: readonly LoanTransaction[], sort: Sort): readonly LoanTransaction[] =>
  sort === 'desc' ? flows.toReversed() : flows;

function byObligation(
  flows: readonly LoanTransaction[],
  words: LendingTransactionLabels,
): Record<string, Json[]> {
  const lists = new Map<Address, Json[]>();
  for (const flow of flows) {
    const list = lists.get(flow.obligation) ?? [];
    list.push(lendingTransactionJson(flow, words));
    lists.set(flow.obligation, list);
  }
  return Object.fromEntries(lists);
}

/** A loan that is closed is of the kind that it was. */
function createWords({ tokens }: Pick<FeatureContext, 'tokens'>, termsOf: VaultPricingCache) {
  return async (
    cluster: Cluster,
    flows: readonly LoanTransaction[],
  ): Promise<LendingTransactionLabels> => {
    const { registry, reader } = cluster;
    const types = new Map<Address, string>();
    for (const obligation of new Set(flows.map((flow) => flow.obligation))) {
      const tag = reader.obligation(obligation)?.fields.tag ?? (await lastTag(cluster, obligation));
      types.set(obligation, tag === undefined ? 'Unknown' : obligationTagName(Number(tag)));
    }
    const source = { registry, terms: termsOf(cluster), catalogue: tokens };
    return {
      symbolOf: (mint) => tokenSymbolOrMint(mint, source),
      typeOf: (obligation) => types.get(obligation) ?? 'Unknown',
    };
  };
}

async function lastTag(cluster: Cluster, obligation: Address): Promise<bigint | undefined> {
  const end = toUnixSeconds(cluster.reader.at().unix + 1n);
  const states = await readObligationSnapshots(requireHistory(cluster), obligation, end);
  return states.findLast(({ fields }) => fields !== undefined)?.fields?.tag;
}
