import type { Address } from '../../../base/encoding/address.ts';
import type { Ratio } from '../../../base/numbers/decimal.ts';
import { sumRatios, ZERO_RATIO } from '../../../base/numbers/ratio.ts';
import type { VaultSnapshot, VaultViewContext } from '../../vaults/vault-snapshot.ts';
import type { Season } from './season.ts';
import { vaultSharesUsd } from './season-eligible-value.ts';
import { type SeasonRate, type SeasonRateInput, viewSeasonRate } from './season-rates.ts';
import { groupSeasonRewards, type SeasonRewardGroup } from './season-reward-groups.ts';

type Priced = Pick<VaultViewContext, 'at' | 'tokens'>;

/** How a line of a season is looked at now. */
export const seasonRateInput = (
  { season, rewardToken }: { readonly season: Season; readonly rewardToken: Address },
  { at, tokens }: Priced,
  eligibleUsd: Ratio,
): SeasonRateInput & { readonly season: Season } => ({
  season,
  at: at.unix,
  rewardPrice: tokens(rewardToken)?.price ?? ZERO_RATIO,
  eligibleUsd,
});

type VaultRate = SeasonRate & Pick<SeasonRewardGroup, 'rewardToken'>;

/** What a season gives the shareholders of a vault now, by token. */
export function viewVaultSeasonRates(
  vault: VaultSnapshot,
  season: Season,
  terms: Priced,
): VaultRate[] {
  const eligibleUsd = vaultSharesUsd(vault);
  return groupSeasonRewards(season)
    .filter(({ sides }) => sides.vault === vault.address)
    .map(({ rewardToken, rewards }) => ({
      rewardToken,
      ...viewSeasonRate(rewards, seasonRateInput({ season, rewardToken }, terms, eligibleUsd)),
    }));
}

/** What all seasons together give the shareholders of a vault, as a simple yearly rate. */
export const vaultSeasonApr = (
  vault: VaultSnapshot,
  seasons: readonly Season[],
  terms: Priced,
): Ratio =>
  sumRatios(
    seasons.flatMap((season) => viewVaultSeasonRates(vault, season, terms)).map(({ apy }) => apy),
  );
