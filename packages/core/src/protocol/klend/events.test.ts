import { expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
import {
  burnCall,
  mintCall,
  namedAddress,
  programAddress,
  publishedCall,
  transferCall,
  u64Bytes,
} from '../../../../../test/support/protocol/published-calls.ts';
import { readKlendEvents } from './events.ts';

/** Never what is reported: executed amounts come from the tokens that moved. */
const args = [u64Bytes(999n), u64Bytes(999n), u64Bytes(999n)];

const place = { program: 'klend', programAddress: programAddress('klend'), path: [0] };
const named = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, namedAddress(name)]));
const ofObligation = named('obligation', 'lendingMarket');

test.each(['', 'V2'])('a deposit%s tells tokens paid and cTokens minted', (generation) => {
  const name = `depositReserveLiquidityAndObligationCollateral${generation}`;
  const children = [
    transferCall('userSourceLiquidity', 'reserveLiquiditySupply', 50n),
    mintCall('reserveDestinationDepositCollateral', 40n),
  ];
  expect(readKlendEvents(publishedCall('klend', name, { args, children }))).toEqual([
    {
      ...place,
      ...ofObligation,
      ...named('owner', 'reserve'),
      kind: 'deposit',
      liquidityMint: namedAddress('reserveLiquidityMint'),
      liquidityAmount: 50n,
      collateralAmount: 40n,
    },
  ]);
});

test.each(['', 'V2'])('a withdrawal%s tells tokens received and cTokens burned', (generation) => {
  const name = `withdrawObligationCollateralAndRedeemReserveCollateral${generation}`;
  const children = [
    burnCall('reserveSourceCollateral', 40n),
    transferCall('reserveLiquiditySupply', 'userDestinationLiquidity', 50n),
  ];
  expect(readKlendEvents(publishedCall('klend', name, { args, children }))).toEqual([
    {
      ...place,
      ...ofObligation,
      ...named('owner'),
      kind: 'withdraw',
      reserve: namedAddress('withdrawReserve'),
      liquidityMint: namedAddress('reserveLiquidityMint'),
      liquidityAmount: 50n,
      collateralAmount: 40n,
    },
  ]);
});

const borrowed = [
  transferCall('reserveSourceLiquidity', 'borrowReserveLiquidityFeeReceiver', 3n),
  transferCall('reserveSourceLiquidity', 'userDestinationLiquidity', 50n),
];
const borrow = {
  ...place,
  ...ofObligation,
  ...named('owner'),
  kind: 'borrow',
  reserve: namedAddress('borrowReserve'),
  liquidityMint: namedAddress('borrowReserveLiquidityMint'),
  liquidityAmount: 50n,
  feeAmount: 3n,
};

test.each(['', 'V2'])(
  'a borrow%s without a referrer owes what was received and the fee',
  (generation) => {
    const name = `borrowObligationLiquidity${generation}`;
    const call = publishedCall('klend', name, {
      args,
      children: borrowed,
      absent: ['referrerTokenState'],
    });
    expect(readKlendEvents(call)).toEqual([{ ...borrow, debtAmount: 53n }]);
  },
);

test('with a referrer the debt of a borrow is more than what moved, and not told', () => {
  const call = publishedCall('klend', 'borrowObligationLiquidityV2', { args, children: borrowed });
  expect(readKlendEvents(call)).toEqual([{ ...borrow, debtAmount: undefined }]);
});

test('a borrow without a fee has a fee of 0', () => {
  const call = publishedCall('klend', 'borrowObligationLiquidity', {
    args,
    children: borrowed.slice(1),
    absent: ['referrerTokenState'],
  });
  expect(readKlendEvents(call)).toEqual([{ ...borrow, feeAmount: 0n, debtAmount: 50n }]);
});

const repaid = transferCall('userSourceLiquidity', 'reserveDestinationLiquidity', 70n);
const repay = {
  ...place,
  ...ofObligation,
  kind: 'repay',
  payer: namedAddress('owner'),
  reserve: namedAddress('repayReserve'),
  liquidityMint: namedAddress('reserveLiquidityMint'),
  liquidityAmount: 70n,
};

test.each(['', 'V2'])('a repayment%s tells who paid', (generation) => {
  const name = `repayObligationLiquidity${generation}`;
  const call = publishedCall('klend', name, { args, children: [repaid] });
  expect(readKlendEvents(call)).toEqual([repay]);
});

test('repaying and withdrawing at once are two events', () => {
  const children = [
    repaid,
    burnCall('reserveSourceCollateral', 40n),
    transferCall('reserveLiquiditySupply', 'userDestinationLiquidity', 50n),
  ];
  const call = publishedCall('klend', 'repayAndWithdrawAndRedeem', { args, children });
  expect(readKlendEvents(call)).toEqual([
    repay,
    {
      ...place,
      kind: 'withdraw',
      owner: namedAddress('withdrawAccounts.owner'),
      obligation: namedAddress('withdrawAccounts.obligation'),
      lendingMarket: namedAddress('withdrawAccounts.lendingMarket'),
      reserve: namedAddress('withdrawReserve'),
      liquidityMint: namedAddress('withdrawAccounts.reserveLiquidityMint'),
      liquidityAmount: 50n,
      collateralAmount: 40n,
    },
  ]);
});

test('depositing and withdrawing at once are two events, each of its own reserve', () => {
  const children = [
    transferCall('userSourceLiquidity', 'reserveLiquiditySupply', 50n),
    mintCall('reserveDestinationDepositCollateral', 40n),
    burnCall('reserveSourceCollateral', 30n),
    transferCall('withdrawAccounts.reserveLiquiditySupply', 'userDestinationLiquidity', 20n),
  ];
  const call = publishedCall('klend', 'depositAndWithdraw', { args, children });
  expect(readKlendEvents(call)).toMatchObject([
    {
      kind: 'deposit',
      reserve: namedAddress('reserve'),
      liquidityAmount: 50n,
      collateralAmount: 40n,
    },
    {
      kind: 'withdraw',
      reserve: namedAddress('withdrawReserve'),
      liquidityAmount: 20n,
      collateralAmount: 30n,
    },
  ]);
});

test('cTokens are bought and sold without an obligation', () => {
  const reserve = { ...place, ...named('owner', 'lendingMarket', 'reserve') };
  const amounts = { liquidityAmount: 50n, collateralAmount: 40n };
  const liquidityMint = namedAddress('reserveLiquidityMint');
  const bought = publishedCall('klend', 'depositReserveLiquidity', {
    args,
    children: [
      transferCall('userSourceLiquidity', 'reserveLiquiditySupply', 50n),
      mintCall('userDestinationCollateral', 40n),
    ],
  });
  const sold = publishedCall('klend', 'redeemReserveCollateral', {
    args,
    children: [
      burnCall('userSourceCollateral', 40n),
      transferCall('reserveLiquiditySupply', 'userDestinationLiquidity', 50n),
    ],
  });
  expect(readKlendEvents(bought)).toEqual([
    { ...reserve, kind: 'depositReserveLiquidity', liquidityMint, ...amounts },
  ]);
  expect(readKlendEvents(sold)).toEqual([
    { ...reserve, kind: 'redeemReserveCollateral', liquidityMint, ...amounts },
  ]);
});

test.each(['', 'V2'])('cTokens move into and out of an obligation%s', (generation) => {
  const into = publishedCall('klend', `depositObligationCollateral${generation}`, {
    args,
    children: [transferCall('userSourceCollateral', 'reserveDestinationCollateral', 40n)],
  });
  const outOf = publishedCall('klend', `withdrawObligationCollateral${generation}`, {
    args,
    children: [transferCall('reserveSourceCollateral', 'userDestinationCollateral', 40n)],
  });
  const change = { ...place, ...ofObligation, ...named('owner'), collateralAmount: 40n };
  expect(readKlendEvents(into)).toEqual([
    { ...change, kind: 'depositObligationCollateral', reserve: namedAddress('depositReserve') },
  ]);
  expect(readKlendEvents(outOf)).toEqual([
    { ...change, kind: 'withdrawObligationCollateral', reserve: namedAddress('withdrawReserve') },
  ]);
});

test.each(['refreshReserve', 'refreshObligation', 'initUserMetadata'])('%s is no event', (name) => {
  const call = publishedCall('klend', name, { args: [new Uint8Array(32)] });
  expect(readKlendEvents(call)).toEqual([]);
});

test.each([
  ['depositReserveLiquidityAndObligationCollateralV2'],
  ['withdrawObligationCollateralAndRedeemReserveCollateralV2'],
  ['borrowObligationLiquidityV2'],
  ['repayObligationLiquidityV2'],
  ['depositReserveLiquidity'],
  ['redeemReserveCollateral'],
  ['depositObligationCollateralV2'],
  ['withdrawObligationCollateralV2'],
  ['liquidateObligationAndRedeemReserveCollateralV2'],
  ['flashBorrowReserveLiquidity'],
  ['flashRepayReserveLiquidity'],
  ['enqueueToWithdraw'],
  ['cancelWithdrawTicket'],
])('%s without its token transfers is refused, not told as 0', (name) => {
  expect(errorCode(() => readKlendEvents(publishedCall('klend', name, { args })))).toBe(
    'MALFORMED_DATA',
  );
});

test('transfers between other accounts do not count', () => {
  const call = publishedCall('klend', 'repayObligationLiquidityV2', {
    args,
    children: [
      repaid,
      transferCall('reserveDestinationLiquidity', 'userSourceLiquidity', 1n),
      transferCall('userSourceLiquidity', 'somebody', 2n),
    ],
  });
  expect(readKlendEvents(call)).toEqual([repay]);
});
