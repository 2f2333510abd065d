import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { vaultEventKinds } from '#server/history/event-kinds.ts';
import { deriveSeasonSubject } from '#server/history/rows/season-subject.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { goldenReserve } from '../../../support/golden/golden-addresses.ts';
import { goldenReader } from '../../../support/golden/golden-reader.ts';
import {
  MIDNIGHT,
  pricePoint,
  uniqueAddress,
  vaultEvent,
} from '../../../support/history/history-rows.ts';
import {
  NOW,
  startVaultHistoryApi,
  TOKEN,
  vaultHourPoint,
  wholeToSf,
} from '../../../support/history/vault-history-rows.ts';

const DAY = 86_400n;
const HOUR = 3_600n;
const RESERVE = goldenReserve('Main Market', 'SOL').address;

const part = (numerator: bigint, denominator: bigint) => ({ numerator, denominator });

const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();

const rewardPoint = (subject: string, at: bigint, apr: bigint): SeriesPoint => ({
  kind: 'reward',
  resolution: 'hour',
  subject: toAddress(subject),
  mint: TOKEN,
  at: toUnixSeconds(at),
  slot: toSlot(at),
  rate: part(1n, 10n),
  issued: 5n,
  priceSf: wholeToSf(1n),
  positionsUsd: part(1n, 1n),
  apr: part(apr, 1_000n),
});

test('daily and hourly points show the last sample until their timestamp', async () => {
  const vault = uniqueAddress();
  const points = [
    vaultHourPoint(vault, MIDNIGHT - 2n * DAY + 10n, { tokens: 1_000n }),
    vaultHourPoint(vault, MIDNIGHT - DAY - 10n, { tokens: 1_001n }),
    vaultHourPoint(vault, MIDNIGHT, { tokens: 1_002n }),
    vaultHourPoint(vault, MIDNIGHT + 11n * HOUR + 5n, { tokens: 1_003n }),
    // in the current hour
    vaultHourPoint(vault, MIDNIGHT + 12n * HOUR + 5n, { tokens: 1_004n }),
  ];
  const { get } = await startVaultHistoryApi({ batch: { points } });
  const seriesOf = async (query: string) => {
    const { body } = await get(`/kvaults/vaults/${vault}/metrics/history${query}`);
    return (body as { timestamp: string; tvl: string }[]).map(({ timestamp, tvl }) => [
      timestamp,
      tvl,
    ]);
  };
  const days = [
    [isoOf(MIDNIGHT - DAY), '1001'],
    [isoOf(MIDNIGHT), '1002'],
  ];
  expect(await seriesOf('')).toEqual(days);
  expect(await seriesOf(`?end=${isoOf(MIDNIGHT + 300n * DAY)}`)).toEqual(days);
  const week = `?start=${isoOf(NOW - 7n * DAY)}`;
  expect(await seriesOf(week)).toEqual([
    [isoOf(MIDNIGHT - 2n * DAY + HOUR), '1000'],
    [isoOf(MIDNIGHT - DAY), '1001'],
    [isoOf(MIDNIGHT), '1002'],
    [isoOf(MIDNIGHT + 12n * HOUR), '1003'],
  ]);
  expect(await seriesOf(`?start=${isoOf(NOW - 7n * DAY - 1n)}`)).toEqual(days);
  const edges = `?start=${isoOf(MIDNIGHT - DAY)}&end=${isoOf(MIDNIGHT)}`;
  expect(await seriesOf(edges)).toEqual([[isoOf(MIDNIGHT - DAY), '1001']]);
  expect(await seriesOf(`?start=${isoOf(MIDNIGHT)}&end=${isoOf(MIDNIGHT - DAY)}`)).toEqual([]);
});

test('a point has all values of its sample, with the rewards of farms and seasons per token', async () => {
  const [vault, farm] = [uniqueAddress(), uniqueAddress()];
  const reserveFarm = goldenReader().reserve(RESERVE)?.fields.farmCollateral ?? '';
  const at = MIDNIGHT - 10n;
  const season = {
    source: 'Season9',
    start: toUnixSeconds(0n),
    end: toUnixSeconds(2n ** 40n),
    rewards: [
      {
        vault,
        rewardToken: TOKEN,
        tokensPerSecond: part(1n, 1n),
        from: toUnixSeconds(0n),
        to: toUnixSeconds(2n ** 40n),
      },
    ],
    boosts: [],
    maxBoost: part(0n, 1n),
  };
  const points = [
    vaultHourPoint(vault, at, {
      tokens: 1_000n,
      farm,
      priceSf: wholeToSf(2n),
      solPriceSf: wholeToSf(50n),
      theoreticalApr: part(1n, 10n),
      actualApr: part(0n, 1n),
      farmRewardsApr: part(9n, 10n),
      reservesIncentivesApr: part(3n, 100n),
      interestSf: wholeToSf(12_500_000n),
      interestUsd: part(24n, 1n),
      interestSol: part(1n, 2n),
      reserves: [RESERVE, uniqueAddress()],
      investedSf: [wholeToSf(750_000_000n), wholeToSf(250_000_000n)],
      supplyAprsSf: [0n, 0n],
      rewardAprsSf: [wholeToSf(7n), wholeToSf(1n) / 4n],
    }),
    rewardPoint(farm, at, 20n),
    rewardPoint(reserveFarm, at, 30n),
    rewardPoint(deriveSeasonSubject('Season9', { vault }), at, 40n),
  ];
  const registry = createRegistry({ ...emptyRegistry, seasons: [season] });
  const { get } = await startVaultHistoryApi({ batch: { points }, registry });
  const { body } = await get(
    `/kvaults/vaults/${vault}/metrics/history?end=${isoOf(MIDNIGHT + 1n)}`,
  );
  const compounded = (1 + 0.1 / 63_072_000) ** 63_072_000 - 1;
  const [point] = body as Record<string, string>[];
  expect(Number(point?.['apyTheoretical'])).toBeCloseTo(compounded, 7);
  expect(point?.['apy']).toBe(point?.['apyTheoretical']);
  expect(body).toMatchObject([
    {
      timestamp: isoOf(MIDNIGHT),
      tvl: '2000',
      solTvl: '40',
      apyActual: '0',
      apyFarmRewards: '0.02',
      apyReservesIncentives: '0.03',
      apyIncentives: '0.04',
      sharePrice: '2',
      interest: '12.5',
      interestUsd: '24',
      interestSol: '0.5',
      reserves: [
        {
          pubkey: RESERVE,
          supplyApy: '0',
          rewardsApy: '0.03',
          allocationRatio: '0.75',
          rewardTokens: [{ tokenMint: TOKEN, apy: '0.03' }],
        },
        { supplyApy: '0', rewardsApy: '0.25', allocationRatio: '0.25', rewardTokens: [] },
      ],
      vaultRewards: [{ tokenMint: TOKEN, apy: '0.02' }],
    },
  ]);
});

test('gaps within the range are in x-gaps', async () => {
  const vault = uniqueAddress();
  const gap = {
    name: 'sampler',
    since: toUnixSeconds(MIDNIGHT - 100n),
    until: toUnixSeconds(MIDNIGHT),
  };
  const gaps = [gap, { ...gap, name: 'events' }];
  const { get } = await startVaultHistoryApi({ batch: { gaps } });
  for (const path of [
    `/kvaults/vaults/${vault}/metrics/history`,
    `/kvaults/vaults/${vault}/allocation-volume/history`,
    `/kvaults/users/${vault}/metrics/history`,
    `/kvaults/users/${vault}/vaults/${vault}/metrics/history`,
    `/kvaults/users/${vault}/vaults/${vault}/pnl/history`,
  ]) {
    const { status, headers } = await get(path);
    expect([status, headers.get('x-gaps')], path).toEqual([
      200,
      `${isoOf(MIDNIGHT - 100n)}/${isoOf(MIDNIGHT)}`,
    ]);
  }
});

const [INVEST_IN, INVEST_OUT] = [
  vaultEventKinds.indexOf('investIn'),
  vaultEventKinds.indexOf('investOut'),
];

test('the daily volume adds both directions and is 0 on days without moves', async () => {
  const vault = uniqueAddress();
  const event = (number: number, at: bigint, more: Parameters<typeof vaultEvent>[1]) =>
    vaultEvent({ number, at, slot: at }, { vault, ...more });
  const priced = (tokens: bigint, price: bigint) => ({
    tokenAmount: tokens * 1_000_000n,
    priceSf: wholeToSf(price),
  });
  const vaultEvents = [
    event(1, MIDNIGHT - 3n * DAY, { kind: INVEST_IN, ...priced(10n, 2n) }),
    event(2, MIDNIGHT - 2n * DAY - 1n, { kind: INVEST_OUT, ...priced(5n, 3n) }),
    event(3, MIDNIGHT - DAY, { kind: INVEST_IN, tokenAmount: 1_500_000n, priceSf: null }),
    event(4, MIDNIGHT - DAY, { kind: vaultEventKinds.indexOf('deposit'), ...priced(100n, 1n) }),
    event(5, MIDNIGHT + 5n, { kind: INVEST_IN, ...priced(1n, 1n) }),
  ];
  const points = [
    vaultHourPoint(vault, MIDNIGHT - 3n * DAY, { tokens: 1n }),
    pricePoint({ subject: TOKEN, at: MIDNIGHT - DAY - 30n, slot: 1n }, { priceSf: wholeToSf(4n) }),
    pricePoint({ subject: TOKEN, at: MIDNIGHT - DAY + 30n, slot: 2n }, { priceSf: wholeToSf(9n) }),
  ];
  const { get } = await startVaultHistoryApi({ batch: { points, vaultEvents } });
  const path = `/kvaults/vaults/${vault}/allocation-volume/history`;
  const { body } = await get(`${path}?start=${isoOf(MIDNIGHT - 3n * DAY)}`);
  expect(body).toEqual([
    { timestamp: isoOf(MIDNIGHT - 3n * DAY), volumeUsd: '35' },
    { timestamp: isoOf(MIDNIGHT - 2n * DAY), volumeUsd: '0' },
    { timestamp: isoOf(MIDNIGHT - DAY), volumeUsd: '6' },
    { timestamp: isoOf(MIDNIGHT), volumeUsd: '1' },
  ]);
  const year = (await get(path)).body as { timestamp: string }[];
  expect([year.length, year[0]?.timestamp]).toEqual([365, isoOf(MIDNIGHT - 364n * DAY)]);
  expect((await get(`/kvaults/vaults/${uniqueAddress()}/allocation-volume/history`)).body).toEqual(
    [],
  );
  const at366 = `?start=${isoOf(MIDNIGHT - 366n * DAY)}&end=${isoOf(MIDNIGHT)}`;
  expect((await get(`${path}${at366}`)).body).toHaveLength(366);
  const tooLong = `?start=${isoOf(MIDNIGHT - 366n * DAY - 1n)}&end=${isoOf(MIDNIGHT)}`;
  const rejected = await get(`${path}${tooLong}`);
  expect(rejected.status).toBe(400);
  expect(rejected.body).toMatchObject({
    details: [
      {
        path: ['start'],
        code: 'too_big',
        smallerRange: { start: isoOf(MIDNIGHT - 366n * DAY), end: isoOf(MIDNIGHT) },
      },
    ],
  });
});

test('an invalid time returns 400 with a suggestion', async () => {
  const { get } = await startVaultHistoryApi({ batch: {} });
  const path = `/kvaults/vaults/${uniqueAddress()}/metrics/history`;
  expect((await get(path)).body).toEqual([]);
  expect(await get(`${path}?start=1750032000`)).toMatchObject({
    status: 400,
    body: { details: [{ path: ['start'], code: 'epoch_seconds', suggestion: '1750032000000' }] },
  });
  expect(await get(`${path}?start=x&end=y`)).toMatchObject({
    status: 400,
    body: { details: [{ path: ['start'] }, { path: ['end'] }] },
  });
});

test('a long history is streamed, and a matching etag returns 304', async () => {
  const vault = uniqueAddress();
  const count = 700;
  const reserves = Array.from({ length: 8 }, () => RESERVE);
  const amounts = reserves.map(() => wholeToSf(1n));
  const points = Array.from({ length: count }, (_, i) => ({
    ...vaultHourPoint(vault, MIDNIGHT - BigInt(count - i) * DAY + 10n, { tokens: BigInt(i) }),
    reserves,
    investedSf: amounts,
    supplyAprsSf: amounts,
    rewardAprsSf: amounts,
  }));
  const { get } = await startVaultHistoryApi({ batch: { points } });
  const path = `/kvaults/vaults/${vault}/metrics/history`;
  const { headers, body } = await get(path);
  expect(headers.get('content-length')).toBeNull();
  const rows = body as { timestamp: string; tvl: string; reserves: unknown[] }[];
  expect(JSON.stringify(body).length).toBeGreaterThan(512 * 1024);
  expect(rows.map(({ tvl }) => Number(tvl))).toEqual(points.map((_, i) => i));
  expect(rows.every((row) => row.reserves.length === 8)).toBe(true);
  const etag = headers.get('etag') ?? '';
  expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
  const other = await get(`${path}?end=${isoOf(MIDNIGHT - DAY)}`, { 'if-none-match': etag });
  expect(other.status).toBe(200);
  const short = await get(`${path}?start=${isoOf(MIDNIGHT - 20n * DAY)}`);
  expect(Number(short.headers.get('content-length'))).toBeGreaterThan(0);
  expect((await get(`/kvaults/vaults/${uniqueAddress()}/metrics/history`)).body).toEqual([]);
});
