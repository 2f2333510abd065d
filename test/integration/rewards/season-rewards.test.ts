import { describe, expect, test } from 'vitest';
import { toUnixSeconds } from '#core/base/time.ts';
import type { Season } from '#core/views/rewards/seasons/season.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { startApi } from '../../support/http/test-api.ts';
import {
  goldenSeason,
  referenceApy,
  referenceEligible,
} from '../../support/reference/golden-season.ts';
import {
  type Decimal50,
  parseDecimal50,
  sum,
  toDecimal50,
} from '../../support/reference/reference-lending.ts';

const { reference, loans, season, price, lent, owed, rewardToken } = goldenSeason();
const NOW = '2025-10-17';

const startSeasons = (...seasons: readonly Season[]) =>
  startApi({
    clusters: goldenClusters({ registry: createRegistry({ ...emptyRegistry, seasons }) }),
  });

/** Relative error of at most 10^-12. */
const expectNear = (text: string | undefined, expected: Decimal50): void => {
  const actual = parseDecimal50(text ?? '0');
  const difference = actual > expected ? actual - expected : expected - actual;
  expect(difference * 10n ** 12n).toBeLessThanOrEqual(expected);
};

type LendingReward = {
  readonly depositReserve: string | null;
  readonly borrowReserve: string | null;
  readonly market: string;
  readonly rewardToken: string;
  readonly lastCalculated: string;
  readonly apy: string;
  readonly tokensPerSecond: string;
  readonly activePositionsUsd: string;
};

describe('listLendingRewards', () => {
  test('has rates for deposits, debts and pairs, relative to the value of all eligible loans', async () => {
    const { get } = await startSeasons(season);
    const rewards = (await get('/klend/rewards')).body as LendingReward[];
    const expectedRewards = season.rewards.filter(({ vault }) => vault === undefined);
    expect(rewards).toHaveLength(expectedRewards.length);
    for (const reward of expectedRewards) {
      const { depositReserve, borrowReserve } = reward;
      const actual = rewards.find(
        (each) =>
          each.depositReserve === (depositReserve ?? null) &&
          each.borrowReserve === (borrowReserve ?? null),
      );
      const eligible = sum(loans.map(({ loan }) => referenceEligible(loan, reward)));
      const { numerator, denominator } = reward.tokensPerSecond;
      const perSecond = toDecimal50(numerator, denominator);
      expect(actual).toMatchObject({
        rewardToken,
        market: reference.stored.get(lent)?.lendingMarket,
      });
      expect(actual?.lastCalculated).toContain(NOW);
      expectNear(actual?.activePositionsUsd, eligible);
      expectNear(actual?.tokensPerSecond, perSecond);
      expectNear(actual?.apy, referenceApy(perSecond, price, eligible));
    }
  });

  test('has zero rates for a reward that is not paid now, with the value of its positions', async () => {
    const ended = { ...season, end: toUnixSeconds(reference.at.unix) };
    const { get } = await startSeasons(ended);
    const rewards = (await get('/klend/rewards')).body as LendingReward[];
    expect(rewards.map(({ apy, tokensPerSecond }) => [apy, tokensPerSecond])).toEqual(
      rewards.map(() => ['0', '0']),
    );
    expect(rewards.every(({ activePositionsUsd }) => activePositionsUsd !== '0')).toBe(true);
  });

  test('omits unknown reserves', async () => {
    const [first] = season.rewards;
    if (first?.vault === undefined) throw new Error('no vault');
    const { vault, ...reward } = first;
    const { get } = await startSeasons({
      ...season,
      rewards: [
        { ...reward, depositReserve: vault },
        { ...reward, depositReserve: lent, borrowReserve: vault },
        { ...reward, borrowReserve: owed },
      ],
    });
    const rewards = (await get('/klend/rewards')).body as LendingReward[];
    expect(
      rewards.map(({ depositReserve, borrowReserve }) => [depositReserve, borrowReserve]),
    ).toEqual([[null, owed]]);
  });
});

type Stats = {
  readonly supplyApyBreakdown: Readonly<Record<string, string | null>>;
  readonly borrowApyBreakdown: Readonly<Record<string, string | null>>;
  readonly pairIncentives: readonly Readonly<Record<string, string>>[];
};

describe('getReserveStats', () => {
  const rewardsFor = (isSelected: (reward: LendingReward) => boolean, list: LendingReward[]) =>
    list.filter(isSelected).reduce((total, { apy }) => total + Number(apy), 0);

  test('has the season rates of deposits, debts and pairs', async () => {
    const { get } = await startSeasons(season);
    const list = (await get('/klend/rewards')).body as LendingReward[];
    const stats = (await get(`/reserves/${lent}/stats`)).body as Stats;
    const supplied = rewardsFor(
      ({ depositReserve, borrowReserve }) => depositReserve === lent && borrowReserve === null,
      list,
    );
    expect(supplied).toBeGreaterThan(0);
    const { lending, incentives, seasonRewards, total } = stats.supplyApyBreakdown;
    expect(Number(seasonRewards)).toBeCloseTo(supplied, 12);
    expect(Number(total)).toBeCloseTo(Number(lending) + Number(incentives) + supplied, 12);
    const owing = (await get(`/reserves/${owed}/stats`)).body as Stats;
    const paid = rewardsFor(
      ({ depositReserve, borrowReserve }) => depositReserve === null && borrowReserve === owed,
      list,
    );
    expect(paid).toBeGreaterThan(0);
    expect(Number(owing.borrowApyBreakdown['seasonRewards'])).toBeCloseTo(paid, 12);
    expect(Number(owing.borrowApyBreakdown['total'])).toBeCloseTo(
      Number(owing.borrowApyBreakdown['borrow']) -
        Number(owing.borrowApyBreakdown['incentives']) -
        paid,
      12,
    );
    const pairs = list.filter(
      (each) => each.depositReserve !== null && each.borrowReserve !== null,
    );
    expect(pairs.length).toBeGreaterThan(0);
    for (const { pairIncentives } of [stats, owing]) {
      expect(pairIncentives).toEqual(
        pairs.map(({ depositReserve, borrowReserve, apy, tokensPerSecond }) => ({
          depositReserve,
          borrowReserve,
          rewardToken,
          apy,
          tokensPerSecond,
        })),
      );
    }
  });

  test('has none outside of the season, and null where not all loans are followed', async () => {
    const ended = await startSeasons({ ...season, end: toUnixSeconds(reference.at.unix) });
    const stats = (await ended.get(`/reserves/${lent}/stats`)).body as Stats;
    expect(stats).toMatchObject({ supplyApyBreakdown: { seasonRewards: '0' }, pairIncentives: [] });
    const registry = createRegistry({ ...emptyRegistry, seasons: [season] });
    const { get } = await startApi({
      clusters: goldenClusters({ registry, hasAllPositions: () => false }),
    });
    expect((await get(`/reserves/${lent}/stats`)).body).toMatchObject({
      supplyApyBreakdown: { seasonRewards: null, total: null },
      borrowApyBreakdown: { seasonRewards: null, total: null },
      pairIncentives: [],
    });
  });
});

test('listVaultRewards has rates relative to the value of all shares', async () => {
  const { get } = await startSeasons(season);
  const vault = season.rewards[0]?.vault;
  const [reward, ...others] = (await get('/kvaults/rewards')).body as {
    kvault: string;
    rewardToken: string;
    lastCalculated: string;
    apy: string;
    tokensPerSecond: string;
  }[];
  expect(others).toEqual([]);
  expect(reward).toMatchObject({ kvault: vault, rewardToken, tokensPerSecond: '0.25' });
  expect(reward?.lastCalculated).toContain(NOW);
  const metrics = (await get(`/kvaults/vaults/${vault}/metrics`)).body as Record<string, string>;
  const [shares, sharePrice] = [metrics['sharesIssued'], metrics['sharePrice']].map((text) =>
    parseDecimal50(text ?? '0'),
  );
  const sharesUsd = ((shares ?? 0n) * (sharePrice ?? 0n)) / 10n ** 50n;
  expectNear(reward?.apy, referenceApy(parseDecimal50('0.25'), price, sharesUsd));
  expect(metrics['apyIncentives']).toBe(reward?.apy);
});

test('apyIncentives of a vault adds up all current seasons', async () => {
  const vault = season.rewards[0]?.vault;
  const ended = { ...season, source: 'Ended', end: toUnixSeconds(reference.at.unix) };
  const incentives = async (...seasons: readonly Season[]) => {
    const { get } = await startSeasons(...seasons);
    const { body } = await get(`/kvaults/vaults/${vault}/metrics`);
    return parseDecimal50((body as Record<string, string>)['apyIncentives'] ?? '');
  };
  const one = await incentives(season);
  expect(one).toBeGreaterThan(0n);
  const both = await incentives(ended, { ...season, source: 'Other' }, season);
  expect(both - 2n * one).toBeLessThan(one / 10n ** 15n);
  expect(both).toBeGreaterThanOrEqual(2n * one);
  expect(await incentives(ended)).toBe(0n);
});

test('the source defaults to the newest season, and an unknown source gives an empty result', async () => {
  const earlier = {
    ...season,
    source: 'Earlier',
    start: toUnixSeconds(season.start - 5n),
    rewards: season.rewards.slice(0, 2),
  };
  const { get } = await startSeasons(earlier, season);
  const count = async (path: string) => ((await get(path)).body as unknown[]).length;
  expect(await count('/klend/rewards')).toBe(3);
  expect(await count('/klend/rewards?source=Golden')).toBe(3);
  expect(await count('/klend/rewards?source=Earlier')).toBe(1);
  for (const path of ['/klend/rewards', '/kvaults/rewards']) {
    expect((await get(`${path}?source=Season9`)).body).toEqual([]);
    expect((await (await startSeasons()).get(path)).body).toEqual([]);
  }
});

test('listStakingBoosts has the current boost with the name of the season', async () => {
  const [wallet, other] = loans.map(({ owner }) => owner);
  if (wallet === undefined || other === undefined) throw new Error('no wallets');
  const boost = (stakingBoost: bigint, from: bigint) => ({
    wallet,
    stakingBoost: { numerator: stakingBoost, denominator: 10n },
    from: toUnixSeconds(reference.at.unix + from),
  });
  const boosts = [boost(5n, -10n), boost(25n, 0n), boost(9n, 1n)];
  const { get } = await startSeasons({ ...season, boosts });
  const path = `/users/${wallet}/staking-boosts`;
  expect((await get(path)).body).toEqual([{ boost: '2.5', name: 'Golden' }]);
  expect((await get(`${path}?source=Season9`)).body).toEqual([]);
  expect((await get(`/users/${season.rewards[0]?.vault}/staking-boosts`)).body).toEqual([]);
});

test('rewards of a wallet require history, unless there is no season', async () => {
  const wallet = loans[0]?.owner;
  const { get } = await startSeasons(season);
  const { get: getWithoutSeason } = await startSeasons();
  for (const path of [
    `/klend/users/${wallet}/rewards`,
    `/kvaults/users/${wallet}/rewards`,
    `/season-rewards/users/${wallet}`,
    `/klend/${lent}/${owed}/rewards/history`,
  ]) {
    const { status, headers, body } = await get(path);
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(body).toEqual({ error: expect.stringContaining('No history of localnet is recorded') });
  }
  const noRewards = { avgBaseApy: '0', avgBoostedApy: '0', avgMaxApy: '0', rewards: [] };
  expect((await getWithoutSeason(`/klend/users/${wallet}/rewards`)).body).toEqual(noRewards);
  expect((await get(`/klend/users/${wallet}/rewards?source=no`)).body).toEqual(noRewards);
  expect((await getWithoutSeason(`/kvaults/users/${wallet}/rewards`)).body).toEqual([]);
  expect((await getWithoutSeason(`/season-rewards/users/${wallet}`)).body).toEqual({
    wallet,
    totalRewards: { amount: '0', tokenMint: '11111111111111111111111111111111' },
  });
});
