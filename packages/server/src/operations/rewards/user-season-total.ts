import { fixedDecimalToRatio, sumRatios, toAddress, ZERO_ADDRESS } from '@tidegate/core/base';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString } from '../../http/schemas/primitives.ts';
import { formatLiveRatio } from '../../support/decimals/live-decimals.ts';
import { LOAN_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { WalletParameter } from '../../support/schemas/address-parameters.ts';
import { SeasonQuery } from '../../support/schemas/season-query.ts';
import type { OperationPlugin } from '../operation-context.ts';
import {
  createWalletSeasonQuery,
  readWalletLendingRewards,
  readWalletVaultRewards,
  setSeasonGapsHeader,
  type WalletSeasonQuery,
} from './wallet-season-rewards.ts';

const SeasonUserTotal = Type.Object(
  {
    wallet: describe(AddressString, 'Address of the wallet'),
    totalRewards: describe(
      Type.Object({
        amount: describe(DecimalString, 'Reward with boost, in whole tokens'),
        tokenMint: describe(
          AddressString,
          'Mint of the reward token; 11111111111111111111111111111111 without a season',
        ),
      }),
      'Sum of the rewards in the token of the season',
    ),
  },
  { title: 'SeasonUserTotal' },
);

type TotalRewards = Static<typeof SeasonUserTotal>['totalRewards'];

export const getSeasonUserTotal: OperationPlugin = (context) => async (app) => {
  app.get(
    '/season-rewards/users/:pubkey',
    defineOperation(
      {
        operationId: 'getSeasonUserTotal',
        tag: 'season',
        summary: 'Total season rewards of a wallet',
        description:
          'Total for loans and vault shares, with the boost, in the token of the first reward of the season. Rewards in other tokens are not included. Without a season, amount is 0 and tokenMint is 11111111111111111111111111111111.',
        weight: 150,
        computedFrom: [...LOAN_DEPENDENCIES, 'farm', 'farmUser'],
        statuses: [400, 500],
      },
      {
        params: Type.Object({ pubkey: WalletParameter }),
        querystring: SeasonQuery,
        response: SeasonUserTotal,
      },
    ),
    async ({ params, query }, reply) => {
      const seasonQuery = await createWalletSeasonQuery(context, { ...params, ...query });
      await setSeasonGapsHeader(reply, seasonQuery);
      const totalRewards = await readTotalRewards(seasonQuery);
      return { wallet: toAddress(params.pubkey), totalRewards };
    },
  );
};

async function readTotalRewards(query: WalletSeasonQuery | undefined): Promise<TotalRewards> {
  const token = query?.season.rewards[0]?.rewardToken;
  if (query === undefined || token === undefined) return { amount: '0', tokenMint: ZERO_ADDRESS };
  const entries = [
    ...(await readWalletLendingRewards(query)),
    ...(await readWalletVaultRewards(query)),
  ];
  const amounts = entries
    .filter(({ group }) => group.rewardToken === token)
    .map(({ earned }) => fixedDecimalToRatio(earned.boosted));
  return { amount: formatLiveRatio(sumRatios(amounts)), tokenMint: token };
}
