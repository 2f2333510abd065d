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
import { toScaledFraction } from '../../history/rows/ratio-to-scaled-fraction.ts';
import type { SampleTime } from '../../history/rows/reserve-points.ts';
import { deriveSeasonSubject } from '../../history/rows/season-subject.ts';
import type { RewardPoint } from './sample-farm-rewards.ts';

/** Sampling starts this long before a season, so that a sample precedes its first second. */
const LEAD_SECONDS = 86_400n;

type SeasonSampling = { readonly sampleTime: SampleTime; readonly valuation: VaultViewContext };

type SeasonSource = {
  readonly reader: Pick<EligiblePositionSource, 'vault'>;
  readonly registry: { readonly seasons: readonly Season[] };
};

/** Samples the rewards of seasons that are running or about to start. */
export function sampleSeasons(
  { reader, registry }: SeasonSource,
  loans: Pick<EligiblePositionSource, 'obligationsIn'>,
  sampling: SeasonSampling,
): RewardPoint[] {
  const { unix } = sampling.sampleTime.at;
  const lines = registry.seasons
    .filter(({ start, end }) => start - LEAD_SECONDS <= unix && unix < end)
    .flatMap(rewardLines);
  if (lines.length === 0) return [];
  const targets = lines.map(({ line }) => line.target);
  const source: EligiblePositionSource = {
    vault: (address) => reader.vault(address),
    obligationsIn: (market) => loans.obligationsIn(market),
  };
  const { usd } = sumEligibleUsd(targets, source, sampling.valuation);
  return lines.flatMap((line, index) => {
    const positionsUsd = usd[index];
    return positionsUsd === undefined ? [] : [seasonPoint(line, positionsUsd, sampling)];
  });
}

type RewardLine = {
  readonly season: Season;
  readonly line: SeasonRewardGroup;
  readonly subject: Address;
};

/** Seasons are sampled every minute and are immutable. */
const linesOfSeasons = new WeakMap<Season, readonly RewardLine[]>();

function rewardLines(season: Season): readonly RewardLine[] {
  const known = linesOfSeasons.get(season);
  if (known !== undefined) return known;
  const lines = groupSeasonRewards(season).map((line) => ({
    season,
    line,
    subject: deriveSeasonSubject(season.source, line.target),
  }));
  linesOfSeasons.set(season, lines);
  return lines;
}

function seasonPoint(
  { season, line, subject }: RewardLine,
  positionsUsd: Ratio,
  { sampleTime, valuation }: SeasonSampling,
): RewardPoint {
  const { rewardToken, rewards } = line;
  const { resolution, at } = sampleTime;
  const price = valuation.tokens(rewardToken)?.price;
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
