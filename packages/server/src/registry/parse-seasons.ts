import { type Address, type UnixSeconds, ZERO_ADDRESS } from '@tidegate/core/base';
import type { Season, SeasonBoost, SeasonReward } from '@tidegate/core/views/rewards';
import {
  type DocumentFields,
  type DocumentPath,
  fieldPath,
  readAddressField,
  readEntries,
  readStringField,
  rejectField,
  rejectUnknownFields,
} from './document-fields.ts';
import { readDecimalField, readTimeField } from './season-fields.ts';

const SEASON_FIELDS = ['source', 'start', 'end', 'maxBoost', 'rewards', 'boosts'];
const TARGET_FIELDS = ['vault', 'depositReserve', 'borrowReserve'] as const;
const REWARD_FIELDS = [...TARGET_FIELDS, 'rewardToken', 'tokensPerSecond', 'from', 'to'];
const BOOST_FIELDS = ['wallet', 'stakingBoost', 'from'];
const MAX_SOURCE_LENGTH = 64;

/** Sorted by start. */
export function parseSeasons(value: unknown, path: DocumentPath): readonly Season[] {
  const sources = new Set<string>();
  const seasons = readEntries(value, path, (fields, at) => {
    const season = parseSeason(fields, at);
    const { source } = season;
    if (sources.has(source)) rejectField(fieldPath(at, 'source'), `"${source}" is not unique`);
    sources.add(source);
    return season;
  });
  return sortByStart(seasons);
}

/** Of two seasons with the same source, the one in `newer` wins. */
export function mergeSeasons(
  seasons: readonly Season[],
  newer: readonly Season[],
): readonly Season[] {
  if (newer.length === 0) return seasons;
  const bySource = new Map([...seasons, ...newer].map((season) => [season.source, season]));
  return sortByStart([...bySource.values()]);
}

const sortByStart = (seasons: readonly Season[]): readonly Season[] =>
  seasons.toSorted((a, b) => Number(a.start - b.start) || (a.source < b.source ? -1 : 1));

function parseSeason(season: DocumentFields, path: DocumentPath): Season {
  rejectUnknownFields(season, SEASON_FIELDS, path);
  const source = readStringField(season['source'], fieldPath(path, 'source'));
  if (source === '' || source.length > MAX_SOURCE_LENGTH) {
    rejectField(fieldPath(path, 'source'), `must have 1 to ${MAX_SOURCE_LENGTH} characters`);
  }
  const start = readTimeField(season['start'], fieldPath(path, 'start'), 'earliest');
  const end = readTimeField(season['end'], fieldPath(path, 'end'), 'latest');
  if (start >= end) rejectField(fieldPath(path, 'end'), 'must be after start');
  const boosts = readEntries(season['boosts'], fieldPath(path, 'boosts'), (boost, at) =>
    parseBoost(boost, at, start),
  );
  if (boosts.length > 0 && season['maxBoost'] === undefined) {
    rejectField(fieldPath(path, 'maxBoost'), 'is required if there are boosts');
  }
  return {
    source,
    start,
    end,
    boosts,
    rewards: readEntries(season['rewards'], fieldPath(path, 'rewards'), (reward, at) =>
      parseReward(reward, at, { start, end }),
    ),
    maxBoost: readDecimalField(season['maxBoost'] ?? '0', fieldPath(path, 'maxBoost')),
  };
}

function parseReward(
  reward: DocumentFields,
  path: DocumentPath,
  { start, end }: Pick<Season, 'start' | 'end'>,
): SeasonReward {
  rejectUnknownFields(reward, REWARD_FIELDS, path);
  const target = parseTarget(reward, path);
  const tokensPerSecond = readDecimalField(
    reward['tokensPerSecond'],
    fieldPath(path, 'tokensPerSecond'),
  );
  if (tokensPerSecond.numerator === 0n) {
    rejectField(fieldPath(path, 'tokensPerSecond'), 'must be greater than zero');
  }
  const from =
    reward['from'] === undefined
      ? start
      : readTimeField(reward['from'], fieldPath(path, 'from'), 'earliest');
  const to =
    reward['to'] === undefined ? end : readTimeField(reward['to'], fieldPath(path, 'to'), 'latest');
  if (from >= to) rejectField(fieldPath(path, 'to'), 'must be after from');
  if (from >= end || to <= start) rejectField(path, 'must overlap its season');
  return {
    ...target,
    rewardToken: readAddressField(reward['rewardToken'], fieldPath(path, 'rewardToken')),
    tokensPerSecond,
    from,
    to,
  };
}

type RewardTarget = Pick<SeasonReward, (typeof TARGET_FIELDS)[number]>;

function parseTarget(reward: DocumentFields, path: DocumentPath): RewardTarget {
  const named = TARGET_FIELDS.filter((name) => reward[name] !== undefined && reward[name] !== null);
  if (named.length === 0) {
    rejectField(path, 'must have a vault, a depositReserve, a borrowReserve, or both reserves');
  }
  if (named.includes('vault') && named.length > 1) {
    rejectField(path, 'must have either a vault or reserves');
  }
  const entries = named.map((name): [string, Address] => {
    const address = readAddressField(reward[name], fieldPath(path, name));
    if (address === ZERO_ADDRESS)
      rejectField(fieldPath(path, name), 'must not be the zero address');
    return [name, address];
  });
  return Object.fromEntries(entries);
}

function parseBoost(boost: DocumentFields, path: DocumentPath, start: UnixSeconds): SeasonBoost {
  rejectUnknownFields(boost, BOOST_FIELDS, path);
  const from = boost['from'];
  return {
    wallet: readAddressField(boost['wallet'], fieldPath(path, 'wallet')),
    stakingBoost: readDecimalField(boost['stakingBoost'], fieldPath(path, 'stakingBoost')),
    from: from === undefined ? start : readTimeField(from, fieldPath(path, 'from'), 'earliest'),
  };
}
