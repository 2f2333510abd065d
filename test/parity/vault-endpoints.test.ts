import { expect, test } from 'vitest';
import { readGolden } from '../support/golden/golden.ts';
import { goldenClusters } from '../support/golden/golden-clusters.ts';
import { goldenOverRpc } from '../support/golden/golden-node.ts';
import { startApi } from '../support/http/test-api.ts';
import { expectValue } from '../support/reference/expect-value.ts';
import {
  type Decimal50,
  divide,
  multiply,
  parseDecimal50,
  sum,
  toDecimal50,
} from '../support/reference/reference-lending.ts';
import { accruedReserve, expectApy, type SdkReserve } from '../support/reference/sdk-values.ts';

type SdkVault = {
  name: string;
  address: string;
  tokenMint: string;
  sharesMint: string;
  sharesIssued: string;
  holdings: { available: string; investedInReserves: Record<string, string>; pendingFees: string };
  theoreticalApy: { netAPY: string };
  actualApy: { netAPY: string };
  allocations: Record<string, { targetWeight: string; tokenAllocationCap: string }>;
  reservesDetails: Record<string, { supplyAPY: string; market: string }>;
  collaterals: Record<string, { reservesAsCollateral: SdkCollateral[] }>;
  users: Record<string, SdkHolder>;
};

type SdkCollateral = { mint: string; address: string; liquidationLTVPct: string };
type SdkHolder = {
  address: string;
  unstakedShares: string;
  stakedShares: string;
  totalShares: string;
};

type SdkFile = {
  slot: string;
  unix: number;
  markets: { reserves: SdkReserve[] }[];
  vaults: SdkVault[];
};

const sdk = readGolden('expected.json') as SdkFile;
const clusters = goldenClusters({ reader: await goldenOverRpc() });

const sdkReserves = sdk.markets.flatMap(({ reserves }) => reserves);

const reserveOf = (address: string) => {
  const reserve = sdkReserves.find((one) => one.address === address);
  if (reserve === undefined) throw new Error(`no reserve ${address}`);
  return { ...accruedReserve(reserve), mint: reserve.mint, symbol: reserve.symbol };
};

/** The holdings of the SDK with the interest of the program, in whole tokens. */
function vaultWithProgramInterest({ holdings, tokenMint, sharesIssued }: SdkVault) {
  const parts = Object.entries(holdings.investedInReserves).map(([address, invested]) => {
    const reserve = reserveOf(address);
    const tokens = multiply(parseDecimal50(invested), reserve.perDeposit);
    return { address, reserve, tokens, used: divide(reserve.debt, reserve.supply) };
  });
  const priced = parts.find(({ reserve }) => reserve.mint === tokenMint);
  if (priced === undefined) throw new Error(`no price of ${tokenMint}`);
  const { price, lamportsPerToken } = priced.reserve;
  const available = parseDecimal50(holdings.available);
  const invested = sum(parts.map(({ tokens }) => tokens));
  // shares have the decimals of the token
  const shares = toDecimal50(BigInt(sharesIssued), lamportsPerToken);
  const perShare = divide(available + invested - parseDecimal50(holdings.pendingFees), shares);
  const held = available + invested;
  return { parts, price, lamportsPerToken, available, invested, held, shares, perShare };
}

test.each(sdk.vaults)('the metrics of $name match the SDK', async (expected) => {
  const { get } = await startApi({ clusters });
  const { body, headers } = await get(`/kvaults/vaults/${expected.address}/metrics`);
  const figures = body as Record<string, string>;
  expect(headers.get('x-slot')).toBe(sdk.slot);
  const { price, available, invested, perShare, shares } = vaultWithProgramInterest(expected);
  const booked: Record<string, Decimal50> = {
    tokenPrice: price,
    tokensAvailable: available,
    tokensAvailableUsd: multiply(available, price),
    tokensInvested: invested,
    tokensInvestedUsd: multiply(invested, price),
    tokensPerShare: perShare,
    sharePrice: multiply(perShare, price),
    sharesIssued: shares,
  };
  for (const [name, figure] of Object.entries(booked)) expectValue(figures[name], figure, name);
  expectApy(figures['apyTheoretical'], expected.theoreticalApy.netAPY, 'theoretical APY');
  expectApy(figures['apyActual'], expected.actualApy.netAPY, 'actual APY');
  expect(figures['numberOfHolders']).toBe(Object.keys(expected.users).length);
});

type Row = Record<string, string> & {
  collateral: { reserve: string; tokenMint: string; liquidationLtvPct: string }[];
};

type Allocations = {
  asOf: string;
  capitalDeployedUsd: string;
  utilizationRatio: string;
  allocations: Row[];
  unallocated: { tokenAmount: string; usd: string };
};

test.each(sdk.vaults)('the allocations of $name match the SDK', async (expected) => {
  const { get } = await startApi({ clusters });
  const { body } = await get(`/kvaults/vaults/${expected.address}/allocations`);
  const answer = body as Allocations;
  const vault = vaultWithProgramInterest(expected);
  expect(answer.asOf).toBe(new Date(sdk.unix * 1000).toISOString());
  expect(answer.allocations.map(({ reserve }) => reserve)).toEqual(
    vault.parts.map(({ address }) => address),
  );
  for (const [i, row] of answer.allocations.entries()) expectRow(row, expected, vault.parts[i]);
  const lent = sum(vault.parts.map(({ tokens, used }) => multiply(tokens, used)));
  expectValue(answer.utilizationRatio, divide(lent, vault.held), 'utilization');
  expectValue(answer.capitalDeployedUsd, multiply(vault.invested, vault.price), 'deployed');
  expectValue(answer.unallocated.tokenAmount, vault.available, 'free tokens');
  expectValue(answer.unallocated.usd, multiply(vault.available, vault.price), 'free USD');
});

type Part = ReturnType<typeof vaultWithProgramInterest>['parts'][number];

function expectRow(row: Row, expected: SdkVault, part: Part | undefined): void {
  const address = part?.address ?? '';
  const [terms, details] = [expected.allocations[address], expected.reservesDetails[address]];
  const collateral = expected.collaterals[address]?.reservesAsCollateral;
  if (part === undefined || terms === undefined || details === undefined) {
    throw new Error(`no allocation to ${address}`);
  }
  const { reserve, tokens, used } = part;
  const weights = sum(Object.values(expected.allocations).map((one) => BigInt(one.targetWeight)));
  const cap = toDecimal50(BigInt(terms.tokenAllocationCap), reserve.lamportsPerToken);
  expect(row).toMatchObject({
    market: details.market,
    tokenMint: reserve.mint,
    symbol: reserve.symbol,
  });
  const booked: Record<string, Decimal50> = {
    targetWeightPct: toDecimal50(100n * BigInt(terms.targetWeight), weights),
    suppliedTokenAmount: tokens,
    suppliedUsd: multiply(tokens, reserve.price),
    capTokenAmount: cap,
    utilizationRatio: used,
  };
  for (const [name, figure] of Object.entries(booked)) expectValue(row[name], figure, name);
  expectApy(row['supplyApy'], details.supplyAPY, 'supply APY');
  const pledged = row.collateral.map((one) => [one.reserve, one.tokenMint, one.liquidationLtvPct]);
  expect(pledged.sort()).toEqual(
    collateral?.map((one) => [one.address, one.mint, one.liquidationLTVPct]).sort(),
  );
}

const holders = sdk.vaults.flatMap(({ address: vault, name, users }) =>
  Object.entries(users).map(([user, held]) => ({ vault, name, user, held })),
);

test.each(holders)('the shares of $user in $name match the SDK', async ({ vault, held }) => {
  const { get } = await startApi({ clusters });
  const { body } = await get(`/kvaults/users/${held.address}/positions/${vault}`);
  const { unstakedShares, stakedShares, totalShares } = held;
  expect(body).toEqual({ vaultAddress: vault, unstakedShares, stakedShares, totalShares });
});
