import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { VaultEventKind } from '#core/views/transactions/events/history-event.ts';
import { goldenVault } from '../../../support/golden/golden-addresses.ts';
import { MIDNIGHT, uniqueAddress } from '../../../support/history/history-rows.ts';
import { held, isoOf, traded, whole } from '../../../support/history/user-vault-rows.ts';
import {
  NOW,
  startVaultHistoryApi,
  vaultHourPoint,
  wholeToSf,
} from '../../../support/history/vault-history-rows.ts';

const STEADY = goldenVault('Steady USDC').address;
const HOUR = 3_600n;
const DAY = 86_400n;

const part = (numerator: bigint, denominator: bigint) => ({ numerator, denominator });

test('a position earns from its purchase, and a sale splits the interval', async () => {
  const ids = { wallet: uniqueAddress(), vault: uniqueAddress() };
  const start = MIDNIGHT;
  const hour = (i: bigint, tokens: bigint, price = 1n) =>
    vaultHourPoint(ids.vault, start + i * HOUR + HOUR - 1n, {
      tokens,
      priceSf: wholeToSf(price),
      interestPerSecond: part(1n, 1_000n),
    });
  const points = [
    hour(0n, 1_000n),
    // purchase at 1.05 in this hour: 5 tokens, 5 USD
    hour(1n, 1_100n),
    // 100 shares earn 10 tokens, 20 USD
    hour(2n, 1_200n, 2n),
    // half is sold at 1.25: 100 shares earn 5, then 50 earn 5, 30 USD in total
    hour(3n, 1_350n, 3n),
    // the rest is sold
    hour(4n, 1_400n),
  ];
  const vaultHoldings = [
    held(ids, start + HOUR + 5n, 100n),
    held(ids, start + 3n * HOUR + 5n, 50n),
    held(ids, start + 4n * HOUR + 5n, 0n),
  ];
  const vaultEvents = [
    traded(ids, start + HOUR + 5n, { event: 'deposit', tokensPerShare: part(105n, 100n) }),
    traded(ids, start + 3n * HOUR + 5n, { event: 'withdraw', tokensPerShare: part(125n, 100n) }),
    traded(ids, start + 4n * HOUR + 5n, { event: 'withdraw', tokensPerShare: part(135n, 100n) }),
  ];
  const { get } = await startVaultHistoryApi({ batch: { points, vaultHoldings, vaultEvents } });
  const path = `/kvaults/users/${ids.wallet}/vaults/${ids.vault}/metrics/history`;
  const day = `?start=${isoOf(start)}`;
  const { body } = await get(`${path}${day}`);
  const perSecond = { interestEarnedPerSecond: '0.0001', interestEarnedPerSecondUsd: '0.0001' };
  const expected = [
    {
      createdOn: isoOf(start + 2n * HOUR),
      sharesAmount: '100',
      usdAmount: '110',
      solAmount: '1.1',
      apy: '0',
      cumulativeInterestEarned: '5',
      cumulativeInterestEarnedUsd: '5',
      cumulativeInterestEarnedSol: '0.05',
      ...perSecond,
      interestEarnedPerSecondSol: '0.000001',
    },
    {
      createdOn: isoOf(start + 3n * HOUR),
      sharesAmount: '100',
      usdAmount: '240',
      solAmount: '2.4',
      apy: '0',
      cumulativeInterestEarned: '15',
      cumulativeInterestEarnedUsd: '25',
      cumulativeInterestEarnedSol: '0.25',
      ...perSecond,
      interestEarnedPerSecondUsd: '0.0002',
      interestEarnedPerSecondSol: '0.000002',
    },
    {
      createdOn: isoOf(start + 4n * HOUR),
      sharesAmount: '50',
      usdAmount: '202.5',
      solAmount: '2.025',
      apy: '0',
      cumulativeInterestEarned: '25',
      cumulativeInterestEarnedUsd: '55',
      cumulativeInterestEarnedSol: '0.55',
      interestEarnedPerSecond: '0.00005',
      interestEarnedPerSecondUsd: '0.00015',
      interestEarnedPerSecondSol: '0.0000015',
    },
  ];
  expect(body).toEqual(expected);
  const later = await get(
    `${path}?start=${isoOf(start + 3n * HOUR)}&end=${isoOf(start + 4n * HOUR)}`,
  );
  expect(later.body).toEqual(expected.slice(1, 2));
  const aliased = `/kvaults/${ids.vault}/users/${ids.wallet}/metrics/history${day}`;
  expect((await get(aliased)).body).toEqual(expected);
  const backwards = `?start=${isoOf(NOW)}&end=${isoOf(start)}`;
  expect((await get(`${path}${backwards}`)).body).toEqual([]);
  const others = `/kvaults/users/${uniqueAddress()}/vaults/${ids.vault}/metrics/history`;
  expect((await get(others)).body).toEqual([]);
});

test('for more than 90 days, a daily point equals that of the last hour of the day', async () => {
  const ids = { wallet: uniqueAddress(), vault: uniqueAddress() };
  const from = MIDNIGHT - 2n * DAY;
  const hours = Array.from({ length: 60 }, (_, i) =>
    vaultHourPoint(ids.vault, from + BigInt(i) * HOUR + 7n, {
      tokens: 1_000n + BigInt(i),
      priceSf: wholeToSf(BigInt(1 + (i % 3))),
    }),
  );
  const vaultHoldings = [held(ids, from - 5n, 10n)];
  const { get } = await startVaultHistoryApi({ batch: { points: hours, vaultHoldings } });
  const path = `/kvaults/users/${ids.wallet}/vaults/${ids.vault}/metrics/history`;
  const byHour = (await get(`${path}?start=${isoOf(from)}`)).body as { createdOn: string }[];
  const byDay = (await get(path)).body as { createdOn: string }[];
  expect(byHour).toHaveLength(60);
  const midnights = [isoOf(from + DAY), isoOf(from + 2n * DAY)];
  expect(byDay.map(({ createdOn }) => createdOn)).toEqual(midnights);
  expect(byDay).toEqual(byHour.filter(({ createdOn }) => midnights.includes(createdOn)));
});

test('the history of all vaults adds up the vaults, with a weighted APY', async () => {
  const wallet = uniqueAddress();
  const [one, two] = [uniqueAddress(), uniqueAddress()];
  const apr = (vault: Address, i: bigint, tokens: bigint) =>
    vaultHourPoint(vault, MIDNIGHT + i * HOUR, {
      tokens,
      theoreticalApr: vault === one ? part(1n, 10n) : part(0n, 1n),
    });
  const points = [
    ...[apr(one, 0n, 1_000n), apr(one, 1n, 1_100n)],
    ...[apr(two, 0n, 1_000n), apr(two, 1n, 1_200n)],
  ];
  const vaultHoldings = [
    held({ wallet, vault: one }, MIDNIGHT - 5n, 100n),
    held({ wallet, vault: two }, MIDNIGHT + 5n, 300n),
  ];
  const { get } = await startVaultHistoryApi({ batch: { points, vaultHoldings } });
  const { body } = await get(`/kvaults/users/${wallet}/metrics/history?start=${isoOf(MIDNIGHT)}`);
  const rows = body as Record<string, string>[];
  expect(rows).toMatchObject([
    { createdOn: isoOf(MIDNIGHT), usdAmount: '100', cumulativeInterestEarnedUsd: '0' },
    {
      createdOn: isoOf(MIDNIGHT + HOUR),
      usdAmount: '470',
      solAmount: '4.7',
      cumulativeInterestEarnedUsd: '70',
      cumulativeInterestEarnedSol: '0.7',
    },
  ]);
  const apy = (1 + 0.1 / 63_072_000) ** 63_072_000 - 1;
  expect(Number(rows[0]?.['weightedApy'])).toBeCloseTo(apy, 7);
  expect(Number(rows[1]?.['weightedApy'])).toBeCloseTo((apy * 110) / 470, 7);
});

test('profit and loss uses average cost, values transfers at the share price and ends with a valuation', async () => {
  const ids = { wallet: uniqueAddress(), vault: uniqueAddress() };
  const trade = (i: bigint, shares: bigint, changes: { event: VaultEventKind; tokens: bigint }) =>
    traded(ids, MIDNIGHT + i, {
      event: changes.event,
      sharesAmount: whole(shares),
      tokensPerShare: part(changes.tokens, 100n),
      priceSf: wholeToSf(2n),
      solPriceSf: wholeToSf(100n),
    });
  const vaultEvents = [
    trade(10n, 100n, { event: 'deposit', tokens: 100n }),
    trade(20n, 100n, { event: 'shareTransferIn', tokens: 200n }),
    trade(30n, 50n, { event: 'withdraw', tokens: 300n }),
    traded(ids, MIDNIGHT + 35n, { event: 'investIn' }),
  ];
  const points = [
    vaultHourPoint(ids.vault, MIDNIGHT + 40n, {
      tokens: 4_000n,
      priceSf: wholeToSf(1n),
      solPriceSf: wholeToSf(50n),
    }),
  ];
  const { get } = await startVaultHistoryApi({ batch: { vaultEvents, points } });
  const path = `/kvaults/users/${ids.wallet}/vaults/${ids.vault}/pnl`;
  const history = async (query: string) =>
    (await get(`${path}/history${query}`)).body as { history: Record<string, unknown>[] };
  const fullHistory = await history(`?end=${isoOf(MIDNIGHT + 60n)}`);
  expect(
    fullHistory.history.map(({ timestamp, type, position }) => [timestamp, type, position]),
  ).toEqual([
    [Number(MIDNIGHT + 10n) * 1000, 'buy', '100'],
    [Number(MIDNIGHT + 20n) * 1000, 'buy', '200'],
    [Number(MIDNIGHT + 30n) * 1000, 'sell', '150'],
    [Number(MIDNIGHT + 60n) * 1000, 'mark-to-market', '150'],
  ]);
  // 100 shares at 1 and 100 at 2 tokens cost 300 tokens; 50 with a cost of 1.5 are sold at 3
  expect(fullHistory.history[2]).toMatchObject({
    quantity: '50',
    sharePrice: { usd: '6', sol: '0.06', token: '3' },
    costBasis: { usd: '450', sol: '4.5', token: '225' },
    realizedPnl: { usd: '150', sol: '1.5', token: '75' },
    pnl: { usd: '600', sol: '6', token: '300' },
    investment: { usd: '300', sol: '3', token: '150' },
  });
  // 150 shares at 4 tokens of 1 USD
  const end = {
    totalPnl: { usd: '300', sol: '9', token: '450' },
    totalCostBasis: { usd: '450', sol: '4.5', token: '225' },
  };
  expect(fullHistory).toMatchObject(end);
  expect((await history(`?start=${isoOf(MIDNIGHT + 30n)}`)).history).toHaveLength(2);
  const before = await history(`?end=${isoOf(MIDNIGHT + 20n)}`);
  expect(before.history).toMatchObject([{ type: 'buy' }, { type: 'mark-to-market' }]);
  expect(await history(`?start=${isoOf(NOW)}&end=${isoOf(MIDNIGHT + 60n)}`)).toEqual({
    history: [],
    ...end,
  });
  expect((await get(path)).body).toEqual(end);
  const now = await history('');
  expect(now).toMatchObject(end);
  // 75 tokens at 2 USD, and 375 at 1 USD
  expect((await get(`${path}/breakdown`)).body).toEqual({
    profitUsd: '300',
    yield: { usd: '525', token: '450' },
    priceUsd: '-225',
    averageTokenPrice: '2',
    tokenPrice: '1',
  });
  const nothing = { usd: '0', sol: '0', token: '0' };
  expect((await get(`/kvaults/users/${uniqueAddress()}/vaults/${ids.vault}/pnl`)).body).toEqual({
    totalPnl: nothing,
    totalCostBasis: nothing,
  });
  const none = `/kvaults/users/${uniqueAddress()}/vaults/${ids.vault}/pnl/breakdown`;
  expect((await get(none)).body).toMatchObject({ profitUsd: '0', tokenPrice: null });
});

test('the current position is valued as in the vault metrics', async () => {
  const ids = { wallet: uniqueAddress(), vault: STEADY };
  const vaultEvents = [
    traded(ids, MIDNIGHT, {
      event: 'deposit',
      sharesAmount: whole(10n),
      tokensPerShare: part(1n, 1n),
      priceSf: wholeToSf(1n),
      solPriceSf: wholeToSf(100n),
    }),
    // ahead of the cluster state
    traded(ids, NOW + 5n, {
      event: 'sell',
      sharesAmount: whole(12n),
      tokensPerShare: part(2n, 1n),
      priceSf: wholeToSf(1n),
      solPriceSf: wholeToSf(100n),
    }),
  ];
  const { get, writer } = await startVaultHistoryApi({
    batch: { vaultEvents: vaultEvents.slice(0, 1) },
  });
  const metrics = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Record<string, string>;
  const path = `/kvaults/users/${ids.wallet}/vaults/${STEADY}/pnl`;
  const { totalPnl } = (await get(path)).body as { totalPnl: { usd: string; token: string } };
  expect(Number(totalPnl.usd)).toBeCloseTo(10 * Number(metrics['sharePrice']) - 10, 9);
  expect(Number(totalPnl.token)).toBeCloseTo(10 * Number(metrics['tokensPerShare']) - 10, 9);

  await writer.append({ vaultEvents });
  const after = (await get(`${path}/history`)).body as { history: { type: string }[] };
  // the purchase of two shares is missing and added
  expect(after.history.map(({ type }) => type)).toEqual(['buy', 'buy', 'sell', 'mark-to-market']);
  expect(after.history.at(-1)).toMatchObject({
    timestamp: Number(NOW + 5n) * 1000,
    position: '0',
    realizedPnl: { token: '10' },
  });
});
