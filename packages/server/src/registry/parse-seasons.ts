import { type Address, type UnixSeconds, ZERO_ADDRESS } from '@tidegate/core/base';
import type { Season, SeasonBoost, SeasonReward } from '@tidegate/core/views/rewards';
import {
  type DocumentPath,
  entryPath,
  fieldPath,
  invalidField,
  readAddressField,
  readArrayField,
  readObjectField,
  readStringField,
} from './document-fields.ts';
import { readDecimalField, readTimeField } from './season-fields.ts';

const SEASON_FIELDS = ['source', 'start', 'end', 'maxBoost', 'rewards', 'boosts'];
const TARGET_FIELDS = ['vault', 'depositReserve', 'borrowReserve'] as const;
const REWARD_FIELDS = [...TARGET_FIELDS, 'rewardToken', 'tokensPerSecond', 'from', 'to'];
const BOOST_FIELDS = ['wallet', 'stakingBoost', 'from'];
const MAX_SOURCE_LENGTH = 64;

/** Sorted by start. */
export function parseSeasons(value: unknown, path: DocumentPath): readonly Season[] {
  const seasons = readArrayField(value, path).map((entry, i) =>
    parseSeason(entry, entryPath(path, i)),
  );
  const known = new Set<string>();
  for (const [i, { source }] of seasons.entries()) {
    const at = fieldPath(entryPath(path, i), 'source');
    if (known.has(source)) throw invalidField(at, `"${source}" is not unique`);
    known.add(source);
  }
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

function parseSeason(entry: unknown, path: DocumentPath): Season {
  const season = readObjectField(entry, path);
  rejectUnknownFields(season, SEASON_FIELDS, path);
  const source = readStringField(season['source'], fieldPath(path, 'source'));
  if (source === '' || source.length > MAX_SOURCE_LENGTH) {
    throw invalidField(fieldPath(path, 'source'), `must have 1 to ${MAX_SOURCE_LENGTH} characters`);
  }
  const start = readTimeField(season['start'], fieldPath(path, 'start'));
  const end = readTimeField(season['end'], fieldPath(path, 'end'));
  if (start >= end) throw invalidField(fieldPath(path, 'end'), 'must be after start');
  const boosts = fieldPath(path, 'boosts');
  const rewards = fieldPath(path, 'rewards');
  const parsed = readArrayField(season['boosts'], boosts).map((each, i) =>
    parseBoost(each, entryPath(boosts, i), start),
  );
  if (parsed.length > 0 && season['maxBoost'] === undefined) {
    throw invalidField(fieldPath(path, 'maxBoost'), 'is required if there are boosts');
  }
  return {
    source,
    start,
    end,
    boosts: parsed,
    rewards: readArrayField(season['rewards'], rewards).map((each, i) =>
      parseReward(each, entryPath(rewards, i), { start, end }),
    ),
    maxBoost: readDecimalField(season['maxBoost'] ?? '0', fieldPath(path, 'maxBoost')),
  };
}

function parseReward(
  entry: unknown,
  path: DocumentPath,
  { start, end }: Pick<Season, 'start' | 'end'>,
): SeasonReward {
  const reward = readObjectField(entry, path);
  rejectUnknownFields(reward, REWARD_FIELDS, path);
  const target = parseTarget(reward, path);
  const tokensPerSecond = readDecimalField(
    reward['tokensPerSecond'],
    fieldPath(path, 'tokensPerSecond'),
  );
  if (tokensPerSecond.numerator === 0n) {
    throw invalidField(fieldPath(path, 'tokensPerSecond'), 'must be greater than zero');
  }
  const parseTime = (name: string, fallback: UnixSeconds): UnixSeconds =>
    reward[name] === undefined ? fallback : readTimeField(reward[name], fieldPath(path, name));
  const from = parseTime('from', start);
  const to = parseTime('to', end);
  if (from >= to) throw invalidField(fieldPath(path, 'to'), 'must be after from');
  if (from >= end || to <= start) throw invalidField(path, 'must overlap its season');
  return {
    ...target,
    rewardToken: readAddressField(reward['rewardToken'], fieldPath(path, 'rewardToken')),
    tokensPerSecond,
    from,
    to,
  };
}

type RewardTarget = Pick<SeasonReward, (typeof TARGET_FIELDS)[number]>;

function parseTarget(reward: Readonly<Record<string, unknown>>, path: DocumentPath): RewardTarget {
  const named = TARGET_FIELDS.filter((name) => reward[name] !== undefined && reward[name] !== null);
  if (named.length === 0) {
    throw invalidField(
      path,
      'must have a vault, a depositReserve, a borrowReserve, or both reserves',
    );
  }
  if (named.includes('vault') && named.length > 1) {
    throw invalidField(path, 'must have either a vault or reserves');
  }
  const entries = named.map((name): [string, Address] => {
    const address = readAddressField(reward[name], fieldPath(path, name));
    if (address === ZERO_ADDRESS)
      throw invalidField(fieldPath(path, name), 'must not be the zero address');
    return [name, address];
  });
  return Object.fromEntries(entries);
}

function parseBoost(entry: unknown, path: DocumentPath, start: UnixSeconds): SeasonBoost {
  const boost = readObjectField(entry, path);
  rejectUnknownFields(boost, BOOST_FIELDS, path);
  const from = boost['from'];
  return {
    wallet: readAddressField(boost['wallet'], fieldPath(path, 'wallet')),
    stakingBoost: readDecimalField(boost['stakingBoost'], fieldPath(path, 'stakingBoost')),
    from: from === undefined ? start : readTimeField(from, fieldPath(path, 'from')),
  };
}

/** An unknown field is probably a typing error. */
function rejectUnknownFields(
  fields: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: DocumentPath,
): void {
  const other = Object.keys(fields).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw invalidField(fieldPath(path, other), `is unknown; known fields: ${known.join(', ')}`);
}
