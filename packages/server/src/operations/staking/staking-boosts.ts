import { toAddress } from '@tidegate/core/base';
import { boostAt, findSeason } from '@tidegate/core/views/rewards';
import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString } from '../../http/schemas/primitives.ts';
import { formatLiveRatio } from '../../support/decimals/live-decimals.ts';
import { WalletParameter } from '../../support/schemas/address-parameters.ts';
import { SeasonQuery } from '../../support/schemas/season-query.ts';
import type { OperationPlugin } from '../operation-context.ts';

const StakingBoost = Type.Object(
  {
    boost: describe(
      DecimalString,
      'Additional reward, as a fraction, before the cap of the season',
    ),
    name: Type.String({ description: 'Season of the boost' }),
    farm: describe(Type.Optional(AddressString), 'Farm with the stake; absent if unknown'),
  },
  { title: 'StakingBoost' },
);

export const listStakingBoosts: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/users/:pubkey/staking-boosts',
      defineOperation(
        {
          operationId: 'listStakingBoosts',
          tag: 'season',
          summary: 'Staking boosts of a wallet',
          description:
            'Current boost of season rewards by staking, before the cap of the season. name is the source of the season.',
          weight: 1,
          statuses: [400, 500],
          dependsOn: ['slot'],
        },
        {
          params: Type.Object({ pubkey: WalletParameter }),
          querystring: SeasonQuery,
          response: Type.Array(StakingBoost),
        },
      ),
      async ({ params, query }) => {
        const cluster = clusters.requireLoaded(undefined);
        const season = findSeason(cluster.registry.seasons, query.source);
        if (season === undefined) return [];
        const { unix } = cluster.reader.at();
        const { stakingBoost } = boostAt(season, toAddress(params.pubkey), unix);
        if (stakingBoost.numerator === 0n) return [];
        return [{ boost: formatLiveRatio(stakingBoost), name: season.source }];
      },
    );
  };
