import { expect, test } from 'vitest';
import { exampleMarket } from '../../../../../test/support/lending/example-market.ts';
import {
  emptyMarket,
  exampleReserves,
  MARKET,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { toAddress } from '../../base/encoding/address.ts';
import { formatRatio } from '../../base/numbers/decimal.ts';
import { sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { viewPriceGroups } from './price-groups.ts';

const FEED = toAddress('3NJYftD5sjVfxSnUdZ1wVML8f3aC6mp1CXCL6L7TnU8C');
const STAKED_RESERVE = toAddress('EVbyPKrHG6WBfm4dLxLMJpUDY43cCAcHSpV3KYjKsktW');
const NONE = 65535;

type Setup = { chain: readonly number[]; price: bigint; groups?: readonly number[] };

function reserveWith({ chain, price, groups = [] }: Setup): Reserve {
  const [example] = exampleReserves().values();
  if (example === undefined) throw new Error('there is no example');
  const { tokenInfo } = example.config;
  const scopeConfiguration = {
    ...tokenInfo.scopeConfiguration,
    priceFeed: FEED,
    priceChain: [...chain, NONE, NONE, NONE].slice(0, 4),
  };
  return {
    ...example,
    lendingMarket: MARKET,
    config: {
      ...example.config,
      elevationGroups: Uint8Array.from({ length: 20 }, (_, i) => groups[i] ?? 0),
      tokenInfo: { ...tokenInfo, scopeConfiguration },
    },
    liquidity: { ...example.liquidity, marketPriceSf: sfFromInt(price) },
  };
}

type Setups = readonly [sol: Setup, staked: Setup, usdc: Setup];

function groupsOf([sol, staked, usdc]: Setups, market = emptyMarket()) {
  const reserves = new Map([
    [SOL_RESERVE, reserveWith(sol)],
    [STAKED_RESERVE, reserveWith(staked)],
    [USDC_RESERVE, reserveWith(usdc)],
  ]);
  return viewPriceGroups(exampleMarket({ reserves, market })).map(({ basis, members }) => ({
    basis,
    members: members.map(({ reserve, rate }) => [reserve.address, formatRatio(rate, 6)]),
  }));
}

const sol = { chain: [0], price: 200n };
const staked = { chain: [51, 0], price: 250n };
const usdc = { chain: [20], price: 1n };

// the chains of mainnet: JITOSOL is 51 times 0, SOL is 0, USDC is 20
test('tokens whose chains end with the same entry are a group, in tokens of the shortest chain', () => {
  expect(groupsOf([sol, staked, usdc])).toEqual([
    {
      basis: { kind: 'price chain' },
      members: [
        [SOL_RESERVE, '1'],
        [STAKED_RESERVE, '1.25'],
      ],
    },
  ]);
});

test('another last entry, another chain of four zeros and a price of zero are no group', () => {
  expect(groupsOf([sol, { ...staked, chain: [51, 3] }, usdc])).toEqual([]);
  expect(groupsOf([{ ...sol, chain: [0, 0, 0, 0] }, staked, usdc])).toEqual([]);
  expect(groupsOf([{ ...sol, price: 0n }, staked, usdc])).toEqual([]);
});

test('an elevation group has its debt first, and only reserves that are in it', () => {
  const empty = emptyMarket();
  const group = { ltvPct: 90, liquidationThresholdPct: 92, id: 2, debtReserve: USDC_RESERVE };
  const market = {
    ...empty,
    elevationGroups: empty.elevationGroups.map((each, i) =>
      i === 1 ? { ...each, ...group } : each,
    ),
  };
  const other = { chain: [77], price: 250n, groups: [1] };
  const groups = groupsOf([{ ...sol, groups: [2] }, other, { ...usdc, groups: [2] }], market);
  expect(groups).toEqual([
    {
      basis: { kind: 'elevation group', id: 2 },
      members: [
        [USDC_RESERVE, '1'],
        [SOL_RESERVE, '200'],
      ],
    },
  ]);
});
