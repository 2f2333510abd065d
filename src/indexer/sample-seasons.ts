import type { Address } from '../base/address.ts';
import type { Ratio } from '../base/decimal.ts';
import { ZERO_RATIO } from '../base/ratio.ts';
import type { TakenAt } from '../history/reserve-points.ts';
import { seasonSubject } from '../history/season-subject.ts';
import { eligibleUsd, type PositionSource } from '../views/season-eligible.ts';
import { type SeasonLine, seasonLines } from '../views/season-lines.ts';
import { viewSeasonRate } from '../views/season-rates.ts';
import type { Season } from '../views/season-rewards.ts';
import type { VaultTerms } from '../views/vault.ts';
import type { RewardPoint } from './reward-points.ts';
import { toSf } from './sf.ts';

/** Positions are looked at for so long before a season, so that its first second has a sample before it. */
const LEAD_SECONDS = 86_400n;

type SeasonSampling = { readonly taken: TakenAt; readonly terms: VaultTerms };

type SeasonSource = {
  readonly reader: Pick<PositionSource, 'vault'>;
  readonly registry: { readonly seasons: readonly Season[] };
};

/** What running seasons give, and for what. */
export function sampleSeasons(
  { reader, registry }: SeasonSource,
  loans: Pick<PositionSource, 'obligationsIn'>,
  sampling: SeasonSampling,
): RewardPoint[] {
  const { unix } = sampling.taken.at;
  const lines = registry.seasons
    .filter(({ start, end }) => start - LEAD_SECONDS <= unix && unix < end)
    .flatMap(plannedLines);
  if (lines.length === 0) return [];
  const sides = lines.map(({ line }) => line.sides);
  const source: PositionSource = {
    vault: (address) => reader.vault(address),
    obligationsIn: (market) => loans.obligationsIn(market),
  };
  const { usd } = eligibleUsd(sides, source, sampling.terms);
  return lines.flatMap((planned, place) => {
    const positionsUsd = usd[place];
    return positionsUsd === undefined ? [] : [seasonPoint(planned, positionsUsd, sampling)];
  });
}

type PlannedLine = {
  readonly season: Season;
  readonly line: SeasonLine;
  readonly subject: Address;
};

/** A season is sampled each minute and changes never. */
const planned = new WeakMap<Season, readonly PlannedLine[]>();

function plannedLines(season: Season): readonly PlannedLine[] {
  const known = planned.get(season);
  if (known !== undefined) return known;
  const lines = seasonLines(season).map((line) => ({
    season,
    line,
    subject: seasonSubject(season.source, line.sides),
  }));
  planned.set(season, lines);
  return lines;
}

function seasonPoint(
  { season, line, subject }: PlannedLine,
  positionsUsd: Ratio,
  { taken, terms }: SeasonSampling,
): RewardPoint {
  const { rewardToken, rewards } = line;
  const { resolution, at } = taken;
  const price = terms.tokens(rewardToken)?.price;
  const rewardPrice = price ?? ZERO_RATIO;
  const rateTerms = { season, at: at.unix, rewardPrice, eligibleUsd: positionsUsd };
  const { tokensPerSecond, apy } = viewSeasonRate(rewards, rateTerms);
  return {
    kind: 'reward',
    resolution,
    subject,
    mint: rewardToken,
    at: at.unix,
    slot: at.slot,
    rate: tokensPerSecond,
    issued: 0n,
    priceSf: price === undefined ? null : toSf(price),
    positionsUsd,
    apr: apy,
  };
}
