import { type Address, type Ratio, ZERO_RATIO } from '@tidegate/core/base';
import {
  type EligiblePositionSource,
  groupSeasonRewards,
  type Season,
  type SeasonRewardGroup,
  sumEligibleUsd,
  viewSeasonRate,
} from '@tidegate/core/views/rewards';
import type { VaultViewContext } from '@tidegate/core/views/vaults';
import type { SampleTime } from '../../history/rows/reserve-points.ts';
import { deriveSeasonSubject } from '../../history/rows/season-subject.ts';
import type { RewardPoint } from './sample-farm-rewards.ts';
import { toScaledFraction } from './scaled-fraction.ts';

/** Positions are looked at for so long before a season, so that its first second has a sample before it. */
const LEAD_SECONDS = 86_400n;

type SeasonSampling = { readonly taken: SampleTime; readonly terms: VaultViewContext };

type SeasonSource = {
  readonly reader: Pick<EligiblePositionSource, 'vault'>;
  readonly registry: { readonly seasons: readonly Season[] };
};

/** What running seasons give, and for what. */
export function sampleSeasons(
  { reader, registry }: SeasonSource,
  loans: Pick<EligiblePositionSource, 'obligationsIn'>,
  sampling: SeasonSampling,
): RewardPoint[] {
  const { unix } = sampling.taken.at;
  const lines = registry.seasons
    .filter(({ start, end }) => start - LEAD_SECONDS <= unix && unix < end)
    .flatMap(plannedLines);
  if (lines.length === 0) return [];
  const sides = lines.map(({ line }) => line.sides);
  const source: EligiblePositionSource = {
    vault: (address) => reader.vault(address),
    obligationsIn: (market) => loans.obligationsIn(market),
  };
  const { usd } = sumEligibleUsd(sides, source, sampling.terms);
  return lines.flatMap((planned, place) => {
    const positionsUsd = usd[place];
    return positionsUsd === undefined ? [] : [seasonPoint(planned, positionsUsd, sampling)];
  });
}

type PlannedLine = {
  readonly season: Season;
  readonly line: SeasonRewardGroup;
  readonly subject: Address;
};

/** A season is sampled each minute and changes never. */
const planned = new WeakMap<Season, readonly PlannedLine[]>();

function plannedLines(season: Season): readonly PlannedLine[] {
  const known = planned.get(season);
  if (known !== undefined) return known;
  const lines = groupSeasonRewards(season).map((line) => ({
    season,
    line,
    subject: deriveSeasonSubject(season.source, line.sides),
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
    priceSf: price === undefined ? null : toScaledFraction(price),
    positionsUsd,
    apr: apy,
  };
}
