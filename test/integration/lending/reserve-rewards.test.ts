import { expect, test } from 'vitest';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenMarket, goldenReserve } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';

const MARKET = goldenMarket('Main Market').address;
const USDC_RESERVE = goldenReserve('Main Market', 'USDC').address;
const PATH = `/svc-market/${MARKET}/reserves/rewards`;

const goldenAccount = (address: typeof MARKET) => {
  const account = goldenCluster().accounts.get(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  return account;
};

/** The golden cluster in which the USDC reserve pays rewards: no recorded reserve does. */
function clustersWith(perSlot: bigint, available: bigint, maxAprBps: number) {
  const [market, usdc] = [goldenAccount(MARKET), goldenAccount(USDC_RESERVE)];
  const rewards = (fields: Reserve): Reserve => ({
    ...fields,
    config: { ...fields.config, rewardsAmountPerAccrualUnit: toLamports(perSlot) },
    liquidity: { ...fields.liquidity, rewardsAmountAvailable: toLamports(available) },
  });
  const changed = goldenWithAccounts([
    [
      MARKET,
      {
        ...market,
        data: lendingMarket.encode({
          ...lendingMarket.decode(market),
          reserveRewardsMaxAprBps: maxAprBps,
        }),
      },
    ],
    [USDC_RESERVE, { ...usdc, data: reserve.encode(rewards(reserve.decode(usdc))) }],
  ]);
  return goldenClusters({ reader: goldenReader(changed) });
}

async function rewardsOf(...values: Parameters<typeof clustersWith>) {
  const { get } = await startApi({ clusters: clustersWith(...values) });
  const { status, body } = await get(PATH);
  expect(status).toBe(200);
  return body as readonly Record<string, string>[];
}

test('reserves without rewards are not listed, and an unknown market has none', async () => {
  const { get } = await goldenApi();
  expect((await get(PATH)).body).toEqual([]);
  const unknown = await get(`/svc-market/${USDC_RESERVE}/reserves/rewards`);
  expect([unknown.status, unknown.body]).toEqual([200, []]);
});

test('a reserve has its rate, the rest and the maximum of its market', async () => {
  const [item, ...others] = await rewardsOf(10n ** 6n, 5n * 10n ** 12n, 250);
  expect(others).toEqual([]);
  expect(item).toMatchObject({
    reserve: USDC_RESERVE,
    liquidityToken: 'USDC',
    maxApr: '0.025',
    rewardsPerSlot: '1',
  });
  // 1 USDC per slot is above 2.5 % a year; slots of 400 ms make 3.125 %, compounded 3.174...
  expect(Number(item?.['rewardsApy'])).toBeCloseTo(Math.expm1(0.03125), 6);
  expect(Number(item?.['rewardsRemaining'])).toBeLessThanOrEqual(5_000_000);
  expect(Number(item?.['rewardsRemaining'])).toBeGreaterThan(0);
});

test('without remaining rewards, or if the market disables them, the rate is zero', async () => {
  expect(await rewardsOf(1n, 0n, 250)).toMatchObject([{ rewardsApy: '0', rewardsRemaining: '0' }]);
  expect(await rewardsOf(1n, 7n, 0)).toMatchObject([{ rewardsApy: '0', maxApr: '0' }]);
});

test('distributed rewards are part of the supply', async () => {
  const supplyOf = async (clusters?: ReturnType<typeof clustersWith>) => {
    const { get } = await startApi(clusters === undefined ? {} : { clusters });
    const { body } = await get(`/svc-market/${MARKET}/reserves/metrics`);
    const items = body as readonly { reserve: string; totalSupply: string }[];
    return Number(items.find((item) => item.reserve === USDC_RESERVE)?.totalSupply);
  };
  const { slot } = goldenCluster().at;
  const elapsed = slot - reserve.decode(goldenAccount(USDC_RESERVE)).lastUpdate.slot;
  expect(elapsed).toBeGreaterThan(0n);
  const gained = (await supplyOf(clustersWith(10n ** 6n, 10n ** 15n, 10_000))) - (await supplyOf());
  const cap = (await supplyOf()) * (Number(elapsed) / 63_072_000);
  expect(gained).toBeCloseTo(Math.min(Number(elapsed), cap), 3);
});
