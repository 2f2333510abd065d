import {
  type Address,
  mulRatio,
  type Ratio,
  ratioOfSf,
  toAddress,
  ZERO_RATIO,
  ZERO_SF,
} from '@tidegate/core/base';
import { viewVaultPosition } from '@tidegate/core/views/portfolio';
import {
  findSeason,
  groupSeasonRewards,
  reserveSnapshotsOfTargets,
  type Season,
  type SeasonEarnings,
  type SeasonHourlySample,
  type SeasonRewardGroup,
  seasonRateInput,
  sumEligibleLoansUsd,
  sumSeasonEarnings,
  vaultSharesUsd,
  viewWalletReward,
  type WalletReward,
} from '@tidegate/core/views/rewards';
import {
  computePricedVault,
  type TrackedContext,
  trackPrices,
  type VaultViewContext,
} from '@tidegate/core/views/vaults';
import type { FastifyReply } from 'fastify';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { requireSamplesSince } from '../../support/history/complete-history.ts';
import { setSampleGapsHeader } from '../../support/history/history-gaps.ts';
import { requireHistory } from '../../support/history/history-query.ts';
import { requireReadable, setStalePricesHeader } from '../../support/pricing/data-notes.ts';
import {
  type VaultPricingCache,
  vaultPricingCache,
} from '../../support/pricing/vault-pricing-cache.ts';
import type { OperationContext } from '../operation-context.ts';
import {
  type EligibleLendingReward,
  type SeasonEligibilityCache,
  seasonEligibilityCache,
} from './season-eligibility-cache.ts';
import { readLoanHours, readShareHours, type SeasonHoursQuery } from './season-hours.ts';

/** Reward of a season that a wallet earns or earned. */
export type WalletRewardEntry<Group extends SeasonRewardGroup = SeasonRewardGroup> = {
  readonly group: Group;
  readonly reward: WalletReward;
  readonly earned: SeasonEarnings;
};

export type WalletSeasonQuery = {
  readonly cluster: Cluster;
  readonly season: Season;
  readonly wallet: Address;
  readonly pricingOf: VaultPricingCache;
  readonly eligibilityOf: SeasonEligibilityCache;
  /** The contexts that `pricingOf` returned. */
  readonly usedPricing: readonly TrackedContext[];
};

type WalletSeasonParameters = { readonly pubkey: string; readonly source?: string };

/** Also loads the wallet. Undefined for an unknown season. */
export async function createWalletSeasonQuery(
  context: OperationContext,
  { pubkey, source }: WalletSeasonParameters,
): Promise<WalletSeasonQuery | undefined> {
  const cluster = context.clusters.requireLoaded(undefined);
  const season = findSeason(cluster.registry.seasons, source);
  if (season === undefined) return undefined;
  const wallet = toAddress(pubkey);
  await cluster.loadWallet(wallet);
  const pricings = vaultPricingCache(context);
  const usedPricing: TrackedContext[] = [];
  const pricingOf: VaultPricingCache = (priced) => {
    const pricing = trackPrices(pricings(priced));
    usedPricing.push(pricing);
    return pricing;
  };
  const eligibilityOf = seasonEligibilityCache(context);
  return { cluster, season, wallet, pricingOf, eligibilityOf, usedPricing };
}

/** Sets `x-stale-prices`. Call it after the rewards are read. */
export function setSeasonPricesHeader(
  reply: FastifyReply,
  query: WalletSeasonQuery | undefined,
): void {
  if (query === undefined) return;
  const { priceAges } = query.eligibilityOf(query.cluster, query.season);
  const used = query.usedPricing.flatMap((pricing) => pricing.priceAges());
  setStalePricesHeader(reply, [...priceAges, ...used]);
}

/** Throws HISTORY_INCOMPLETE if the season is older than the samples: its totals would miss a part. */
export async function setSeasonGapsHeader(
  reply: FastifyReply,
  query: WalletSeasonQuery | undefined,
): Promise<void> {
  if (query === undefined) return;
  const { cluster, season } = query;
  const range = { start: season.start, end: cluster.reader.at().unix };
  const history = requireHistory(cluster);
  await requireSamplesSince(history, `the season ${season.source}`, season.start);
  await setSampleGapsHeader(reply, history, range);
}

/** Rewards that the wallet's loans earn or earned. */
export async function readWalletLendingRewards(
  query: WalletSeasonQuery,
): Promise<WalletRewardEntry<EligibleLendingReward>[]> {
  const { cluster, season, wallet, eligibilityOf, pricingOf } = query;
  const { lendingRewards } = eligibilityOf(cluster, season);
  const hours = await readLoanHours(toHoursQuery(query), lendingRewards);
  const pricing = pricingOf(cluster);
  const loans = cluster.reader.obligationsOf(wallet);
  return lendingRewards.flatMap((group, i) => {
    const { usd } = sumEligibleLoansUsd(
      loans,
      [group.target],
      reserveSnapshotsOfTargets([group.target], pricing),
    );
    const walletUsd = ratioOfSf(usd[0] ?? ZERO_SF);
    const { eligibleUsd } = group;
    return toEntries(query, group, { pricing, walletUsd, eligibleUsd, hours: hours[i] ?? [] });
  });
}

/** Rewards that the wallet's vault shares earn or earned. Throws if a vault of which it has shares is unavailable. */
export async function readWalletVaultRewards(
  query: WalletSeasonQuery,
): Promise<WalletRewardEntry[]> {
  const { cluster, season, wallet, pricingOf } = query;
  const entries: WalletRewardEntry[] = [];
  for (const group of groupSeasonRewards(season)) {
    const { vault: address } = group.target;
    if (address === undefined) continue;
    const hours = await readShareHours(toHoursQuery(query), address);
    const pricing = pricingOf(cluster);
    requireReadable(cluster.reader, address);
    const vault = cluster.reader.vault(address);
    if (vault === undefined) continue;
    const { total } = viewVaultPosition(vault, wallet, cluster.reader);
    if (total.numerator === 0n && hours.length === 0) continue;
    const snapshot = computePricedVault(vault, pricing);
    const sharePrice = mulRatio(snapshot.tokensPerShare, snapshot.tokenPrice ?? ZERO_RATIO);
    const walletUsd = mulRatio(total, sharePrice);
    const eligibleUsd = vaultSharesUsd(snapshot);
    entries.push(...toEntries(query, group, { pricing, walletUsd, eligibleUsd, hours }));
  }
  return entries;
}

function toHoursQuery({ cluster, season, wallet }: WalletSeasonQuery): SeasonHoursQuery {
  const { unix: now } = cluster.reader.at();
  const { rulesAt } = cluster.reader;
  return { history: requireHistory(cluster), season, wallet, now, rulesAt };
}

type WalletPosition = {
  readonly pricing: VaultViewContext;
  readonly walletUsd: Ratio;
  readonly eligibleUsd: Ratio;
  readonly hours: readonly SeasonHourlySample[];
};

/** Empty if the wallet neither earns nor earned the reward. */
function toEntries<Group extends SeasonRewardGroup>(
  { season, wallet }: WalletSeasonQuery,
  group: Group,
  { pricing, walletUsd, eligibleUsd, hours }: WalletPosition,
): WalletRewardEntry<Group>[] {
  const { rewards, rewardToken } = group;
  const earned = sumSeasonEarnings(hours, { season, rewards, wallet, until: pricing.at.unix });
  if (walletUsd.numerator === 0n && earned.base === 0n) return [];
  const rates = seasonRateInput({ season, rewardToken }, pricing, eligibleUsd);
  const reward = viewWalletReward(rewards, rates, { wallet, walletUsd, earned });
  return [{ group, reward, earned }];
}
