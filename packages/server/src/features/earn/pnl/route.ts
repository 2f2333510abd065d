import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { operation } from '../../../http/operation.ts';
import { AddressText } from '../../../http/schemas/primitives.ts';
import type { ApiContext } from '../../feature-context.ts';
import { askedRange, historyOf, tellGaps } from '../../history-query/history-query.ts';
import { EarlierText, EndText } from '../../history-query/time-range-schema.ts';
import type { VaultTermsOf } from '../../pricing/vault-pricing-cache.ts';
import { VaultPnl, VaultPnlHistory } from '../metrics-history/schema.ts';
import { pnlHistoryJson, pnlJson, readUserVaultPnl } from './query.ts';

const RULES =
  'At average cost, in USD, SOL and the vault’s token. Shares that somebody sent count as bought, shares sent away or burned as sold, at what they were worth; staking is neither.';

const params = Type.Object({ userPubkey: AddressText, vaultPubkey: AddressText });

export const userVaultPnlRoutes =
  ({ clusters }: Pick<ApiContext, 'clusters'>, termsOf: VaultTermsOf): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { tag: 'earn-users', statuses: [400, 500], weight: 10 } as const;

    app.get(
      '/kvaults/users/:userPubkey/vaults/:vaultPubkey/pnl',
      operation(
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
        const source = { cluster, history: historyOf(cluster), termsOf };
        const asked = { wallet: toAddress(userPubkey), vault: toAddress(vaultPubkey) };
        return pnlJson(await readUserVaultPnl(source, { ...asked, end: undefined }));
      },
    );

    app.get(
      '/kvaults/users/:userPubkey/vaults/:vaultPubkey/pnl/history',
      operation(
        {
          ...facts,
          operationId: 'getUserVaultPnlHistory',
          summary: 'The same after each purchase and sale',
          description: `Ascending, with a last entry for what is held at the end. The range limits the entries; sums go by everything before its end. ${RULES}`,
        },
        {
          params,
          querystring: Type.Object({
            start: Type.Optional(EarlierText),
            end: Type.Optional(EndText),
          }),
          answer: VaultPnlHistory,
        },
      ),
      async ({ params: { userPubkey, vaultPubkey }, query }, reply) => {
        const cluster = clusters.select(undefined);
        const history = historyOf(cluster);
        const now = cluster.reader.at().unix;
        const range = askedRange(query, { now });
        await tellGaps(reply, history, range);
        const pnl = await readUserVaultPnl(
          { cluster, history, termsOf },
          {
            wallet: toAddress(userPubkey),
            vault: toAddress(vaultPubkey),
            end: query.end === undefined || range.end >= now ? undefined : range.end,
          },
        );
        return pnlHistoryJson(pnl, range);
      },
    );
  };
