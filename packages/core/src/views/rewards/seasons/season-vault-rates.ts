import type { Address } from '../../../base/encoding/address.ts';
import type { Ratio } from '../../../base/numbers/decimal.ts';
import { sumRatios, ZERO_RATIO } from '../../../base/numbers/ratio.ts';
import type { VaultSnapshot, VaultViewContext } from '../../vaults/vault-snapshot.ts';
import type { Season } from './season.ts';
import { vaultSharesUsd } from './season-eligible-value.ts';
import { type SeasonRate, type SeasonRateInput, viewSeasonRate } from './season-rates.ts';
import { groupSeasonRewards, type SeasonRewardGroup } from './season-reward-groups.ts';

type Priced = Pick<VaultViewContext, 'at' | 'tokens'>;

/** The inputs of a current season rate. */
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

/** The current season rates of a vault's shareholders, by token. */
export function viewVaultSeasonRates(
  vault: VaultSnapshot,
  season: Season,
  context: Priced,
): VaultRate[] {
  const eligibleUsd = vaultSharesUsd(vault);
  return groupSeasonRewards(season)
    .filter(({ target }) => target.vault === vault.address)
    .map(({ rewardToken, rewards }) => ({
      rewardToken,
      ...viewSeasonRate(rewards, seasonRateInput({ season, rewardToken }, context, eligibleUsd)),
    }));
}

/** The sum of all season rates of a vault's shareholders, as a simple yearly rate. */
export const vaultSeasonApr = (
  vault: VaultSnapshot,
  seasons: readonly Season[],
  context: Priced,
): Ratio =>
  sumRatios(
    seasons.flatMap((season) => viewVaultSeasonRates(vault, season, context)).map(({ apy }) => apy),
  );
