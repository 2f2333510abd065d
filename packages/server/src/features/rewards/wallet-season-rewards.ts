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
  earnedOver,
  namedReservesNow,
  rateTerms,
  type Season,
  type SeasonEarned,
  type SeasonHour,
  type SeasonLine,
  seasonLines,
  usdOfLoans,
  usdOfShares,
  viewWalletReward,
  type WalletReward,
} from '@tidegate/core/views/rewards';
import { type VaultTerms, vaultNow } from '@tidegate/core/views/vaults';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { historyOf } from '../history-query/history-query.ts';
import type { VaultTermsOf } from '../pricing/vault-pricing-cache.ts';
import type { LendingLine, SeasonTables } from './season-eligibility-cache.ts';
import { type HoursAsk, loanHours, shareHours } from './season-hours.ts';

/** A line of a season as one wallet has it. */
export type LineOfWallet<Line extends SeasonLine = SeasonLine> = {
  readonly line: Line;
  readonly reward: WalletReward;
  readonly earned: SeasonEarned;
};

export type WalletSeason = {
  readonly cluster: Cluster;
  readonly season: Season;
  readonly wallet: Address;
  readonly termsOf: VaultTermsOf;
  readonly tableOf: SeasonTables;
};

/** What a wallet's loans have a part of, or had one. */
export async function lendingLinesOf(ask: WalletSeason): Promise<LineOfWallet<LendingLine>[]> {
  const { cluster, season, wallet, tableOf, termsOf } = ask;
  const { lines } = tableOf(cluster, season);
  const hours = await loanHours(hoursAsk(ask), lines);
  const terms = termsOf(cluster);
  const loans = cluster.reader.obligationsOf(wallet);
  return lines.flatMap((line, place) => {
    const { usd } = usdOfLoans(loans, [line.sides], namedReservesNow([line.sides], terms));
    const walletUsd = ratioOfSf(usd[0] ?? ZERO_SF);
    const { eligibleUsd } = line;
    const found = { terms, walletUsd, eligibleUsd, hours: hours[place] ?? [] };
    return lineOfWallet(ask, line, found);
  });
}

/** What a wallet's shares have a part of, or had one. Vaults that cannot be counted are left out. */
export async function vaultLinesOf(ask: WalletSeason): Promise<LineOfWallet[]> {
  const { cluster, season, wallet, termsOf } = ask;
  const lines: LineOfWallet[] = [];
  for (const line of seasonLines(season)) {
    const { vault } = line.sides;
    if (vault === undefined) continue;
    const hours = await shareHours(hoursAsk(ask), vault);
    const terms = termsOf(cluster);
    const held = cluster.reader.vault(vault);
    const now = held && vaultNow(held, terms);
    if (now === undefined) continue;
    const { total } = viewVaultPosition(now, wallet, cluster.reader);
    const sharePrice = mulRatio(now.tokensPerShare, now.tokenPrice ?? ZERO_RATIO);
    const walletUsd = mulRatio(total, sharePrice);
    const eligibleUsd = usdOfShares(now);
    lines.push(...lineOfWallet(ask, line, { terms, walletUsd, eligibleUsd, hours }));
  }
  return lines;
}

function hoursAsk({ cluster, season, wallet }: WalletSeason): HoursAsk {
  const { unix: now } = cluster.reader.at();
  return { history: historyOf(cluster), season, wallet, now };
}

type Found = {
  readonly terms: VaultTerms;
  readonly walletUsd: Ratio;
  readonly eligibleUsd: Ratio;
  readonly hours: readonly SeasonHour[];
};

/** None for a line that the wallet has nothing to do with. */
function lineOfWallet<Line extends SeasonLine>(
  { season, wallet }: WalletSeason,
  line: Line,
  { terms, walletUsd, eligibleUsd, hours }: Found,
): LineOfWallet<Line>[] {
  const { rewards } = line;
  const earned = earnedOver(hours, { season, rewards, wallet, until: terms.at.unix });
  if (walletUsd.numerator === 0n && earned.base === 0n) return [];
  const rates = rateTerms({ season, rewardToken: line.rewardToken }, terms, eligibleUsd);
  const reward = viewWalletReward(rewards, rates, { wallet, walletUsd, earned });
  return [{ line, reward, earned }];
}
