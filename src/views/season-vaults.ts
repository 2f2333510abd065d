import type { Address } from '../base/address.ts';
import type { Ratio } from '../base/decimal.ts';
import { sumRatios, ZERO_RATIO } from '../base/ratio.ts';
import { usdOfShares } from './season-eligible.ts';
import { type SeasonLine, seasonLines } from './season-lines.ts';
import { type RateTerms, type SeasonRate, viewSeasonRate } from './season-rates.ts';
import type { Season } from './season-rewards.ts';
import type { VaultNow, VaultTerms } from './vault.ts';

type Priced = Pick<VaultTerms, 'at' | 'tokens'>;

/** How a line of a season is looked at now. */
export const rateTerms = (
  { season, rewardToken }: { readonly season: Season; readonly rewardToken: Address },
  { at, tokens }: Priced,
  eligibleUsd: Ratio,
): RateTerms & { readonly season: Season } => ({
  season,
  at: at.unix,
  rewardPrice: tokens(rewardToken)?.price ?? ZERO_RATIO,
  eligibleUsd,
});

type VaultRate = SeasonRate & Pick<SeasonLine, 'rewardToken'>;

/** What a season gives the shareholders of a vault now, by token. */
export function viewVaultRates(vault: VaultNow, season: Season, terms: Priced): VaultRate[] {
  const eligibleUsd = usdOfShares(vault);
  return seasonLines(season)
    .filter(({ sides }) => sides.vault === vault.address)
    .map(({ rewardToken, rewards }) => ({
      rewardToken,
      ...viewSeasonRate(rewards, rateTerms({ season, rewardToken }, terms, eligibleUsd)),
    }));
}

/** What all seasons together give the shareholders of a vault, as a simple yearly rate. */
export const vaultIncentives = (
  vault: VaultNow,
  seasons: readonly Season[],
  terms: Priced,
): Ratio =>
  sumRatios(
    seasons.flatMap((season) => viewVaultRates(vault, season, terms)).map(({ apy }) => apy),
  );
