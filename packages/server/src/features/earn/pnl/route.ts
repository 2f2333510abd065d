import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import type { FeatureContext } from '../../feature-context.ts';
import {
  parseQueryRange,
  requireHistory,
  setSampleGapsHeader,
} from '../../history-query/history-query.ts';
import { EndString, OptionalStartString } from '../../history-query/time-range-schema.ts';
import type { VaultPricingCache } from '../../pricing/vault-pricing-cache.ts';
import { VaultPnl, VaultPnlHistory } from '../metrics-history/schema.ts';
import { readUserVaultPnl, userVaultPnlHistoryJson, userVaultPnlJson } from './query.ts';

const RULES =
  'At average cost, in USD, SOL and the vault’s token. Shares that somebody sent count as bought, shares sent away or burned as sold, at what they were worth; staking is neither.';

const params = Type.Object({ userPubkey: AddressString, vaultPubkey: AddressString });

export const userVaultPnlRoutes =
  (
    { clusters }: Pick<FeatureContext, 'clusters'>,
    termsOf: VaultPricingCache,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { tag: 'earn-users', statuses: [400, 500], weight: 10 } as const;

    app.get(
      '/kvaults/users/:userPubkey/vaults/:vaultPubkey/pnl',
      defineOperation(
        {
          ...facts,
          operationId: 'getUserVaultPnl',
          summary: 'What a wallet gained or lost with a vault',
          description: `Up to now. ${RULES}`,
        },
        { params, answer: VaultPnl },
      ),
      async ({ params: { userPubkey, vaultPubkey } }) => {
        const cluster = clusters.select(undefined);
        const source = { cluster, history: requireHistory(cluster), termsOf };
        const asked = { wallet: toAddress(userPubkey), vault: toAddress(vaultPubkey) };
        return userVaultPnlJson(await readUserVaultPnl(source, { ...asked, end: undefined }));
      },
    );

    app.get(
      '/kvaults/users/:userPubkey/vaults/:vaultPubkey/pnl/history',
      defineOperation(
        {
          ...facts,
          operationId: 'getUserVaultPnlHistory',
          summary: 'The same after each purchase and sale',
          description: `Ascending, with a last entry for what is held at the end. The range limits the entries; sums go by everything before its end. ${RULES}`,
        },
        {
          params,
          querystring: Type.Object({
            start: Type.Optional(OptionalStartString),
            end: Type.Optional(EndString),
          }),
          answer: VaultPnlHistory,
        },
      ),
      async ({ params: { userPubkey, vaultPubkey }, query }, reply) => {
        const cluster = clusters.select(undefined);
        const history = requireHistory(cluster);
        const now = cluster.reader.at().unix;
        const range = parseQueryRange(query, { now });
        await setSampleGapsHeader(reply, history, range);
        const pnl = await readUserVaultPnl(
          { cluster, history, termsOf },
          {
            wallet: toAddress(userPubkey),
            vault: toAddress(vaultPubkey),
            end: query.end === undefined || range.end >= now ? undefined : range.end,
          },
        );
        return userVaultPnlHistoryJson(pnl, range);
      },
    );
  };
