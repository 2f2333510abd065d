import {
  type Address,
  mulRatio,
  type Ratio,
  ratioOfSf,
  ZERO_RATIO,
  ZERO_SF,
} from '@tidegate/core/base';
import { viewVaultPosition } from '@tidegate/core/views/portfolio';
import {
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
import { snapshotVault, type VaultViewContext } from '@tidegate/core/views/vaults';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { requireHistory } from '../history-query/history-query.ts';
import type { VaultPricingCache } from '../pricing/vault-pricing-cache.ts';
import type { EligibleLendingReward, SeasonEligibilityCache } from './season-eligibility-cache.ts';
import { readLoanHours, readShareHours, type SeasonHoursQuery } from './season-hours.ts';

/** A line of a season as one wallet has it. */
export type WalletRewardEntry<Line extends SeasonRewardGroup = SeasonRewardGroup> = {
  readonly line: Line;
  readonly reward: WalletReward;
  readonly earned: SeasonEarnings;
};

export type WalletSeasonQuery = {
  readonly cluster: Cluster;
  readonly season: Season;
  readonly wallet: Address;
  readonly termsOf: VaultPricingCache;
  readonly tableOf: SeasonEligibilityCache;
};

/** What a wallet's loans have a part of, or had one. */
export async function readWalletLendingRewards(
  ask: WalletSeasonQuery,
): Promise<WalletRewardEntry<EligibleLendingReward>[]> {
  const { cluster, season, wallet, tableOf, termsOf } = ask;
  const { lines } = tableOf(cluster, season);
  const hours = await readLoanHours(hoursAsk(ask), lines);
  const terms = termsOf(cluster);
  const loans = cluster.reader.obligationsOf(wallet);
  return lines.flatMap((line, place) => {
    const { usd } = sumEligibleLoansUsd(
      loans,
      [line.sides],
      reserveSnapshotsOfTargets([line.sides], terms),
    );
    const walletUsd = ratioOfSf(usd[0] ?? ZERO_SF);
    const { eligibleUsd } = line;
    const found = { terms, walletUsd, eligibleUsd, hours: hours[place] ?? [] };
    return lineOfWallet(ask, line, found);
  });
}

/** What a wallet's shares have a part of, or had one. Vaults that cannot be counted are left out. */
export async function readWalletVaultRewards(ask: WalletSeasonQuery): Promise<WalletRewardEntry[]> {
  const { cluster, season, wallet, termsOf } = ask;
  const lines: WalletRewardEntry[] = [];
  for (const line of groupSeasonRewards(season)) {
    const { vault } = line.sides;
    if (vault === undefined) continue;
    const hours = await readShareHours(hoursAsk(ask), vault);
    const terms = termsOf(cluster);
    const held = cluster.reader.vault(vault);
    const now = held && snapshotVault(held, terms);
    if (now === undefined) continue;
    const { total } = viewVaultPosition(now, wallet, cluster.reader);
    const sharePrice = mulRatio(now.tokensPerShare, now.tokenPrice ?? ZERO_RATIO);
    const walletUsd = mulRatio(total, sharePrice);
    const eligibleUsd = vaultSharesUsd(now);
    lines.push(...lineOfWallet(ask, line, { terms, walletUsd, eligibleUsd, hours }));
  }
  return lines;
}

function hoursAsk({ cluster, season, wallet }: WalletSeasonQuery): SeasonHoursQuery {
  const { unix: now } = cluster.reader.at();
  return { history: requireHistory(cluster), season, wallet, now };
}

type Found = {
  readonly terms: VaultViewContext;
  readonly walletUsd: Ratio;
  readonly eligibleUsd: Ratio;
  readonly hours: readonly SeasonHourlySample[];
};

/** None for a line that the wallet has nothing to do with. */
function lineOfWallet<Line extends SeasonRewardGroup>(
  { season, wallet }: WalletSeasonQuery,
  line: Line,
  { terms, walletUsd, eligibleUsd, hours }: Found,
): WalletRewardEntry<Line>[] {
  const { rewards } = line;
  const earned = sumSeasonEarnings(hours, { season, rewards, wallet, until: terms.at.unix });
  if (walletUsd.numerator === 0n && earned.base === 0n) return [];
  const rates = seasonRateInput({ season, rewardToken: line.rewardToken }, terms, eligibleUsd);
  const reward = viewWalletReward(rewards, rates, { wallet, walletUsd, earned });
  return [{ line, reward, earned }];
}
