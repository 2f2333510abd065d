import { toAddress } from '@tidegate/core/base';
import { viewVaultPnlBreakdown } from '@tidegate/core/views/vaults';
import { Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { setSampleGapsHeader } from '../../../support/history/history-gaps.ts';
import { parseQueryRange, requireHistory } from '../../../support/history/history-query.ts';
import { EndString, OptionalStartString } from '../../../support/history/time-range-schema.ts';
import { setStalePricesHeader } from '../../../support/pricing/data-notes.ts';
import { VAULT_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { vaultPricingCache } from '../../../support/pricing/vault-pricing-cache.ts';
import { VaultParameter, WalletParameter } from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { userVaultPnlHistoryJson, userVaultPnlJson, vaultPnlBreakdownJson } from './json.ts';
import { readUserVaultPnl } from './query.ts';
import { VaultPnl, VaultPnlBreakdown, VaultPnlHistory } from './schema.ts';

const PNL_DESCRIPTION =
  'Average cost, in USD, SOL and the vault token. Shares received by transfer count as bought, shares sent or burned as sold, at their value at that time. Staking is not a trade.';

const params = Type.Object({ userPubkey: WalletParameter, vaultPubkey: VaultParameter });

export const getUserVaultPnl: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const pricingOf = vaultPricingCache(context);

  app.get(
    '/kvaults/users/:userPubkey/vaults/:vaultPubkey/pnl',
    defineOperation(
      {
        operationId: 'getUserVaultPnl',
        tag: 'earn-users',
        summary: 'Profit and loss of a wallet in a vault',
        description: `Up to now. ${PNL_DESCRIPTION}`,
        weight: 10,
        readsEvents: true,
        computedFrom: VAULT_DEPENDENCIES,
        statuses: [400, 500],
      },
      { params, response: VaultPnl },
    ),
    async ({ params: { userPubkey, vaultPubkey } }, reply) => {
      const cluster = clusters.requireLoaded(undefined);
      const source = { cluster, history: requireHistory(cluster), pricingOf };
      const wallet = toAddress(userPubkey);
      const vault = toAddress(vaultPubkey);
      const query = { wallet, vault, end: undefined };
      const { pnl, priceAges } = await readUserVaultPnl(source, query);
      setStalePricesHeader(reply, priceAges);
      return userVaultPnlJson(pnl);
    },
  );
};

export const getUserVaultPnlBreakdown: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const pricingOf = vaultPricingCache(context);

  app.get(
    '/kvaults/users/:userPubkey/vaults/:vaultPubkey/pnl/breakdown',
    defineOperation(
      {
        operationId: 'getUserVaultPnlBreakdown',
        tag: 'earn-users',
        summary: 'What the profit of a wallet in a vault is made of',
        description: `The profit in USD up to now, as the yield of the shares and the effect of the price of the token. The parts add up exactly. Rewards are not part of it. ${PNL_DESCRIPTION}`,
        weight: 10,
        readsEvents: true,
        computedFrom: VAULT_DEPENDENCIES,
        statuses: [400, 500],
      },
      { params, response: VaultPnlBreakdown },
    ),
    async ({ params: { userPubkey, vaultPubkey } }, reply) => {
      const cluster = clusters.requireLoaded(undefined);
      const source = { cluster, history: requireHistory(cluster), pricingOf };
      const wallet = toAddress(userPubkey);
      const vault = toAddress(vaultPubkey);
      const { pnl, priceAges } = await readUserVaultPnl(source, { wallet, vault, end: undefined });
      setStalePricesHeader(reply, priceAges);
      return vaultPnlBreakdownJson(viewVaultPnlBreakdown(pnl));
    },
  );
};

export const getUserVaultPnlHistory: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const pricingOf = vaultPricingCache(context);

  app.get(
    '/kvaults/users/:userPubkey/vaults/:vaultPubkey/pnl/history',
    defineOperation(
      {
        operationId: 'getUserVaultPnlHistory',
        tag: 'earn-users',
        summary: 'Profit and loss history of a wallet in a vault',
        description: `One entry per purchase and sale, oldest first, and a last entry that values the position at the end. The range limits the entries; the totals cover everything before its end. ${PNL_DESCRIPTION}`,
        weight: 10,
        readsEvents: true,
        computedFrom: VAULT_DEPENDENCIES,
        statuses: [400, 500],
      },
      {
        params,
        querystring: Type.Object({
          start: Type.Optional(OptionalStartString),
          end: Type.Optional(EndString),
        }),
        response: VaultPnlHistory,
      },
    ),
    async ({ params: { userPubkey, vaultPubkey }, query }, reply) => {
      const cluster = clusters.requireLoaded(undefined);
      const history = requireHistory(cluster);
      const now = cluster.reader.at().unix;
      const range = parseQueryRange(query, { now });
      await setSampleGapsHeader(reply, history, range);
      const { pnl, priceAges } = await readUserVaultPnl(
        { cluster, history, pricingOf },
        {
          wallet: toAddress(userPubkey),
          vault: toAddress(vaultPubkey),
          end: query.end === undefined || range.end >= now ? undefined : range.end,
        },
      );
      setStalePricesHeader(reply, priceAges);
      return userVaultPnlHistoryJson(pnl, range);
    },
  );
};
