import { type Address, type UnixSeconds, ZERO_ADDRESS } from '@tidegate/core/base';
import type { Season, SeasonBoost, SeasonReward } from '@tidegate/core/views/rewards';
import {
  addressOf,
  entryOf,
  fieldOf,
  listOf,
  objectOf,
  type Place,
  refused,
  textOf,
} from './document-fields.ts';
import { decimalOf, timeOf } from './season-fields.ts';

const SEASON_FIELDS = ['source', 'start', 'end', 'maxBoost', 'rewards', 'boosts'];
const SIDES = ['vault', 'depositReserve', 'borrowReserve'] as const;
const REWARD_FIELDS = [...SIDES, 'rewardToken', 'tokensPerSecond', 'from', 'to'];
const BOOST_FIELDS = ['wallet', 'stakingBoost', 'from'];
const LONGEST_SOURCE = 64;

/** Newest last, by their start. */
export function parseSeasons(value: unknown, place: Place): readonly Season[] {
  const seasons = listOf(value, place).map((entry, i) => parseSeason(entry, entryOf(place, i)));
  const known = new Set<string>();
  for (const [i, { source }] of seasons.entries()) {
    const at = fieldOf(entryOf(place, i), 'source');
    if (known.has(source)) throw refused(at, `is "${source}", as that of another season is`);
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

function parseSeason(entry: unknown, place: Place): Season {
  const season = objectOf(entry, place);
  refuseOthers(season, SEASON_FIELDS, place);
  const source = textOf(season['source'], fieldOf(place, 'source'));
  if (source === '' || source.length > LONGEST_SOURCE) {
    throw refused(fieldOf(place, 'source'), `must have 1 to ${LONGEST_SOURCE} characters`);
  }
  const start = timeOf(season['start'], fieldOf(place, 'start'));
  const end = timeOf(season['end'], fieldOf(place, 'end'));
  if (start >= end) throw refused(fieldOf(place, 'end'), 'must be after start');
  const boosts = fieldOf(place, 'boosts');
  const rewards = fieldOf(place, 'rewards');
  const parsed = listOf(season['boosts'], boosts).map((each, i) =>
    parseBoost(each, entryOf(boosts, i), start),
  );
  if (parsed.length > 0 && season['maxBoost'] === undefined) {
    throw refused(fieldOf(place, 'maxBoost'), 'must be there where there are boosts');
  }
  return {
    ...{ source, start, end, boosts: parsed },
    rewards: listOf(season['rewards'], rewards).map((each, i) =>
      parseReward(each, entryOf(rewards, i), { start, end }),
    ),
    maxBoost: decimalOf(season['maxBoost'] ?? '0', fieldOf(place, 'maxBoost')),
  };
}

function parseReward(
  entry: unknown,
  place: Place,
  { start, end }: Pick<Season, 'start' | 'end'>,
): SeasonReward {
  const reward = objectOf(entry, place);
  refuseOthers(reward, REWARD_FIELDS, place);
  const sides = sidesOf(reward, place);
  const tokensPerSecond = decimalOf(reward['tokensPerSecond'], fieldOf(place, 'tokensPerSecond'));
  if (tokensPerSecond.numerator === 0n) {
    throw refused(fieldOf(place, 'tokensPerSecond'), 'must be above zero');
  }
  const timeAt = (name: string, usual: UnixSeconds): UnixSeconds =>
    reward[name] === undefined ? usual : timeOf(reward[name], fieldOf(place, name));
  const from = timeAt('from', start);
  const to = timeAt('to', end);
  if (from >= to) throw refused(fieldOf(place, 'to'), 'must be after from');
  if (from >= end || to <= start) throw refused(place, 'is paid at no time of its season');
  return {
    ...sides,
    rewardToken: addressOf(reward['rewardToken'], fieldOf(place, 'rewardToken')),
    ...{ tokensPerSecond, from, to },
  };
}

type Sides = Pick<SeasonReward, (typeof SIDES)[number]>;

function sidesOf(reward: Readonly<Record<string, unknown>>, place: Place): Sides {
  const named = SIDES.filter((name) => reward[name] !== undefined && reward[name] !== null);
  if (named.length === 0) {
    throw refused(place, 'must name a vault, a depositReserve, a borrowReserve or both of these');
  }
  if (named.includes('vault') && named.length > 1) {
    throw refused(place, 'must name either a vault or reserves');
  }
  const sides = named.map((name): [string, Address] => {
    const address = addressOf(reward[name], fieldOf(place, name));
    if (address === ZERO_ADDRESS)
      throw refused(fieldOf(place, name), 'must not be the zero address');
    return [name, address];
  });
  return Object.fromEntries(sides);
}

function parseBoost(entry: unknown, place: Place, start: UnixSeconds): SeasonBoost {
  const boost = objectOf(entry, place);
  refuseOthers(boost, BOOST_FIELDS, place);
  const from = boost['from'];
  return {
    wallet: addressOf(boost['wallet'], fieldOf(place, 'wallet')),
    stakingBoost: decimalOf(boost['stakingBoost'], fieldOf(place, 'stakingBoost')),
    from: from === undefined ? start : timeOf(from, fieldOf(place, 'from')),
  };
}

/** A field that is not known is one that was meant to say something. */
function refuseOthers(
  fields: Readonly<Record<string, unknown>>,
  known: readonly string[],
  place: Place,
): void {
  const other = Object.keys(fields).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw refused(fieldOf(place, other), `is not known; it takes ${known.join(', ')}`);
}
