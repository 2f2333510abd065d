import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CodedError, toAddress, ZERO_ADDRESS } from '@tidegate/core/base';
import { listedMarkets, marketName } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { operation } from '../../http/operation.ts';
import { AddressText } from '../../http/schemas/primitives.ts';
import type { ApiContext } from '../feature-context.ts';
import { ProgramIdText, parseProgramId } from '../lending-program/program-id.ts';

export const MarketConfig = Type.Object(
  {
    name: Type.String(),
    isPrimary: Type.Boolean(),
    description: Type.String(),
    lendingMarket: AddressText,
    lookupTable: AddressText,
    isCurated: Type.Boolean(),
  },
  { title: 'MarketConfig' },
);

type Market = Static<typeof MarketConfig>;

const Query = Type.Object({ programId: Type.Optional(ProgramIdText) });

export const marketRoutes =
  ({ clusters }: Pick<ApiContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = {
      tag: 'lending',
      weight: 1,
      statuses: [500],
      keptWhile: () => clusters.version(),
    } as const;

    app.get(
      '/v2/svc-market',
      operation(
        {
          ...facts,
          operationId: 'listMarkets',
          summary: 'Lending markets',
          description: 'The publicly listed markets of a program: primary first, then by name.',
        },
        { querystring: Query, answer: Type.Array(MarketConfig) },
      ),
      async ({ query }) => {
        const programId = parseProgramId(query.programId);
        const cluster = clusters.select(undefined);
        return listedMarkets(cluster)
          .filter(({ program }) => program === programId)
          .map((market) => marketJson(market, cluster))
          .sort(primaryThenName);
      },
    );

    app.get(
      '/v2/svc-market/:pubkey',
      operation(
        {
          ...facts,
          operationId: 'getMarket',
          summary: 'One lending market',
          description: 'Also one that is not listed, under the name that its account has.',
        },
        {
          params: Type.Object({ pubkey: AddressText }),
          querystring: Query,
          answer: MarketConfig,
        },
      ),
      async ({ params, query }) => {
        const programId = parseProgramId(query.programId);
        const address = toAddress(params.pubkey);
        const cluster = clusters.select(undefined);
        const market = cluster.reader.market(address);
        if (market?.program !== programId) {
          throw new CodedError('NOT_FOUND', { what: 'market', address });
        }
        return marketJson(market, cluster);
      },
    );
  };

/** What the registry does not say: not primary, not curated, no table, no more than its own name. */
export function marketJson({ address, fields }: OneMarket, { registry }: Cluster): Market {
  const known = registry.market(address);
  return {
    name: known?.name ?? marketName(fields),
    isPrimary: known?.isPrimary ?? false,
    description: known?.description ?? '',
    lendingMarket: address,
    lookupTable: known?.lookupTable ?? ZERO_ADDRESS,
    isCurated: known?.isCurated ?? false,
  };
}

function primaryThenName(a: Market, b: Market): number {
  if (a.isPrimary !== b.isPrimary) return a.isPrimary ? -1 : 1;
  const key = ({ name, lendingMarket }: Market) => `${name}\0${lendingMarket}`;
  return key(a) < key(b) ? -1 : 1;
}

type OneMarket = ReturnType<Cluster['reader']['markets']>[number];
