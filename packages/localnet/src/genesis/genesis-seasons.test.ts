import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { NEWEST_RULES } from '@tidegate/core/protocol/releases';
import { expect, test } from 'vitest';
import { createGenesis, type GenesisPlan, metadataOfPlan } from './genesis.ts';

const UNTIL = 1_790_000_000n;
const DAY = 86_400n;

const planOf = (days: number): GenesisPlan => ({
  seed: 'season',
  until: { slot: toSlot(380_000_000n), unix: toUnixSeconds(UNTIL) },
  days,
});

const timesOf = (days: number) =>
  metadataOfPlan(planOf(days)).seasons.map(({ source, start, end }) => [source, start, end]);

test('one season is over and one covers the end of the simulation', () => {
  expect(timesOf(365)).toEqual([
    ['Season1', UNTIL - 200n * DAY, UNTIL - 90n * DAY],
    ['Season2', UNTIL - 60n * DAY, UNTIL + 60n * DAY],
  ]);
});

test('in a short simulation, the seasons follow each other and start no earlier than the cluster', () => {
  expect(timesOf(120)).toEqual([
    ['Season1', UNTIL - 120n * DAY, UNTIL - 90n * DAY],
    ['Season2', UNTIL - 60n * DAY, UNTIL + 60n * DAY],
  ]);
  expect(timesOf(2)).toEqual([
    ['Season1', UNTIL - 2n * DAY, UNTIL - 2n * DAY + DAY / 2n],
    ['Season2', UNTIL - 2n * DAY + DAY / 2n, UNTIL + 60n * DAY],
  ]);
});

test('they have a reward of each kind, for existing vaults and reserves, in priced tokens', () => {
  const { metadata, state } = createGenesis(planOf(2), () => NEWEST_RULES);
  const rewards = metadata.seasons.flatMap((season) => season.rewards);
  const kinds = new Set(
    rewards.map(({ vault, depositReserve, borrowReserve }) =>
      [vault && 'vault', depositReserve && 'deposit', borrowReserve && 'debt'].join(' ').trim(),
    ),
  );
  expect(kinds).toEqual(new Set(['vault', 'deposit', 'debt', 'deposit debt']));
  const mints = new Set([...state.reserves.values()].map(({ liquidity }) => liquidity.mintPubkey));
  for (const { vault, depositReserve, borrowReserve, rewardToken } of rewards) {
    if (vault !== undefined) expect(state.vaults.has(vault)).toBe(true);
    for (const reserve of [depositReserve, borrowReserve]) {
      if (reserve !== undefined) expect(state.reserves.has(reserve)).toBe(true);
    }
    expect(mints.has(rewardToken)).toBe(true);
  }
});

test('the boost of one wallet exceeds the maximum', () => {
  const { seasons, wallets } = metadataOfPlan(planOf(2));
  const { boosts, maxBoost } = seasons.at(-1) ?? { boosts: [], maxBoost: undefined };
  expect(maxBoost).toEqual({ numerator: 1n, denominator: 1n });
  expect(boosts.every(({ wallet }) => wallets.includes(wallet))).toBe(true);
  const above = boosts.filter(
    ({ stakingBoost: { numerator, denominator } }) => numerator > denominator,
  );
  expect(above.map(({ wallet }) => wallet)).toEqual([wallets[2]]);
});
