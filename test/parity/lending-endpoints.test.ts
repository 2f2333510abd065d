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
import {
  type AccruedReserve,
  accruedReserve,
  expectApy,
  expectWithin,
  largestExcess,
  type SdkReserve,
} from '../support/reference/sdk-values.ts';

type SdkPosition = {
  reserveAddress: string;
  mintAddress: string;
  mintFactor: string;
  amount: string;
  marketValueRefreshed: string;
};

type SdkLoan = {
  address: string;
  owner: string;
  tag: number;
  elevationGroup: number;
  refreshedStats: Record<string, string | number>;
  loanToValueProgram: string;
  liquidationLtvProgram: string;
  deposits: SdkPosition[];
  borrows: SdkPosition[];
};

type SdkFile = {
  slot: string;
  unix: number;
  markets: { name: string; address: string; reserves: SdkReserve[]; obligations: SdkLoan[] }[];
  users: { name: string; address: string; obligations: { market: string; address: string }[] }[];
};

/** The tolerance of values without interest since the last refresh. */
const TOLERANCE = toDecimal50(1n, 10n ** 12n);

const sdk = readGolden('expected.json') as SdkFile;
const clusters = goldenClusters({ reader: await goldenOverRpc() });

const reserves = new Map(
  sdk.markets.flatMap((market) => market.reserves.map((one) => [one.address, accruedReserve(one)])),
);

const reserveOf = (address: string): AccruedReserve => {
  const reserve = reserves.get(address);
  if (reserve === undefined) throw new Error(`no reserve ${address}`);
  return reserve;
};

test.each(sdk.markets)('the reserve metrics of $name match the SDK', async (market) => {
  const { get } = await startApi({ clusters });
  const { body, headers } = await get(`/svc-market/${market.address}/reserves/metrics`);
  const rows = body as Record<string, string>[];
  expect(headers.get('x-slot')).toBe(sdk.slot);
  expect(rows).toHaveLength(market.reserves.length);
  for (const expected of market.reserves) {
    const { supply, debt, price, lamportsPerToken } = reserveOf(expected.address);
    const row = rows.find(({ reserve }) => reserve === expected.address);
    expect(row?.['liquidityToken']).toBe(expected.symbol);
    expect(row?.['liquidityTokenMint']).toBe(expected.mint);
    expect(Number(row?.['maxLtv'])).toBe(expected.stats.loanToValue);
    expectValue(row?.['totalSupply'], supply / lamportsPerToken, 'supply');
    expectValue(row?.['totalBorrow'], debt / lamportsPerToken, 'debt');
    expectValue(
      row?.['totalSupplyUsd'],
      multiply(supply / lamportsPerToken, price),
      'supply in USD',
    );
    expectValue(row?.['totalBorrowUsd'], multiply(debt / lamportsPerToken, price), 'debt in USD');
    expectApy(row?.['borrowApy'], expected.borrowApy, 'borrow APY');
    expectApy(row?.['supplyApy'], expected.supplyApy, 'supply APY');
  }
});

/** The positions of the SDK with the interest of the program, in whole tokens and USD. */
function loanWithProgramInterest({ deposits, borrows }: SdkLoan) {
  const booked = (position: SdkPosition, perLamport: Decimal50) => ({
    ...position,
    perLamport,
    price: reserveOf(position.reserveAddress).price,
    tokens: multiply(parseDecimal50(position.amount), perLamport) / BigInt(position.mintFactor),
    usd: multiply(parseDecimal50(position.marketValueRefreshed), perLamport),
  });
  const held = deposits.map((one) => booked(one, reserveOf(one.reserveAddress).perDeposit));
  const owed = borrows.map((one) => booked(one, reserveOf(one.reserveAddress).perDebt));
  return {
    deposits: held,
    borrows: owed,
    deposited: sum(held.map(({ usd }) => usd)),
    borrowed: sum(owed.map(({ usd }) => usd)),
    /** The tolerance of a weighted sum, or of a ratio of two sums. */
    part: largestExcess(held) + largestExcess(owed) + TOLERANCE,
  };
}

type Obligation = { obligationAddress: string; refreshedStats: Record<string, string> };

test.each(sdk.markets)('the loans of every wallet in $name match the SDK', async (market) => {
  const { get } = await startApi({ clusters });
  for (const { address: wallet, obligations } of sdk.users) {
    const { body } = await get(`/svc-market/${market.address}/users/${wallet}/obligations`);
    const listed = body as Obligation[];
    const theirs = obligations.filter((one) => one.market === market.address);
    expect(listed.map(({ obligationAddress }) => obligationAddress).sort()).toEqual(
      theirs.map(({ address }) => address).sort(),
    );
    for (const ours of listed) {
      const loan = market.obligations.find(({ address }) => address === ours.obligationAddress);
      if (loan === undefined) throw new Error(`no loan ${ours.obligationAddress}`);
      expect(ours).toMatchObject({ obligationTag: loan.tag });
      expectStats(ours.refreshedStats, loan);
    }
  }
});

function expectStats(ours: Record<string, string>, loan: SdkLoan): void {
  const { deposited, borrowed, part } = loanWithProgramInterest(loan);
  const booked: Record<string, Decimal50> = {
    userTotalDeposit: deposited,
    userTotalBorrow: borrowed,
    netAccountValue: deposited - borrowed,
    leverage: divide(deposited, deposited - borrowed),
  };
  expect(Object.keys(ours).sort()).toEqual(Object.keys(loan.refreshedStats).sort());
  for (const [name, theirs] of Object.entries(loan.refreshedStats)) {
    const exact = booked[name];
    const what = `${name} of ${loan.address}`;
    if (exact !== undefined) expectValue(ours[name], exact, what);
    else expectWithin(ours[name], { of: parseDecimal50(String(theirs)), part }, what);
  }
}

type Position = Record<string, string | number>;
type Report = {
  leverage: number;
  loanInfo: {
    collateral: { deposits: Position[] };
    debt: { borrows: Position[] };
    currentLtv: number;
    liquidationLtv: number;
  };
};

test.each(sdk.markets)('the loan reports in $name match the SDK', async (market) => {
  const { get } = await startApi({ clusters });
  for (const loan of market.obligations) {
    const { body } = await get(`/klend/loans/${loan.address}`);
    expect(body).toMatchObject({
      loanId: loan.address,
      marketId: market.address,
      user: loan.owner,
      elevationGroup: loan.elevationGroup,
      solanaSlot: Number(sdk.slot),
      timestamp: sdk.unix * 1000,
    });
    expectReport(body as Report, loan);
  }
});

function expectReport({ leverage, loanInfo }: Report, loan: SdkLoan): void {
  const { deposits, borrows, deposited, borrowed, part } = loanWithProgramInterest(loan);
  const { collateral, debt, currentLtv, liquidationLtv } = loanInfo;
  expectPositions(collateral.deposits, deposits);
  expectPositions(debt.borrows, borrows);
  const ltv = { of: parseDecimal50(loan.loanToValueProgram), part };
  const limit = { of: parseDecimal50(loan.liquidationLtvProgram), part };
  expectValue(leverage, divide(deposited, deposited - borrowed), `leverage of ${loan.address}`);
  expectWithin(currentLtv, ltv, `LTV of ${loan.address}`);
  expectWithin(liquidationLtv, limit, `liquidation LTV of ${loan.address}`);
}

function expectPositions(
  ours: readonly Position[],
  theirs: readonly { mintAddress: string; tokens: Decimal50; usd: Decimal50; price: Decimal50 }[],
): void {
  expect(ours.map(({ tokenMint }) => tokenMint)).toEqual(
    theirs.map(({ mintAddress }) => mintAddress),
  );
  for (const [i, { tokens, usd, price }] of theirs.entries()) {
    expectValue(ours[i]?.['tokenAmount'], tokens, 'amount');
    expectValue(ours[i]?.['tokenValue'], usd, 'value');
    expectValue(ours[i]?.['tokenPrice'], price, 'price');
  }
}
