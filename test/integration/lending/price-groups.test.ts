import { expect, test } from 'vitest';
import { goldenMarket, goldenReserve } from '../../support/golden/golden-addresses.ts';
import { goldenApi } from '../../support/http/test-api.ts';

const MARKET = goldenMarket('Main Market').address;
const SOL = goldenReserve('Main Market', 'SOL').address;

type Token = { readonly reserve: string; readonly symbol: string; readonly rate: string };
type Group = {
  readonly basis: string;
  readonly elevationGroup: number;
  readonly reference: string;
  readonly tokens: readonly Token[];
};

async function groupsOf(market: string) {
  const { get } = await goldenApi();
  const { status, body } = await get(`/svc-market/${market}/price-groups`);
  expect(status).toBe(200);
  return body as readonly Group[];
}

// the recorded prices: SOL 175.2389155, JITOSOL 1.2317 SOL, USDC 0.99987, PYUSD 0.9997, USDT 1.00042
test('a market has groups by price chain and by elevation group, with rates in the reference', async () => {
  const groups = await groupsOf(MARKET);
  expect(groups.map(({ basis, elevationGroup }) => [basis, elevationGroup])).toEqual([
    ['price-chain', 0],
    ['elevation-group', 1],
    ['elevation-group', 2],
  ]);
  const rates = groups.map(({ tokens }) =>
    tokens.map(({ symbol, rate }) => [symbol, Number(rate).toFixed(4)]),
  );
  const staked = [
    ['SOL', '1.0000'],
    ['JITOSOL', '1.2317'],
  ];
  expect(rates).toEqual([
    staked,
    staked,
    [
      ['USDC', '1.0000'],
      ['PYUSD', '0.9998'],
      ['USDT', '1.0006'],
    ],
  ]);
  expect(groups[0]).toMatchObject({
    reference: 'So11111111111111111111111111111111111111112',
    tokens: [{ reserve: SOL, price: '175.2389155' }, { price: '215.84177222135' }],
  });
});

test('an unknown market has none', async () => {
  expect(await groupsOf(SOL)).toEqual([]);
});
