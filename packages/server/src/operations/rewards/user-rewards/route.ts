import { Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { LOAN_DEPENDENCIES, VAULT_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { WalletParameter } from '../../../support/schemas/address-parameters.ts';
import { SeasonQuery } from '../../../support/schemas/season-query.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import {
  createWalletSeasonQuery,
  readWalletLendingRewards,
  readWalletVaultRewards,
  setSeasonGapsHeader,
  setSeasonPricesHeader,
} from '../wallet-season-rewards.ts';
import { userLendingRewardsJson, userVaultRewardsJson } from './json.ts';
import { UserLendingRewards, UserVaultReward } from './schema.ts';

const REWARDS_DESCRIPTION =
  'Positions are sampled at the end of each hour and earn their part of the reward until the next sample. tokensEarned is the total of the season up to now, without the boost. USD values use the current price. x-gaps lists times without samples.';

const requestSchemas = {
  params: Type.Object({ pubkey: WalletParameter }),
  querystring: SeasonQuery,
};

export const getUserLendingRewards: OperationPlugin = (context) => async (app) => {
  app.get(
    '/klend/users/:pubkey/rewards',
    defineOperation(
      {
        operationId: 'getUserLendingRewards',
        tag: 'lending-users',
        summary: 'Season rewards of a wallet for its loans',
        description: `Rewards that its loans earn or earned. ${REWARDS_DESCRIPTION}`,
        weight: 150,
        computedFrom: [...LOAN_DEPENDENCIES, 'farm', 'farmUser'],
        statuses: [400, 500],
      },
      { ...requestSchemas, response: UserLendingRewards },
    ),
    async ({ params, query }, reply) => {
      const seasonQuery = await createWalletSeasonQuery(context, { ...params, ...query });
      const entries = seasonQuery === undefined ? [] : await readWalletLendingRewards(seasonQuery);
      await setSeasonGapsHeader(reply, seasonQuery);
      setSeasonPricesHeader(reply, seasonQuery);
      const now = context.clusters.requireLoaded(undefined).reader.at().unix;
      return userLendingRewardsJson(entries, now);
    },
  );
};

export const listUserVaultRewards: OperationPlugin = (context) => async (app) => {
  app.get(
    '/kvaults/users/:pubkey/rewards',
    defineOperation(
      {
        operationId: 'listUserVaultRewards',
        tag: 'season',
        summary: 'Season rewards of a wallet for its vault shares',
        description: `One entry per token, over all vaults; the avg fields cover all tokens. ${REWARDS_DESCRIPTION}`,
        weight: 10,
        computedFrom: [...VAULT_DEPENDENCIES, 'farmUser'],
        statuses: [400, 500],
      },
      { ...requestSchemas, response: Type.Array(UserVaultReward) },
    ),
    async ({ params, query }, reply) => {
      const seasonQuery = await createWalletSeasonQuery(context, { ...params, ...query });
      const entries = seasonQuery === undefined ? [] : await readWalletVaultRewards(seasonQuery);
      await setSeasonGapsHeader(reply, seasonQuery);
      setSeasonPricesHeader(reply, seasonQuery);
      const now = context.clusters.requireLoaded(undefined).reader.at().unix;
      return userVaultRewardsJson(entries, now);
    },
  );
};
