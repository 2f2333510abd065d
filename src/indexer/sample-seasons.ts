import { ZERO_RATIO } from '../base/ratio.ts';
import type { TakenAt } from '../history/reserve-points.ts';
import { seasonSubject } from '../history/season-subject.ts';
import type { Season } from '../registry/season.ts';
import { eligibleUsd, type PositionSource } from '../views/season-eligible.ts';
import { type SeasonLine, seasonLines } from '../views/season-lines.ts';
import { viewSeasonRate } from '../views/season-rates.ts';
import type { VaultTerms } from '../views/vault.ts';
import type { RewardPoint } from './reward-points.ts';
import { toSf } from './sf.ts';

/** Positions are looked at for so long before a season, so that its first second has a sample before it. */
const LEAD_SECONDS = 86_400n;

type SeasonSampling = { readonly taken: TakenAt; readonly terms: VaultTerms };

/** What running seasons give, and for what. */
export function sampleSeasons(
  state: PositionSource,
  seasons: readonly Season[],
  sampling: SeasonSampling,
): RewardPoint[] {
  const { unix } = sampling.taken.at;
  const lines = seasons
    .filter(({ start, end }) => start - LEAD_SECONDS <= unix && unix < end)
    .flatMap((season) => seasonLines(season).map((line) => ({ season, line })));
  if (lines.length === 0) return [];
  const sides = lines.map(({ line }) => line.sides);
  const { usd } = eligibleUsd(sides, state, sampling.terms);
  return lines.flatMap(({ season, line }, place) => {
    const positionsUsd = usd[place];
    if (positionsUsd === undefined) return [];
    return [seasonPoint(season, line, { ...sampling, positionsUsd })];
  });
}

type Sampled = SeasonSampling & Pick<RewardPoint, 'positionsUsd'>;

function seasonPoint(
  season: Season,
  { sides, rewardToken, rewards }: SeasonLine,
  { taken, terms, positionsUsd }: Sampled,
): RewardPoint {
  const { resolution, at } = taken;
  const price = terms.tokens(rewardToken)?.price;
  const rewardPrice = price ?? ZERO_RATIO;
  const rateTerms = { season, at: at.unix, rewardPrice, eligibleUsd: positionsUsd };
  const { tokensPerSecond, apy } = viewSeasonRate(rewards, rateTerms);
  return {
    kind: 'reward',
    ...{ resolution, subject: seasonSubject(season.source, sides), mint: rewardToken },
    ...{ at: at.unix, slot: at.slot },
    rate: tokensPerSecond,
    issued: 0n,
    priceSf: price === undefined ? null : toSf(price),
    positionsUsd,
    apr: apy,
  };
}
