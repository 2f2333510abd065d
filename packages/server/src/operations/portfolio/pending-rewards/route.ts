import { toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { setOmittedHeader, unreadableAccounts } from '../../../support/pricing/data-notes.ts';
import { VAULT_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { WalletParameter } from '../../../support/schemas/address-parameters.ts';
import { ProgramIdString, parseProgramId } from '../../../support/schemas/program-id.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { pendingRewardsJson } from './json.ts';
import { PortfolioPendingRewards } from './schema.ts';

const DEFAULT_REWARD_TYPES = '0,1';

const Query = Type.Object({
  programId: Type.Optional(ProgramIdString),
  rewardTypes: Type.Optional(
    Type.String({
      pattern: '^\\d+(,\\d+)*$',
      description: '0: shared by all stakes, 1: paid per stake; defaults to both',
    }),
  ),
});

export const getPortfolioPendingRewards: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/portfolio/:pubkey/rewards',
      defineOperation(
        {
          operationId: 'getPortfolioPendingRewards',
          tag: 'portfolio',
          summary: 'Claimable farm rewards of a wallet',
          description:
            'For each open stake, the amount that a claim in the slot of the response would pay, after the treasury fee. partialErrors lists the farms whose rewards cannot be computed.',
          weight: 5,
          statuses: [400, 500],
          dependsOn: [...VAULT_DEPENDENCIES, 'obligation', 'farmUser', 'farmsConfig'],
        },
        {
          params: Type.Object({ pubkey: WalletParameter }),
          querystring: Query,
          response: PortfolioPendingRewards,
        },
      ),
      async ({ params, query: { programId: programIdText, rewardTypes } }, reply) => {
        const programId = parseProgramId(programIdText);
        const cluster = clusters.requireLoaded(undefined);
        const owner = toAddress(params.pubkey);
        await cluster.loadWallet(owner);
        const types = new Set((rewardTypes ?? DEFAULT_REWARD_TYPES).split(',').map(Number));
        setOmittedHeader(reply, [
          ...unreadableAccounts(cluster.reader, 'farmUser', owner),
          ...unreadableAccounts(cluster.reader, 'farm'),
        ]);
        return pendingRewardsJson(cluster.reader, { owner, programId, types });
      },
    );
  };
