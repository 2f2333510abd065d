import { toAddress } from '@tidegate/core/base';
import { type Static, Type } from 'typebox';
import { CodedError } from '../../../errors.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString, ClusterNameString } from '../../../http/schemas/primitives.ts';
import { createStringValidator } from '../../../http/validation.ts';
import { invalidQuery } from '../../../support/history/history-query.ts';
import { requireReadable, unreadableAccounts } from '../../../support/pricing/data-notes.ts';
import { MARKET_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { MarketParameter, ReserveParameter } from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { statsReader } from './read-stats.ts';
import { ReserveStats } from './schema.ts';

const STATS_DESCRIPTION =
  'Terms, rates, limits and amounts as of the slot of the response; interest is accrued to it. Averages are over the hourly series of the reserve up to the newest full hour: a point counts until the next one and for an hour at most; null if the series is shorter than the window, or if no history is recorded. Rewards that a reserve pays itself are not included; listReserveRewards has them. Null without a source: proofOfReserves.';

const EnvQuery = Type.Object({ env: Type.Optional(ClusterNameString) });

export const getReserveStats: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const stats = statsReader(context);

  app.get(
    '/reserves/:reserve/stats',
    defineOperation(
      {
        operationId: 'getReserveStats',
        tag: 'lending',
        summary: 'Stats of a reserve',
        description: STATS_DESCRIPTION,
        weight: 5,
        computedFrom: MARKET_DEPENDENCIES,
        statuses: [400, 404, 500],
      },
      {
        params: Type.Object({ reserve: ReserveParameter }),
        querystring: EnvQuery,
        response: ReserveStats,
      },
    ),
    async ({ params, query }, reply) =>
      stats.one(clusters.requireLoaded(query.env), toAddress(params.reserve), reply),
  );
};

export const getMarketReserveStats: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const stats = statsReader(context);

  app.get(
    '/markets/:market/reserves/:reserve/stats',
    defineOperation(
      {
        operationId: 'getMarketReserveStats',
        tag: 'lending',
        summary: 'Stats of a reserve of a market',
        description: `404 if the reserve is not in the market. ${STATS_DESCRIPTION}`,
        weight: 5,
        computedFrom: MARKET_DEPENDENCIES,
        statuses: [400, 404, 500],
      },
      {
        params: Type.Object({ market: MarketParameter, reserve: ReserveParameter }),
        querystring: EnvQuery,
        response: ReserveStats,
      },
    ),
    async ({ params, query }, reply) => {
      const cluster = clusters.requireLoaded(query.env);
      const address = toAddress(params.reserve);
      const market = cluster.reader.reserve(address)?.fields.lendingMarket;
      if (market !== undefined && market !== params.market) {
        throw new CodedError('NOT_FOUND', { what: 'reserve of this market', address });
      }
      return stats.one(cluster, address, reply);
    },
  );
};

const MAX_RESERVES = 100;

const ReserveList = Type.Array(AddressString, { minItems: 1, maxItems: MAX_RESERVES });

/** Fits all addresses, each with the parameter name. */
const MAX_QUERY_LENGTH = 8 * 1024;

const BatchQuery = Type.Object({
  ...EnvQuery.properties,
  market: Type.Optional(MarketParameter),
  reserve: Type.Optional(
    Type.Union([AddressString, ReserveList], {
      description: `Addresses of reserves: repeat the parameter, at most ${MAX_RESERVES}`,
    }),
  ),
});

const ReserveStatsByAddress = Type.Unsafe<Record<string, Static<typeof ReserveStats>>>({
  title: 'ReserveStatsByAddress',
  type: 'object',
  additionalProperties: ReserveStats,
});

export const listReserveStats: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const stats = statsReader(context);

  app.get(
    '/reserves/batch/stats',
    {
      ...defineOperation(
        {
          operationId: 'listReserveStats',
          tag: 'lending',
          summary: 'Stats of several reserves',
          description: `An object by address of the reserve: the reserves of a market, or those that are listed, at most ${MAX_RESERVES}. x-omitted names reserves that are unknown or unavailable. ${STATS_DESCRIPTION}`,
          weight: 50,
          computedFrom: MARKET_DEPENDENCIES,
          statuses: [400, 500],
          maxQueryLength: MAX_QUERY_LENGTH,
        },
        { querystring: BatchQuery, response: ReserveStatsByAddress },
      ),
      validatorCompiler: () => validateBatch,
    },
    async ({ query: { env, market, reserve } }, reply) => {
      const cluster = clusters.requireLoaded(env);
      const { reader } = cluster;
      if ((market === undefined) === (reserve === undefined)) throw oneIsRequired();
      if (reserve !== undefined) {
        return stats.several(cluster, [...new Set([reserve].flat().map(toAddress))], reply);
      }
      const address = toAddress(market ?? '');
      requireReadable(reader, address);
      const reserves = [
        ...reader.reservesOf(address),
        ...unreadableAccounts(reader, 'reserve', address),
      ];
      return stats.several(
        cluster,
        reserves.map((each) => each.address),
        reply,
      );
    },
  );
};

/** One address is a list of one. */
const validateBatch = createStringValidator(
  Type.Object({ ...BatchQuery.properties, reserve: Type.Optional(ReserveList) }),
  'INVALID_QUERY',
);

const oneIsRequired = () =>
  invalidQuery([
    { path: [], code: 'required', message: 'Either market or reserve is required, not both' },
  ]);
