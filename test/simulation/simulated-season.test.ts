import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metadataOfPlan } from '#localnet/genesis/genesis.ts';
import { type History, openHistory } from '#server/history/open-history.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import {
  type RecordedSimulation,
  recordSimulation,
  startSimulationApi,
} from '../support/history/recorded-simulation.ts';
import { SIMULATION_END } from '../support/localnet/simulated-genesis.ts';
import { type Decimal50, parseDecimal50 } from '../support/reference/reference-lending.ts';
import { ReferenceSeason } from '../support/reference/reference-season.ts';

const SEED = 'tidegate';
const HOUR = 3_600n;
const DAYS = 1;
const NO_RESERVE = '11111111111111111111111111111111';

const season = metadataOfPlan({ seed: SEED, days: DAYS, until: SIMULATION_END }).seasons.at(-1);
if (season === undefined) throw new Error('no season');
const reference = new ReferenceSeason(season.rewards);
const lendingRewards = season.rewards.filter(({ vault }) => vault === undefined);

let history: History;
let recorded: RecordedSimulation;
const folder = mkdtempSync(join(tmpdir(), 'season-'));

beforeAll(async () => {
  history = await openHistory({ url: undefined, folder, log: silentLog });
  const onStep = (step: Parameters<ReferenceSeason['observe']>[0]) => reference.observe(step);
  recorded = await recordSimulation({ seed: SEED, days: DAYS, onStep }, history);
});

afterAll(async () => {
  await history.close();
  rmSync(folder, { recursive: true, force: true });
});

type RewardReserves = {
  readonly depositReserve: string | null;
  readonly borrowReserve: string | null;
};
type UserReward = {
  readonly rewardMint: string;
  readonly tokensEarned: string;
  readonly usdAmount: string;
  readonly usdAmountBoosted: string;
};

const isFor =
  ({ depositReserve, borrowReserve }: (typeof lendingRewards)[number]) =>
  (reserves: RewardReserves): boolean =>
    reserves.depositReserve === (depositReserve ?? null) &&
    reserves.borrowReserve === (borrowReserve ?? null);

/** Relative error of at most 10^-digits. */
const expectNear = (actual: Decimal50, expected: Decimal50, digits: number): void => {
  const difference = actual > expected ? actual - expected : expected - actual;
  expect(difference * 10n ** BigInt(digits)).toBeLessThanOrEqual(expected);
};

const sumOf = (values: readonly Decimal50[]): Decimal50 =>
  values.reduce((sum, value) => sum + value, 0n);

async function startAll() {
  const { get } = await startSimulationApi(recorded);
  const { wallets } = recorded.metadata;
  const all = async <Body>(pathOf: (wallet: string) => string): Promise<Body[]> => {
    const bodies: Body[] = [];
    for (const wallet of wallets) bodies.push((await get(pathOf(wallet))).body as Body);
    return bodies;
  };
  return { get, wallets, all };
}

describe('season of a simulated day', () => {
  test('rewards for loans equal the reference for each wallet and add up to the amount paid', async () => {
    const { wallets, all } = await startAll();
    const bodies = await all<{ rewards: (UserReward & RewardReserves)[] }>(
      (wallet) => `/klend/users/${wallet}/rewards`,
    );
    for (const reward of lendingRewards) {
      const expected = reference.earned(reward, SIMULATION_END.unix);
      const earned = bodies.map(({ rewards }) =>
        parseDecimal50(rewards.find(isFor(reward))?.tokensEarned ?? '0'),
      );
      for (const [i, wallet] of wallets.entries()) {
        expectNear(earned[i] ?? 0n, expected.byOwner.get(wallet) ?? 0n, 8);
      }
      expect(earned.filter((value) => value > 0n).length).toBeGreaterThan(1);
      expectNear(sumOf(earned), expected.total, 15);
    }
  });

  test('rewards for vault shares add up to the amount paid', async () => {
    const { all } = await startAll();
    const bodies = await all<UserReward[]>((wallet) => `/kvaults/users/${wallet}/rewards`);
    const shareRewards = season.rewards.filter(({ vault }) => vault !== undefined);
    expect(shareRewards.length).toBeGreaterThan(1);
    for (const reward of shareRewards) {
      const earned = bodies.map((rewards) => {
        const entry = rewards.find(({ rewardMint }) => rewardMint === reward.rewardToken);
        return parseDecimal50(entry?.tokensEarned ?? '0');
      });
      const paid = reference.shareRewards(reward, SIMULATION_END.unix);
      expect(paid).toBeGreaterThan(0n);
      expectNear(sumOf(earned), paid, 15);
    }
  });

  test('the total of a wallet has all its rewards in the first token, with the boost', async () => {
    const { get, wallets } = await startAll();
    const token = season.rewards[0]?.rewardToken;
    for (const wallet of wallets.slice(0, 3)) {
      const { rewards } = (await get(`/klend/users/${wallet}/rewards`)).body as {
        rewards: UserReward[];
      };
      const shares = (await get(`/kvaults/users/${wallet}/rewards`)).body as UserReward[];
      const boosted = [...rewards, ...shares]
        .filter(({ rewardMint, usdAmount }) => rewardMint === token && usdAmount !== '0')
        .map(({ tokensEarned, usdAmount, usdAmountBoosted }) => {
          const [tokens, usd, boostedUsd] = [tokensEarned, usdAmount, usdAmountBoosted].map(
            parseDecimal50,
          );
          return ((tokens ?? 0n) * (boostedUsd ?? 0n)) / (usd ?? 1n);
        });
      const { totalRewards } = (await get(`/season-rewards/users/${wallet}`)).body as {
        totalRewards: { amount: string; tokenMint: string };
      };
      expect(totalRewards.tokenMint).toBe(token);
      expectNear(parseDecimal50(totalRewards.amount), sumOf(boosted), 15);
    }
  });

  test('there is a point for each full hour, and the last one is close to the current rate', async () => {
    const { get } = await startAll();
    const current = (await get('/klend/rewards')).body as (RewardReserves & { apy: string })[];
    for (const reward of lendingRewards) {
      const { depositReserve = NO_RESERVE, borrowReserve = NO_RESERVE } = reward;
      const path = `/klend/${depositReserve}/${borrowReserve}/rewards/history?frequency=hour`;
      const points = (await get(path)).body as { timestamp: string; rewardApy: string }[];
      expect(points.length).toBeGreaterThan(
        Number((SIMULATION_END.unix - season.start) / HOUR) - 3,
      );
      const fullHour = SIMULATION_END.unix - (SIMULATION_END.unix % HOUR);
      expect(points.at(-1)?.timestamp).toBe(new Date(Number(fullHour) * 1000).toISOString());
      // the rate at the full hour; since then, only prices and interest changed
      const last = parseDecimal50(points.at(-1)?.rewardApy ?? '0');
      expectNear(last, parseDecimal50(current.find(isFor(reward))?.apy ?? '0'), 2);
    }
  });
});

const schemas: readonly (readonly [string, string, (wallet: string) => string])[] = [
  ['core', 'VaultReward', () => '/kvaults/rewards'],
  ['core', 'LendingReward', () => '/klend/rewards'],
  ['core', 'UserLendingRewards', (wallet) => `/klend/users/${wallet}/rewards`],
  [
    'core',
    'LendingRewardPoint',
    () => `/klend/${lendingRewards[0]?.depositReserve}/${NO_RESERVE}/rewards/history`,
  ],
  ['extended', 'UserVaultReward', (wallet) => `/kvaults/users/${wallet}/rewards`],
  ['extended', 'SeasonUserTotal', (wallet) => `/season-rewards/users/${wallet}`],
  ['extended', 'StakingBoost', (wallet) => `/users/${wallet}/staking-boosts`],
];

test.each(schemas)(
  'in the %s contract, %s of a season matches its schema',
  async (document, name, pathOf) => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const file = new URL(`../contract/${document}.openapi.json`, import.meta.url);
    ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')) as object, 'contract');
    const validate = ajv.compile({ $ref: `contract#/components/schemas/${name}` });
    const { get, wallets } = await startAll();
    const items = [(await get(pathOf(wallets[0] ?? ''))).body].flat();
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) expect(validate(item), JSON.stringify(validate.errors)).toBe(true);
  },
);
