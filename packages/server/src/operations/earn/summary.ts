import { type Address, type Ratio, sumRatios, toUnixSeconds } from '@tidegate/core/base';
import { type Omission, requireUnavailable } from '@tidegate/core/views/lending';
import { addEarningsSinceSample } from '@tidegate/core/views/series';
import {
  accrueVault,
  trackPrices,
  type VaultViewContext,
  viewVaultMetrics,
} from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { VaultHistorySummary } from '../../clusters/vault-history-cache.ts';
import { hasCode } from '../../errors.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { formatLiveRatio } from '../../support/decimals/live-decimals.ts';
import { missingSamples } from '../../support/history/complete-history.ts';
import { missingHistory } from '../../support/history/history-query.ts';
import { setPriceHeaders } from '../../support/pricing/data-notes.ts';
import { VAULT_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import {
  requireVaultSnapshot,
  vaultPricingCache,
} from '../../support/pricing/vault-pricing-cache.ts';
import { UsdSolAmount } from '../../support/schemas/usd-sol-amount.ts';
import type { OperationPlugin } from '../operation-context.ts';

const VAULT_TYPES = ['default', 'private-credit'] as const;

const SummaryQuery = Type.Object({
  type: describe(
    Type.Optional(
      Type.Unsafe<(typeof VAULT_TYPES)[number]>({
        type: 'string',
        enum: [...VAULT_TYPES],
        default: 'default',
      }),
    ),
    'Kind of vaults to add up',
  ),
});

const EarnSummary = Type.Object(
  {
    earnings: describe(
      Type.Object({
        interest: describe(UsdSolAmount, 'Interest before fees'),
        rewards: describe(UsdSolAmount, 'Rewards of the farms of vaults'),
        reserveRewards: describe(UsdSolAmount, 'Rewards of the farms of reserves'),
        total: describe(UsdSolAmount, 'Sum of interest and both kinds of rewards'),
      }),
      'Earnings of all vaults of the type since their creation, at historical prices',
    ),
  },
  { title: 'EarnSummary' },
);

export const getEarnSummary: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const pricingOf = vaultPricingCache(context);

  app.get(
    '/kvaults/summary',
    defineOperation(
      {
        operationId: 'getEarnSummary',
        tag: 'earn',
        summary: 'Earnings of all vaults',
        description:
          'Totals since the vaults were created: interest before fees, rewards of vault farms, rewards of reserve farms, and the sum of the three. Each interval is valued at its own prices. Private-credit vaults are listed in the registry; all other vaults are default vaults.',
        weight: 5,
        statuses: [500],
        dependsOn: [...VAULT_DEPENDENCIES, 'vaultHistory'],
      },
      { querystring: SummaryQuery, response: EarnSummary },
    ),
    async ({ query: { type = 'default' } }, reply) => {
      const cluster = clusters.requireLoaded(undefined);
      requireAllEarnings(cluster);
      const { privateCreditVaults } = cluster.registry;
      const histories = [...requireVaultHistories(cluster)].filter(
        ([vault]) => privateCreditVaults.has(vault) === (type === 'private-credit'),
      );
      const pricing = trackPrices(pricingOf(cluster));
      const omitted: Omission[] = [];
      const interest = histories.map((history) => {
        const found = interestOf(history, cluster, pricing);
        if ('omitted' in found) omitted.push(found.omitted);
        return found;
      });
      setPriceHeaders(reply, pricing, omitted);
      return summaryJson(histories, sumAmounts(interest));
    },
  );
};

/** Throws HISTORY_INCOMPLETE if a vault earned before it was sampled: its rewards of that time are unknown. */
function requireAllEarnings({ reader, recording }: Cluster): void {
  const since = recording?.vaultHistoryCache.sampledSince() ?? toUnixSeconds(0n);
  const older = reader.vaults().find(({ fields }) => fields.creationTimestamp < since);
  if (older !== undefined) throw missingSamples(`the vault ${older.address}`, since);
}

type VaultHistory = readonly [vault: Address, summary: VaultHistorySummary];

function requireVaultHistories(cluster: Cluster): Iterable<VaultHistory> {
  const cache = cluster.recording?.vaultHistoryCache;
  if (cache === undefined || cache.version() === 0) throw missingHistory(cluster);
  return cache.all();
}

type UsdAndSol = { readonly usd: Ratio; readonly sol: Ratio };

function summaryJson(
  histories: readonly VaultHistory[],
  interest: UsdAndSol,
): Static<typeof EarnSummary> {
  const rewards = sumAmounts(
    histories.map(([, { newest }]) => ({
      usd: newest.farmRewardsUsd,
      sol: newest.farmRewardsSol,
    })),
  );
  const reserveRewards = sumAmounts(
    histories.map(([, { newest }]) => ({
      usd: newest.reserveRewardsUsd,
      sol: newest.reserveRewardsSol,
    })),
  );
  return {
    earnings: {
      interest: amountJson(interest),
      rewards: amountJson(rewards),
      reserveRewards: amountJson(reserveRewards),
      total: amountJson(sumAmounts([interest, rewards, reserveRewards])),
    },
  };
}

/** Up to now, as in the metrics of the vault; up to the newest sample if the vault is unavailable. */
function interestOf(
  [address, { newest }]: VaultHistory,
  cluster: Cluster,
  pricing: VaultViewContext,
): UsdAndSol | (UsdAndSol & { readonly omitted: Omission }) {
  try {
    const vault = requireVaultSnapshot(cluster, pricing, address);
    const metrics = viewVaultMetrics(vault, pricing);
    const accrued = accrueVault(vault, pricing.at.unix);
    const tokenDecimals = vault.fields.tokenMintDecimals;
    return addEarningsSinceSample(newest, { accrued, tokenDecimals }, metrics).interestEarned;
  } catch (error) {
    const sampled = { usd: newest.interestUsd, sol: newest.interestSol };
    if (hasCode(error, 'NOT_FOUND')) return sampled;
    const { message } = requireUnavailable(error);
    const reason = `Its interest since the last sample is not included. ${message}`;
    return { ...sampled, omitted: { address, reason } };
  }
}

const sumAmounts = (amounts: readonly UsdAndSol[]): UsdAndSol => ({
  usd: sumRatios(amounts.map(({ usd }) => usd)),
  sol: sumRatios(amounts.map(({ sol }) => sol)),
});

const amountJson = ({ usd, sol }: UsdAndSol): Static<typeof UsdSolAmount> => ({
  usd: formatLiveRatio(usd),
  sol: formatLiveRatio(sol),
});
