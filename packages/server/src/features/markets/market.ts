import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CodedError, toAddress, ZERO_ADDRESS } from '@tidegate/core/base';
import { marketName, selectListedMarkets } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { defineOperation } from '../../http/operation.ts';
import { AddressString } from '../../http/schemas/primitives.ts';
import type { FeatureContext } from '../feature-context.ts';
import { ProgramIdString, parseProgramId } from '../lending-program/program-id.ts';

export const MarketConfig = Type.Object(
  {
    name: Type.String(),
    isPrimary: Type.Boolean(),
    description: Type.String(),
    lendingMarket: AddressString,
    lookupTable: AddressString,
    isCurated: Type.Boolean(),
  },
  { title: 'MarketConfig' },
);

type Market = Static<typeof MarketConfig>;

const Query = Type.Object({ programId: Type.Optional(ProgramIdString) });

export const marketRoutes =
  ({ clusters }: Pick<FeatureContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = {
      tag: 'lending',
      weight: 1,
      statuses: [500],
      keptWhile: () => clusters.version(),
    } as const;

    app.get(
      '/v2/svc-market',
      defineOperation(
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
        return selectListedMarkets(cluster)
          .filter(({ program }) => program === programId)
          .map((market) => marketJson(market, cluster))
          .sort(primaryThenName);
      },
    );

    app.get(
      '/v2/svc-market/:pubkey',
      defineOperation(
        {
          ...facts,
          operationId: 'getMarket',
          summary: 'One lending market',
          description: 'Also one that is not listed, under the name that its account has.',
        },
        {
          params: Type.Object({ pubkey: AddressString }),
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
