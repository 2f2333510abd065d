import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Address, CodedError, toAddress } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { type ReserveMetrics as Metrics, viewReserves } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { operation } from '../../http/operation.ts';
import { AddressText, DecimalText, EnvText } from '../../http/schemas/primitives.ts';
import { textReader } from '../../http/validation.ts';
import { liveText } from '../decimal-format/live-decimals.ts';
import type { ApiContext } from '../feature-context.ts';
import { ProgramIdText, parseProgramId } from '../lending-program/program-id.ts';
import type { MarketsNow } from '../pricing/market-cache.ts';
import { MarketListText, parseMarketList } from './accounts/market-list.ts';

const ReserveMetrics = Type.Object(
  {
    reserve: AddressText,
    liquidityToken: Type.String(),
    liquidityTokenMint: AddressText,
    maxLtv: DecimalText,
    borrowApy: DecimalText,
    supplyApy: DecimalText,
    totalSupply: DecimalText,
    totalBorrow: DecimalText,
    totalBorrowUsd: DecimalText,
    totalSupplyUsd: DecimalText,
  },
  { title: 'ReserveMetrics' },
);

const ReserveAccount = Type.Object(
  {
    pubkey: AddressText,
    data: Type.String({
      title: 'Base64Bytes',
      contentEncoding: 'base64',
      pattern: '^[A-Za-z0-9+/]*={0,2}$',
    }),
  },
  { title: 'ReserveAccount' },
);

const MarketReserveAccounts = Type.Object(
  { market: AddressText, reserves: Type.Array(ReserveAccount) },
  { title: 'MarketReserveAccounts' },
);

const ProgramQuery = Type.Object({ programId: Type.Optional(ProgramIdText) });

/** Room for the addresses of 500 markets, each with the parameter's name. */
const ACCOUNTS_QUERY_LENGTH = 32 * 1024;

export const reserveRoutes =
  ({ clusters }: Pick<ApiContext, 'clusters'>, marketOf: MarketsNow): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { tag: 'lending', statuses: [500], keptWhile: () => clusters.version() } as const;

    app.get(
      '/svc-market/:pubkey/reserves/metrics',
      operation(
        {
          ...facts,
          operationId: 'listReserveMetrics',
          summary: 'Supply, debt and rates of a market’s reserves',
          description:
            'Accrued to the slot of the answer, at oracle prices. Rates are yearly fractions, interest only. Largest supply in USD first.',
          weight: 1,
        },
        {
          params: Type.Object({ pubkey: AddressText }),
          querystring: Type.Object({ env: Type.Optional(EnvText) }),
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
        ...operation(
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
            querystring: Type.Object({ ...ProgramQuery.properties, markets: MarketListText }),
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

const readProgramId = textReader(ProgramQuery, 'INVALID_QUERY');

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
    maxLtv: liveText(metrics.maxLtv),
    borrowApy: liveText(metrics.borrowApy),
    supplyApy: liveText(metrics.supplyApy),
    totalSupply: liveText(metrics.totalSupply),
    totalBorrow: liveText(metrics.totalBorrow),
    totalBorrowUsd: liveText(metrics.totalBorrowUsd),
    totalSupplyUsd: liveText(metrics.totalSupplyUsd),
  };
}
