import { expect, test } from 'vitest';
import { mergeSeasons, parseSeasons } from './parse-seasons.ts';

const VAULT = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const RESERVE = 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q';
const TOKEN = 'KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS';
const path = { source: 'seasons.json', at: '' };

const reward = { vault: VAULT, rewardToken: TOKEN, tokensPerSecond: '0.25' };
const season = { source: 'Season1', start: '2026-01-01', end: '2026-02-01', rewards: [reward] };

const parse = (...seasons: readonly unknown[]) => parseSeasons(seasons, path);
const changed = (changes: Readonly<Record<string, unknown>>) => parse({ ...season, ...changes });
const changedReward = (changes: Readonly<Record<string, unknown>>) =>
  changed({ rewards: [{ ...reward, ...changes }] });

/** 2026-01-01T00:00:00Z */
const START = 1_767_225_600n;
/** 2026-02-01T00:00:00Z */
const END = 1_769_904_000n;

test('rewards and boosts without times last as long as their season', () => {
  const boosts = [{ wallet: RESERVE, stakingBoost: '0.3' }];
  expect(changed({ boosts, maxBoost: '1' })).toEqual([
    {
      source: 'Season1',
      start: START,
      end: END,
      maxBoost: { numerator: 1n, denominator: 1n },
      rewards: [
        {
          vault: VAULT,
          rewardToken: TOKEN,
          tokensPerSecond: { numerator: 25n, denominator: 100n },
          from: START,
          to: END,
        },
      ],
      boosts: [{ wallet: RESERVE, stakingBoost: { numerator: 3n, denominator: 10n }, from: START }],
    },
  ]);
});

test('a season without boosts needs no maxBoost', () => {
  expect(parse(season)[0]?.maxBoost).toEqual({ numerator: 0n, denominator: 1n });
});

test('a reward applies to the reserves that it names, and null counts as absent', () => {
  const targets = (depositReserve: string | null, borrowReserve: string | null) => {
    const [found] = changedReward({ vault: null, depositReserve, borrowReserve });
    return found?.rewards.map(({ vault, depositReserve: d, borrowReserve: b }) => [vault, d, b]);
  };
  expect(targets(RESERVE, null)).toEqual([[undefined, RESERVE, undefined]]);
  expect(targets(null, RESERVE)).toEqual([[undefined, undefined, RESERVE]]);
  expect(targets(RESERVE, VAULT)).toEqual([[undefined, RESERVE, VAULT]]);
});

test.each([
  ['a date', '2026-01-01', START],
  ['epoch milliseconds', 1_767_225_600_000, START],
  ['milliseconds, rounded up to a second', 1_767_225_599_001, START],
  ['a time without a zone, in UTC', '2026-01-01T00:00', START],
  ['a time with a zone', '2026-01-01T02:30:00+02:30', START],
  ['a time with a fraction of a second', '2025-12-31T23:59:59.5Z', START],
])('a time may be %s', (_, start, expected) => {
  expect(changed({ start })[0]?.start).toBe(expected);
});

test.each([
  ['a date that does not exist', '2026-02-30'],
  ['an hour that does not exist', '2026-01-01T25:00:00Z'],
  ['the 24th hour', '2026-01-01T24:00:00Z'],
  ['a word', 'soon'],
  ['milliseconds as a string', '1767225600000'],
  ['a fraction', 1_767_225_600_000.5],
  ['a time before 1970', -1],
  ['nothing', undefined],
])('%s is not a time', (_, start) => {
  expect(() => changed({ start })).toThrow(
    'The registry seasons.json is invalid: [0].start must be a date like "2026-01-31" or "2026-01-31T12:00:00Z", or epoch milliseconds. Fix the file.',
  );
});

test.each([
  [() => changed({ source: '' }), '[0].source must have 1 to 64 characters'],
  [() => changed({ source: 5 }), '[0].source must be a string'],
  [() => changed({ end: '2026-01-01' }), '[0].end must be after start'],
  [
    () => changed({ start: 1_767_225_600 }),
    '[0].start must be in milliseconds, not seconds: 1767225600000',
  ],
  [
    () => changed({ boosts: [{ wallet: VAULT, stakingBoost: '1' }] }),
    '[0].maxBoost is required if there are boosts',
  ],
  [
    () => changed({ boost: [] }),
    '[0].boost is unknown; known fields: source, start, end, maxBoost, rewards, boosts',
  ],
  [() => changed({ rewards: {} }), '[0].rewards must be an array'],
  [() => changedReward({ rewardToken: 'x' }), '[0].rewards[0].rewardToken must be an address'],
  [
    () => changedReward({ tokensPerSecond: 0.25 }),
    '[0].rewards[0].tokensPerSecond must be a non-negative decimal string such as "0.25"',
  ],
  [
    () => changedReward({ tokensPerSecond: '-1' }),
    '[0].rewards[0].tokensPerSecond must be a non-negative decimal string such as "0.25"',
  ],
  [
    () => changedReward({ tokensPerSecond: '0.0' }),
    '[0].rewards[0].tokensPerSecond must be greater than zero',
  ],
  [
    () => changedReward({ vault: undefined }),
    '[0].rewards[0] must have a vault, a depositReserve, a borrowReserve, or both reserves',
  ],
  [
    () => changedReward({ borrowReserve: RESERVE }),
    '[0].rewards[0] must have either a vault or reserves',
  ],
  [
    () => changedReward({ vault: '11111111111111111111111111111111' }),
    '[0].rewards[0].vault must not be the zero address',
  ],
  [
    () => changedReward({ from: '2026-01-10', to: '2026-01-10' }),
    '[0].rewards[0].to must be after from',
  ],
  [
    () => changedReward({ from: '2026-02-01', to: '2026-03-01' }),
    '[0].rewards[0] must overlap its season',
  ],
  [
    () => changedReward({ form: '2026-01-10' }),
    '[0].rewards[0].form is unknown; known fields: vault, depositReserve, borrowReserve, rewardToken, tokensPerSecond, from, to',
  ],
  [
    () => changed({ maxBoost: '1', boosts: [{ wallet: VAULT, stakingBoost: '1', until: 1 }] }),
    '[0].boosts[0].until is unknown; known fields: wallet, stakingBoost, from',
  ],
  [() => parse(season, season), '[1].source "Season1" is not unique'],
])('invalid season %# is rejected with its path and reason', (read, reason) => {
  expect(read).toThrow(`The registry seasons.json is invalid: ${reason}. Fix the file.`);
});

const named = (source: string, start: string) => ({ ...season, source, start });
const sources = (seasons: ReturnType<typeof parse>) => seasons.map(({ source }) => source);

test('seasons are sorted by start', () => {
  const found = parse(named('b', '2026-01-03'), named('a', '2026-01-02'), named('c', '2026-01-01'));
  expect(sources(found)).toEqual(['c', 'a', 'b']);
});

test('of two seasons with the same source, the newer list wins', () => {
  const known = parse(named('a', '2026-01-02'), named('b', '2026-01-03'));
  const newer = parse(named('a', '2026-01-04'));
  const merged = mergeSeasons(known, newer);
  expect(sources(merged)).toEqual(['b', 'a']);
  expect(merged[1]).toBe(newer[0]);
  expect(mergeSeasons(known, [])).toBe(known);
});
