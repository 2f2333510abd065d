import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Address, CodedError, toAddress } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { type ReserveMetrics as Metrics, viewReserves } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { AddressString, ClusterNameString, DecimalString } from '../../http/schemas/primitives.ts';
import { createStringValidator } from '../../http/validation.ts';
import { formatLiveRatio } from '../decimal-format/live-decimals.ts';
import type { FeatureContext } from '../feature-context.ts';
import { ProgramIdString, parseProgramId } from '../lending-program/program-id.ts';
import type { MarketCache } from '../pricing/market-cache.ts';
import { MarketListString, parseMarketList } from './accounts/market-list.ts';

const ReserveMetrics = Type.Object(
  {
    reserve: AddressString,
    liquidityToken: Type.String(),
    liquidityTokenMint: AddressString,
    maxLtv: DecimalString,
    borrowApy: DecimalString,
    supplyApy: DecimalString,
    totalSupply: DecimalString,
    totalBorrow: DecimalString,
    totalBorrowUsd: DecimalString,
    totalSupplyUsd: DecimalString,
  },
  { title: 'ReserveMetrics' },
);

const ReserveAccount = Type.Object(
  {
    pubkey: AddressString,
    data: Type.String({
      title: 'Base64Bytes',
      contentEncoding: 'base64',
      pattern: '^[A-Za-z0-9+/]*={0,2}$',
    }),
  },
  { title: 'ReserveAccount' },
);

const MarketReserveAccounts = Type.Object(
  { market: AddressString, reserves: Type.Array(ReserveAccount) },
  { title: 'MarketReserveAccounts' },
);

const ProgramQuery = Type.Object({ programId: Type.Optional(ProgramIdString) });

/** Room for the addresses of 500 markets, each with the parameter's name. */
const ACCOUNTS_QUERY_LENGTH = 32 * 1024;

export const reserveRoutes =
  (
    { clusters }: Pick<FeatureContext, 'clusters'>,
    marketOf: MarketCache,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { tag: 'lending', statuses: [500], keptWhile: () => clusters.version() } as const;

    app.get(
      '/svc-market/:pubkey/reserves/metrics',
      defineOperation(
        {
          ...facts,
          operationId: 'listReserveMetrics',
          summary: 'Supply, debt and rates of a market’s reserves',
          description:
            'Accrued to the slot of the answer, at oracle prices. Rates are yearly fractions, interest only. Largest supply in USD first.',
          weight: 1,
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
          answer: Type.Array(ReserveMetrics),
        },
      ),
      async ({ params, query }) => {
        const { reader } = clusters.select(query.env);
        const market = marketOf(reader, toAddress(params.pubkey));
        if (market === undefined) return [];
        return viewReserves(market.reserves.values(), market.slotMs).map(toJson);
      },
    );

    app.get(
      '/svc-market/reserves/account-data',
      {
        ...defineOperation(
          {
            ...facts,
            operationId: 'listReserveAccounts',
            summary: 'Reserve accounts as they are on the chain',
            description:
              'All bytes of every reserve, in base64. Markets in the order of the request, each once; reserves by address. A market that is not known has none.',
            weight: 5,
            maxQueryLength: ACCOUNTS_QUERY_LENGTH,
          },
          {
            querystring: Type.Object({ ...ProgramQuery.properties, markets: MarketListString }),
            answer: Type.Array(MarketReserveAccounts),
          },
        ),
        validatorCompiler: () => readAccountsQuery,
      },
      async ({ query }) => {
        const programId = parseProgramId(query.programId);
        const { reader } = clusters.select(undefined);
        return [query.markets].flat().map((text) => {
          const market = toAddress(text);
          return { market, reserves: accountsOf(reader, { market, programId }) };
        });
      },
    );
  };

const readProgramId = createStringValidator(ProgramQuery, 'INVALID_QUERY');

/** A list may also be one text with commas, which the schema has no words for. */
function readAccountsQuery(input: Readonly<Record<string, unknown>>) {
  const read = readProgramId(input);
  if ('error' in read) return read;
  const list = parseMarketList(input['markets']);
  return 'markets' in list
    ? { value: { ...read.value, markets: list.markets } }
    : { error: new CodedError('INVALID_QUERY', list) };
}

type Named = { readonly market: Address; readonly programId: Address };

function accountsOf(
  reader: ClusterReader,
  { market, programId }: Named,
): Static<typeof ReserveAccount>[] {
  if (reader.market(market)?.program !== programId) return [];
  return reader.reservesOf(market).map(({ address, data }) => {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
    return { pubkey: address, data: bytes.toString('base64') };
  });
}

function toJson(metrics: Metrics): Static<typeof ReserveMetrics> {
  return {
    reserve: metrics.address,
    liquidityToken: metrics.symbol,
    liquidityTokenMint: metrics.mint,
    maxLtv: formatLiveRatio(metrics.maxLtv),
    borrowApy: formatLiveRatio(metrics.borrowApy),
    supplyApy: formatLiveRatio(metrics.supplyApy),
    totalSupply: formatLiveRatio(metrics.totalSupply),
    totalBorrow: formatLiveRatio(metrics.totalBorrow),
    totalBorrowUsd: formatLiveRatio(metrics.totalBorrowUsd),
    totalSupplyUsd: formatLiveRatio(metrics.totalSupplyUsd),
  };
}
