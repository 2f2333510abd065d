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
const SIDES = ['vault', 'depositReserve', 'borrowReserve'] as const;
const REWARD_FIELDS = [...SIDES, 'rewardToken', 'tokensPerSecond', 'from', 'to'];
const BOOST_FIELDS = ['wallet', 'stakingBoost', 'from'];
const LONGEST_SOURCE = 64;

/** Newest last, by their start. */
export function parseSeasons(value: unknown, place: DocumentPath): readonly Season[] {
  const seasons = readArrayField(value, place).map((entry, i) =>
    parseSeason(entry, entryPath(place, i)),
  );
  const known = new Set<string>();
  for (const [i, { source }] of seasons.entries()) {
    const at = fieldPath(entryPath(place, i), 'source');
    if (known.has(source)) throw invalidField(at, `is "${source}", as that of another season is`);
    known.add(source);
  }
  return inOrderOfStart(seasons);
}

/** Of two seasons of one source the one that is given later counts. */
export function mergeSeasons(
  seasons: readonly Season[],
  newer: readonly Season[],
): readonly Season[] {
  if (newer.length === 0) return seasons;
  const bySource = new Map([...seasons, ...newer].map((season) => [season.source, season]));
  return inOrderOfStart([...bySource.values()]);
}

const inOrderOfStart = (seasons: readonly Season[]): readonly Season[] =>
  seasons.toSorted((a, b) => Number(a.start - b.start) || (a.source < b.source ? -1 : 1));

function parseSeason(entry: unknown, place: DocumentPath): Season {
  const season = readObjectField(entry, place);
  refuseOthers(season, SEASON_FIELDS, place);
  const source = readStringField(season['source'], fieldPath(place, 'source'));
  if (source === '' || source.length > LONGEST_SOURCE) {
    throw invalidField(fieldPath(place, 'source'), `must have 1 to ${LONGEST_SOURCE} characters`);
  }
  const start = readTimeField(season['start'], fieldPath(place, 'start'));
  const end = readTimeField(season['end'], fieldPath(place, 'end'));
  if (start >= end) throw invalidField(fieldPath(place, 'end'), 'must be after start');
  const boosts = fieldPath(place, 'boosts');
  const rewards = fieldPath(place, 'rewards');
  const parsed = readArrayField(season['boosts'], boosts).map((each, i) =>
    parseBoost(each, entryPath(boosts, i), start),
  );
  if (parsed.length > 0 && season['maxBoost'] === undefined) {
    throw invalidField(fieldPath(place, 'maxBoost'), 'must be there where there are boosts');
  }
  return {
    ...{ source, start, end, boosts: parsed },
    rewards: readArrayField(season['rewards'], rewards).map((each, i) =>
      parseReward(each, entryPath(rewards, i), { start, end }),
    ),
    maxBoost: readDecimalField(season['maxBoost'] ?? '0', fieldPath(place, 'maxBoost')),
  };
}

function parseReward(
  entry: unknown,
  place: DocumentPath,
  { start, end }: Pick<Season, 'start' | 'end'>,
): SeasonReward {
  const reward = readObjectField(entry, place);
  refuseOthers(reward, REWARD_FIELDS, place);
  const sides = sidesOf(reward, place);
  const tokensPerSecond = readDecimalField(
    reward['tokensPerSecond'],
    fieldPath(place, 'tokensPerSecond'),
  );
  if (tokensPerSecond.numerator === 0n) {
    throw invalidField(fieldPath(place, 'tokensPerSecond'), 'must be above zero');
  }
  const timeAt = (name: string, usual: UnixSeconds): UnixSeconds =>
    reward[name] === undefined ? usual : readTimeField(reward[name], fieldPath(place, name));
  const from = timeAt('from', start);
  const to = timeAt('to', end);
  if (from >= to) throw invalidField(fieldPath(place, 'to'), 'must be after from');
  if (from >= end || to <= start) throw invalidField(place, 'is paid at no time of its season');
  return {
    ...sides,
    rewardToken: readAddressField(reward['rewardToken'], fieldPath(place, 'rewardToken')),
    ...{ tokensPerSecond, from, to },
  };
}

type Sides = Pick<SeasonReward, (typeof SIDES)[number]>;

function sidesOf(reward: Readonly<Record<string, unknown>>, place: DocumentPath): Sides {
  const named = SIDES.filter((name) => reward[name] !== undefined && reward[name] !== null);
  if (named.length === 0) {
    throw invalidField(
      place,
      'must name a vault, a depositReserve, a borrowReserve or both of these',
    );
  }
  if (named.includes('vault') && named.length > 1) {
    throw invalidField(place, 'must name either a vault or reserves');
  }
  const sides = named.map((name): [string, Address] => {
    const address = readAddressField(reward[name], fieldPath(place, name));
    if (address === ZERO_ADDRESS)
      throw invalidField(fieldPath(place, name), 'must not be the zero address');
    return [name, address];
  });
  return Object.fromEntries(sides);
}

function parseBoost(entry: unknown, place: DocumentPath, start: UnixSeconds): SeasonBoost {
  const boost = readObjectField(entry, place);
  refuseOthers(boost, BOOST_FIELDS, place);
  const from = boost['from'];
  return {
    wallet: readAddressField(boost['wallet'], fieldPath(place, 'wallet')),
    stakingBoost: readDecimalField(boost['stakingBoost'], fieldPath(place, 'stakingBoost')),
    from: from === undefined ? start : readTimeField(from, fieldPath(place, 'from')),
  };
}

/** A field that is not known is one that was meant to say something. */
function refuseOthers(
  fields: Readonly<Record<string, unknown>>,
  known: readonly string[],
  place: DocumentPath,
): void {
  const other = Object.keys(fields).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw invalidField(fieldPath(place, other), `is not known; it takes ${known.join(', ')}`);
}
