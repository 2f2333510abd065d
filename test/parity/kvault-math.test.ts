import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { formatRatio, parseDecimal, type Ratio, ratio } from '#core/base/numbers/decimal.ts';
import { ONE_SF, type Sf } from '#core/base/numbers/scaled-fraction.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { reserve as reserveAccount } from '#core/protocol/klend/layout/reserve.ts';
import { ctokenExchangeRate } from '#core/protocol/klend/math/exchange-rate.ts';
import { accrueReserveToSlot } from '#core/protocol/klend/operations/refresh/refresh-reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { allocationTargets } from '#core/protocol/kvault/math/allocation-targets.ts';
import { vaultAum, vaultHoldings } from '#core/protocol/kvault/math/holdings.ts';
import { tokensPerShare } from '#core/protocol/kvault/math/shares.ts';
import { actualYield, theoreticalYield } from '#core/protocol/kvault/math/yield.ts';
import { goldenCluster, readGolden } from '../support/golden/golden.ts';
import { RECORDED_BUILD_RULES } from '../support/golden/recorded-build.ts';
import { mainnetAccounts } from '../support/mainnet/mainnet-fixtures.ts';

type Apy = { grossAPY: string; netAPY: string };

type Expected = {
  markets: { reserves: { address: string; supplyApr: number }[] }[];
  vaults: {
    address: string;
    tokensPerShare: string;
    holdings: { investedInReserves: Record<string, string> };
    computedAllocation: { targetReservesAllocation: Record<string, string> };
    theoreticalApy: Apy;
    actualApy: Apy;
  }[];
};

const expected = readGolden('expected.json') as Expected;
const cluster = goldenCluster();

/** The maximum by which the client overstates the interest since the last refresh. */
const OVERSTATED = 2e-8;
/** The precision of a double raised to the power 63072000. */
const DOUBLE_POWER = 1e-8;

test.each(expected.vaults)('the values of vault $address match the client', (figures) => {
  const { vault, holdings, exchanges, aum } = stateOf(toAddress(figures.address));
  const perShare = Number(formatRatio(tokensPerShare(vault, aum), 20));
  expect(distance(perShare, figures.tokensPerShare)).toBeLessThan(OVERSTATED);

  const invested = figures.holdings.investedInReserves;
  expect(Object.keys(invested)).toHaveLength(holdings.invested.length);
  for (const { reserve, liquidity } of holdings.invested) {
    const tokens = wholeTokens(liquidity, vault.tokenMintDecimals);
    expect(distance(tokens, invested[reserve])).toBeLessThan(OVERSTATED);
  }

  const targets = figures.computedAllocation.targetReservesAllocation;
  for (const [reserve, target] of allocationTargets(vault, aum, exchanges)) {
    const tokens = wholeTokens(target, vault.tokenMintDecimals);
    expect(distance(tokens, targets[reserve])).toBeLessThan(OVERSTATED);
  }
});

test.each(expected.vaults)('the yields of vault $address match the client', (figures) => {
  const { vault, holdings } = stateOf(toAddress(figures.address));
  const theoretical = theoreticalYield(vault, supplyAprs());
  const actual = actualYield(vault, holdings, supplyAprs());
  const pairs = [
    [theoretical.grossApy, figures.theoreticalApy.grossAPY],
    [theoretical.netApy, figures.theoreticalApy.netAPY],
    [actual.grossApy, figures.actualApy.grossAPY],
    [actual.netApy, figures.actualApy.netAPY],
  ] as const;
  for (const [ours, theirs] of pairs) {
    const difference = Number(formatRatio(ours, 20)) - Number(theirs);
    expect(Math.abs(difference)).toBeLessThan(DOUBLE_POWER);
  }
});

test('no recorded mainnet vault has a field that is not known', () => {
  const vaults = mainnetAccounts().filter((account) => vaultState.matches(account));
  expect(vaults.length).toBeGreaterThan(0);
  for (const vault of vaults) {
    const { padding1, padding2, padding3, vaultAllocationStrategy } = vaultState.decode(vault);
    const slots = vaultAllocationStrategy.flatMap((each) => [
      each.configPadding,
      each.statePadding,
    ]);
    for (const bytes of [padding1, padding2, padding3, ...slots]) {
      expect(bytes.every((byte) => byte === 0)).toBe(true);
    }
  }
});

function stateOf(address: Address) {
  const vault = vaultState.decode(present(address));
  const reserves = vault.vaultAllocationStrategy.flatMap(({ reserve }) => {
    const raw = cluster.accounts.get(reserve);
    if (raw === undefined || !reserveAccount.matches(raw)) return [];
    const stored = reserveAccount.decode(raw);
    const market = lendingMarket.decode(present(stored.lendingMarket));
    const { lending: rules } = RECORDED_BUILD_RULES;
    const accrued = accrueReserveToSlot(stored, { market, time: cluster.at, rules });
    return [[reserve, ctokenExchangeRate(accrued)] as const];
  });
  const exchanges = new Map(reserves);
  const holdings = vaultHoldings(vault, exchanges);
  return { vault, holdings, exchanges, aum: vaultAum(vault, holdings.investedTotal) };
}

function present(address: Address) {
  const account = cluster.accounts.get(address);
  if (account === undefined) throw new Error(`${address} is missing`);
  return account;
}

function supplyAprs(): ReadonlyMap<Address, Ratio> {
  const reserves = expected.markets.flatMap((market) => market.reserves);
  return new Map(
    reserves.map(({ address, supplyApr }) => [
      toAddress(address),
      parseDecimal(supplyApr.toFixed(20)),
    ]),
  );
}

const wholeTokens = (lamports: Sf, decimals: bigint): number =>
  Number(formatRatio(ratio(lamports, ONE_SF * 10n ** decimals), 20));

/** Relative to the value of the client. Infinite if the client has none. */
const distance = (ours: number, theirs: string | undefined): number =>
  theirs === undefined ? Number.POSITIVE_INFINITY : Math.abs(ours / Number(theirs) - 1);
