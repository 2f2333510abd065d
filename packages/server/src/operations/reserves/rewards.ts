import { toAddress } from '@tidegate/core/base';
import { type ReserveRewards, viewReserveRewards } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, ClusterNameString, DecimalString } from '../../http/schemas/primitives.ts';
import { formatLiveRatio } from '../../support/decimals/live-decimals.ts';
import {
  requireReadable,
  setOmittedHeader,
  unavailableReserves,
} from '../../support/pricing/data-notes.ts';
import { MARKET_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { marketCache } from '../../support/pricing/market-cache.ts';
import { MarketParameter } from '../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { InterestRateBasisString } from './interest-rate-basis.ts';

const ReserveRewardsItem = Type.Object(
  {
    reserve: describe(AddressString, 'Address of the reserve'),
    liquidityToken: Type.String({ description: 'Symbol of the token' }),
    liquidityTokenMint: describe(AddressString, 'Mint of the token'),
    rewardsApy: describe(
      DecimalString,
      'Yearly rate of the rewards on deposits, as a fraction, on top of supplyApy. 0 if nothing is left or the market has rewards disabled',
    ),
    maxApr: describe(
      DecimalString,
      'Maximum simple yearly rate that the market allows, as a fraction',
    ),
    interestRateBasis: InterestRateBasisString,
    rewardsPerSlot: describe(
      Type.Union([DecimalString, Type.Null()]),
      'Whole tokens per slot, before the maximum; null if the reserve counts seconds',
    ),
    rewardsPerSecond: describe(
      Type.Union([DecimalString, Type.Null()]),
      'Whole tokens per second, before the maximum; null if the reserve counts slots',
    ),
    rewardsRemaining: describe(DecimalString, 'Whole tokens that are not distributed yet'),
  },
  { title: 'ReserveRewards' },
);

export const listReserveRewards: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const marketOf = marketCache(context);

  app.get(
    '/svc-market/:pubkey/reserves/rewards',
    defineOperation(
      {
        operationId: 'listReserveRewards',
        tag: 'lending',
        summary: 'Rewards that the reserves of a market pay themselves',
        description:
          'Reserves that distribute rewards in their own token. Each refresh adds a part of the rewards to the deposits, so that a cToken is worth more; nothing is claimed. Rewards of farms are not part of it. By address of the reserve.',
        weight: 1,
        statuses: [500],
        dependsOn: MARKET_DEPENDENCIES,
      },
      {
        params: Type.Object({ pubkey: MarketParameter }),
        querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
        response: Type.Array(ReserveRewardsItem),
      },
    ),
    async ({ params, query }, reply) => {
      const { reader } = clusters.requireLoaded(query.env);
      const address = toAddress(params.pubkey);
      requireReadable(reader, address);
      const market = marketOf(reader, address);
      if (market === undefined) return [];
      setOmittedHeader(reply, unavailableReserves(market));
      return [...market.reserves.values()]
        .flatMap((reserve) => viewReserveRewards(reserve, market.slotMs) ?? [])
        .sort((a, b) => (a.address < b.address ? -1 : 1))
        .map(reserveRewardsJson);
    },
  );
};

const reserveRewardsJson = (rewards: ReserveRewards): Static<typeof ReserveRewardsItem> => ({
  reserve: rewards.address,
  liquidityToken: rewards.symbol,
  liquidityTokenMint: rewards.mint,
  rewardsApy: formatLiveRatio(rewards.apy),
  maxApr: formatLiveRatio(rewards.maxApr),
  interestRateBasis: rewards.basis,
  rewardsPerSlot: rewards.basis === 'legacy' ? formatLiveRatio(rewards.perAccrualUnit) : null,
  rewardsPerSecond: rewards.basis === 'trueApr' ? formatLiveRatio(rewards.perAccrualUnit) : null,
  rewardsRemaining: formatLiveRatio(rewards.remaining),
});
