import type { Address } from '../../../base/encoding/address.ts';
import type { Ratio } from '../../../base/numbers/decimal.ts';
import { sumRatios, ZERO_RATIO } from '../../../base/numbers/ratio.ts';
import type { VaultNow, VaultTerms } from '../../vaults/vault-snapshot.ts';
import type { Season } from './season.ts';
import { usdOfShares } from './season-eligible-value.ts';
import { type RateTerms, type SeasonRate, viewSeasonRate } from './season-rates.ts';
import { type SeasonLine, seasonLines } from './season-reward-groups.ts';

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
