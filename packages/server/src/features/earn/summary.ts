import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Address, CodedError, type Ratio, sumRatios } from '@tidegate/core/base';
import { addEarningsSinceSample } from '@tidegate/core/views/series';
import { snapshotVault, viewVaultMetrics } from '@tidegate/core/views/vaults';
import { Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { VaultHistorySummary } from '../../clusters/vault-history-cache.ts';
import { defineOperation } from '../../http/operation.ts';
import { formatLiveRatio } from '../decimal-format/live-decimals.ts';
import type { FeatureContext } from '../feature-context.ts';
import type { VaultPricingCache } from '../pricing/vault-pricing-cache.ts';
import { EarnSummary } from '../vaults/metrics-history/schema.ts';

const RETRY_SECONDS = 5;

const TYPES = ['default', 'private-credit'] as const;

const SummaryQuery = Type.Object({
  type: Type.Optional(
    Type.Unsafe<(typeof TYPES)[number]>({ type: 'string', enum: [...TYPES], default: 'default' }),
  ),
});

/** In USD and SOL. */
type Worth = { readonly usd: Ratio; readonly sol: Ratio };

export const getEarnSummary =
  (
    { clusters }: Pick<FeatureContext, 'clusters'>,
    termsOf: VaultPricingCache,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/kvaults/summary',
      defineOperation(
        {
          operationId: 'getEarnSummary',
          tag: 'earn',
          summary: 'What all vaults have earned',
          description:
            'Since they were made: interest before fees, rewards of the vaults’ farms, rewards of their reserves’ farms, and the sum of the three, each interval at its own prices. Private-credit vaults are those that the registry names, default ones all others.',
          weight: 5,
          statuses: [500],
          keptWhile: () => clusters.version(),
        },
        { querystring: SummaryQuery, answer: EarnSummary },
      ),
      async ({ query: { type = 'default' } }) => {
        const cluster = clusters.select(undefined);
        const { privateCreditVaults } = cluster.registry;
        const pasts = [...pastsOf(cluster)].filter(
          ([vault]) => privateCreditVaults.has(vault) === (type === 'private-credit'),
        );
        const interest = sumWorth(pasts.map((each) => interestOf(each, cluster, termsOf)));
        const rewards = sumWorth(
          pasts.map(([, { newest }]) => ({
            usd: newest.farmRewardsUsd,
            sol: newest.farmRewardsSol,
          })),
        );
        const reserveRewards = sumWorth(
          pasts.map(([, { newest }]) => ({
            usd: newest.reserveRewardsUsd,
            sol: newest.reserveRewardsSol,
          })),
        );
        return {
          earnings: {
            interest: worthJson(interest),
            rewards: worthJson(rewards),
            reserveRewards: worthJson(reserveRewards),
            total: worthJson(sumWorth([interest, rewards, reserveRewards])),
          },
        };
      },
    );
  };

function pastsOf({ env, vaultPasts }: Cluster): ReadonlyMap<Address, VaultHistorySummary> {
  if (vaultPasts !== undefined && vaultPasts.version() > 0) return vaultPasts.all();
  throw new CodedError('HISTORY_NOT_KEPT', { env, retryAfterSeconds: RETRY_SECONDS });
}

/** As the vault's own metrics have it; as it was kept last where nothing right can be said of the vault now. */
function interestOf(
  [address, { newest }]: readonly [Address, VaultHistorySummary],
  cluster: Cluster,
  termsOf: VaultPricingCache,
): Worth {
  const terms = termsOf(cluster);
  const vault = cluster.reader.vault(address);
  const now = vault && snapshotVault(vault, terms);
  if (now === undefined) return { usd: newest.interestUsd, sol: newest.interestSol };
  return addEarningsSinceSample(newest, now, viewVaultMetrics(now, terms)).interestEarned;
}

const sumWorth = (parts: readonly Worth[]): Worth => ({
  usd: sumRatios(parts.map(({ usd }) => usd)),
  sol: sumRatios(parts.map(({ sol }) => sol)),
});

const worthJson = ({ usd, sol }: Worth) => ({
  usd: formatLiveRatio(usd),
  sol: formatLiveRatio(sol),
});
