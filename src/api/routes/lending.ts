import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiContext } from '../context.ts';
import { createMarketsNow } from '../markets-now.ts';
import { leverageRoutes } from './leverage.ts';
import { marketRoutes } from './markets.ts';
import { obligationRoutes } from './obligations.ts';
import { reserveRoutes } from './reserves.ts';

/** Markets, their reserves and the loans in them, as they are now. */
export const lendingRoutes =
  (context: ApiContext): FastifyPluginAsyncTypebox =>
  async (app) => {
    const marketOf = createMarketsNow();
    app.register(marketRoutes(context));
    app.register(reserveRoutes(context, marketOf));
    app.register(leverageRoutes(context, marketOf));
    app.register(obligationRoutes(context, marketOf));
  };
