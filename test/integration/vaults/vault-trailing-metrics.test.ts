import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { toUnixSeconds } from '#core/base/time.ts';
import { VaultHistoryCache } from '#server/clusters/vault-history-cache.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import {
  NOW,
  startVaultHistoryApi,
  vaultHourPoint,
  wholeToSf,
} from '../../support/history/vault-history-rows.ts';
import { goldenApi } from '../../support/http/test-api.ts';

const STEADY = goldenVault('Steady USDC').address;
const SOL_EARN = goldenVault('SOL Earn').address;
const DAY = 86_400n;
const GOLDEN_NOW = goldenCluster().at.unix;

type Metrics = Record<string, string>;
type Summary = { earnings: Record<string, { usd: string; sol: string }> };

const one = { numerator: 1n, denominator: 1n };
const times = (numerator: bigint) => ({ numerator, denominator: 1n });

test('trailing APYs start at the last sample before each window, or at the creation of a younger vault', async () => {
  const points = [
    // 100 days old, 1 token per share; then 40, 8 and 2 days old
    vaultHourPoint(STEADY, GOLDEN_NOW - 100n * DAY, { tokens: 1_000n }),
    vaultHourPoint(STEADY, GOLDEN_NOW - 40n * DAY, { tokens: 1_010n }),
    vaultHourPoint(STEADY, GOLDEN_NOW - 8n * DAY, { tokens: 1_020n }),
    vaultHourPoint(STEADY, GOLDEN_NOW - 2n * DAY, { tokens: 1_030n }),
    // in the last day, so no window starts at it
    vaultHourPoint(STEADY, GOLDEN_NOW - 3_600n, { tokens: 1_040n }),
  ];
  const { get } = await startVaultHistoryApi({ batch: { points }, now: GOLDEN_NOW });
  const metrics = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Metrics;
  const now = Number(metrics['tokensPerShare']);
  const createdAt = goldenReader().vault(STEADY)?.fields.creationTimestamp ?? 0n;
  const lifetime = now ** (365 / (Number(GOLDEN_NOW - createdAt) / 86_400)) - 1;
  const expected = {
    apy24h: (now / 1.03) ** (365 / 2) - 1,
    apy7d: (now / 1.02) ** (365 / 8) - 1,
    apy30d: (now / 1.01) ** (365 / 40) - 1,
    apy90d: (now / 1) ** (365 / 100) - 1,
    apy180d: lifetime,
    apy365d: lifetime,
  };
  for (const [name, apy] of Object.entries(expected)) {
    expect(Number(metrics[name])).toBeCloseTo(apy, 9);
  }
  expect(new Set(Object.keys(expected).map((name) => metrics[name])).size).toBe(5);
});

test('cumulative values add the growth since the last sample at current prices', async () => {
  const { fields } = goldenReader().vault(STEADY) ?? {};
  if (fields === undefined) throw new Error('no such vault');
  const unit = 10n ** fields.tokenMintDecimals;
  const point = vaultHourPoint(STEADY, GOLDEN_NOW - 3_600n, {
    tokens: 1_000n,
    interestSf: fields.cumulativeEarnedInterestSf - wholeToSf(5n * unit),
    interestUsd: times(1_000n),
    interestSol: times(10n),
    managementFeeSf: fields.cumulativeMgmtFeesSf,
    managementFeeUsd: times(7n),
    managementFeeSol: times(2n),
    performanceFeeSf: fields.cumulativePerfFeesSf,
    performanceFeeUsd: times(3n),
    performanceFeeSol: one,
  });
  const { get } = await startVaultHistoryApi({
    batch: { points: [point] },
    now: GOLDEN_NOW,
  });
  const metrics = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Metrics;
  const price = Number(metrics['tokenPrice']);
  const tokensOf = (sf: bigint) => Number(sf) / 2 ** 60 / Number(unit);
  const [aum, previousAum] = [
    Number(metrics['tokensPerShare']) * Number(metrics['sharesIssued']),
    tokensOf(fields.prevAumSf),
  ];
  const seconds = Number(GOLDEN_NOW - fields.lastFeeChargeTimestamp);
  const accrued = Math.max(aum - previousAum, 0);
  const gainUsd = (5 + accrued) * price;
  expect(Math.min(price, accrued, seconds)).toBeGreaterThan(0);
  expect(Number(metrics['cumulativeInterestEarnedUsd'])).toBeCloseTo(1_000 + gainUsd, 6);
  const sol = gainUsd / Number(metrics['solPrice']);
  expect(Number(metrics['cumulativeInterestEarnedSol'])).toBeCloseTo(10 + sol, 9);
  const { managementFeeBps, performanceFeeBps } = fields;
  const management = (previousAum * Number(managementFeeBps) * seconds) / 10_000 / 31_556_926;
  const performance = (accrued * Number(performanceFeeBps)) / 10_000;
  const usdOf = (name: string) => Number(metrics[`cumulative${name}FeesUsd`]);
  expect(usdOf('Management')).toBeCloseTo(7 + management * price, 6);
  expect(usdOf('Performance')).toBeCloseTo(3 + performance * price, 6);
  const withoutHistory = await goldenApi();
  const lifetime = (await withoutHistory.get(`/kvaults/vaults/${STEADY}/metrics`)).body as Metrics;
  expect(metrics['cumulativeInterestEarned']).toBe(lifetime['cumulativeInterestEarned']);
});

test('the summary adds up all vaults of the requested type', async () => {
  const earnings = (usd: bigint) => ({
    tokens: 1_000n,
    interestUsd: times(usd),
    interestSol: times(usd / 100n),
    farmRewardsUsd: times(20n),
    farmRewardsSol: times(2n),
    reserveRewardsUsd: times(30n),
    reserveRewardsSol: times(3n),
  });
  const interestOf = (vault: typeof STEADY) => {
    const fields = goldenReader().vault(vault)?.fields;
    return { interestSf: fields?.cumulativeEarnedInterestSf ?? 0n };
  };
  const points = [
    vaultHourPoint(STEADY, NOW - 3_600n, { ...earnings(500n), ...interestOf(STEADY) }),
    vaultHourPoint(SOL_EARN, NOW - 3_600n, { ...earnings(700n), ...interestOf(SOL_EARN) }),
  ];
  const allDefault = await startVaultHistoryApi({ batch: { points } });
  const interestUsd = async (vault: typeof STEADY): Promise<number> => {
    const metrics = (await allDefault.get(`/kvaults/vaults/${vault}/metrics`)).body as Metrics;
    return Number(metrics['cumulativeInterestEarnedUsd']);
  };
  const [steady, sol] = [await interestUsd(STEADY), await interestUsd(SOL_EARN)];
  expect(Math.min(steady - 500, sol - 700)).toBeGreaterThanOrEqual(0);
  const all = (await allDefault.get('/kvaults/summary')).body as Summary;
  expect(all.earnings).toMatchObject({
    rewards: { usd: '40', sol: '4' },
    reserveRewards: { usd: '60', sol: '6' },
  });
  expect(Number(all.earnings['interest']?.usd)).toBeCloseTo(steady + sol, 9);
  expect(Number(all.earnings['total']?.usd)).toBeCloseTo(steady + sol + 100, 9);
  const registry = createRegistry({ ...emptyRegistry, privateCreditVaults: new Set([SOL_EARN]) });
  const split = await startVaultHistoryApi({ batch: { points }, registry });
  const totalOf = async (type: string) =>
    Number(
      ((await split.get(`/kvaults/summary?type=${type}`)).body as Summary).earnings['total']?.usd,
    );
  expect(await totalOf('private-credit')).toBeCloseTo(sol + 50, 9);
  expect(await totalOf('default')).toBeCloseTo(steady + 50, 9);
  expect((await split.get('/kvaults/summary?type=x')).status).toBe(400);
});

test('the history cache refreshes after one minute of chain time and survives a database error', async () => {
  const { reader: history, writer } = await startVaultHistoryApi({ batch: {} });
  let unix = NOW;
  const { slot } = goldenCluster().at;
  const reader = { ...goldenReader(), at: () => ({ slot, unix: toUnixSeconds(unix) }) };
  const cache = new VaultHistoryCache({ history, reader, log: silentLog });
  const snapshot = () => [cache.version(), cache.find(STEADY)?.newest.aumSf];
  await cache.refreshIfStale();
  expect(snapshot()).toEqual([1, undefined]);

  await writer.append({ points: [vaultHourPoint(STEADY, NOW, { tokens: 1n })] });
  unix = NOW + 59n;
  await cache.refreshIfStale();
  expect(snapshot()).toEqual([1, undefined]);
  unix = NOW + 60n;
  await Promise.all([cache.refreshIfStale(), cache.refreshIfStale()]);
  expect(snapshot()).toEqual([2, wholeToSf(1_000_000n)]);

  unix = NOW + 200n;
  await sql`alter table vault_day rename to vault_day_renamed`.execute(history.db);
  await cache.refreshIfStale();
  await sql`alter table vault_day_renamed rename to vault_day`.execute(history.db);
  expect(snapshot()).toEqual([2, wholeToSf(1_000_000n)]);
  unix = NOW + 260n;
  await cache.refreshIfStale();
  expect(snapshot()).toEqual([3, wholeToSf(1_000_000n)]);
});

test('without history the summary returns 503, and all APY windows cover the lifetime of the vault', async () => {
  const { get } = await goldenApi();
  const { status, headers } = await get('/kvaults/summary');
  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  const metrics = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Metrics;
  expect(metrics['apy24h']).toBe(metrics['apy365d']);
});
