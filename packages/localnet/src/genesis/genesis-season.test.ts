import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { createGenesis, type GenesisPlan, metadataOfPlan } from './genesis.ts';

const UNTIL = 1_790_000_000n;
const DAY = 86_400n;

const planOf = (days: number): GenesisPlan => ({
  seed: 'season',
  until: { slot: toSlot(380_000_000n), unix: toUnixSeconds(UNTIL) },
  days,
});

test('a season runs at the end of what is played, and began no earlier than the cluster', () => {
  const timesOf = (days: number) =>
    metadataOfPlan(planOf(days)).seasons.map(({ start, end }) => [start, end]);
  expect(timesOf(365)).toEqual([[UNTIL - 60n * DAY, UNTIL + 60n * DAY]]);
  expect(timesOf(2)).toEqual([[UNTIL - 2n * DAY, UNTIL + 60n * DAY]]);
});

test('it has a reward of each kind, for what the cluster has, in tokens with a price', () => {
  const { facts, world } = createGenesis(planOf(2));
  const rewards = facts.seasons.flatMap((season) => season.rewards);
  const kinds = new Set(
    rewards.map(({ vault, depositReserve, borrowReserve }) =>
      [vault && 'vault', depositReserve && 'deposit', borrowReserve && 'debt'].join(' ').trim(),
    ),
  );
  expect(kinds).toEqual(new Set(['vault', 'deposit', 'debt', 'deposit debt']));
  const mints = new Set([...world.reserves.values()].map(({ liquidity }) => liquidity.mintPubkey));
  for (const { vault, depositReserve, borrowReserve, rewardToken } of rewards) {
    if (vault !== undefined) expect(world.vaults.has(vault)).toBe(true);
    for (const reserve of [depositReserve, borrowReserve]) {
      if (reserve !== undefined) expect(world.reserves.has(reserve)).toBe(true);
    }
    expect(mints.has(rewardToken)).toBe(true);
  }
});

test('a boost of one of its wallets is more than the season counts', () => {
  const { seasons, wallets } = metadataOfPlan(planOf(2));
  const [{ boosts, maxBoost } = { boosts: [], maxBoost: undefined }] = seasons;
  expect(maxBoost).toEqual({ numerator: 1n, denominator: 1n });
  expect(boosts.every(({ wallet }) => wallets.includes(wallet))).toBe(true);
  const above = boosts.filter(
    ({ stakingBoost: { numerator, denominator } }) => numerator > denominator,
  );
  expect(above.map(({ wallet }) => wallet)).toEqual([wallets[2]]);
});
