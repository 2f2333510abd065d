import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
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

/** Arguments that events must not report: executed amounts come from the token transfers. */
const args = [u64Bytes(999n), u64Bytes(999n), u64Bytes(999n)];

const source = { program: 'klend', programAddress: programAddress('klend'), path: [0] };
const named = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, namedAddress(name)]));
const ofObligation = named('obligation', 'lendingMarket');

test.each(['', 'V2'])(
  'a deposit%s event has the paid tokens and the minted cTokens',
  (generation) => {
    const name = `depositReserveLiquidityAndObligationCollateral${generation}`;
    const children = [
      transferCall('userSourceLiquidity', 'reserveLiquiditySupply', 50n),
      mintCall('reserveDestinationDepositCollateral', 40n),
    ];
    expect(readKlendEvents(publishedCall('klend', name, { args, children }))).toEqual([
      {
        ...source,
        ...ofObligation,
        ...named('owner', 'reserve'),
        kind: 'deposit',
        liquidityMint: namedAddress('reserveLiquidityMint'),
        liquidityAmount: 50n,
        collateralAmount: 40n,
      },
    ]);
  },
);

test.each(['', 'V2'])(
  'a withdrawal%s event has the received tokens and the burned cTokens',
  (generation) => {
    const name = `withdrawObligationCollateralAndRedeemReserveCollateral${generation}`;
    const children = [
      burnCall('reserveSourceCollateral', 40n),
      transferCall('reserveLiquiditySupply', 'userDestinationLiquidity', 50n),
    ];
    expect(readKlendEvents(publishedCall('klend', name, { args, children }))).toEqual([
      {
        ...source,
        ...ofObligation,
        ...named('owner'),
        kind: 'withdraw',
        reserve: namedAddress('withdrawReserve'),
        liquidityMint: namedAddress('reserveLiquidityMint'),
        liquidityAmount: 50n,
        collateralAmount: 40n,
      },
    ]);
  },
);

const borrowed = [
  transferCall('reserveSourceLiquidity', 'borrowReserveLiquidityFeeReceiver', 3n),
  transferCall('reserveSourceLiquidity', 'userDestinationLiquidity', 50n),
];
const borrow = {
  ...source,
  ...ofObligation,
  ...named('owner'),
  kind: 'borrow',
  reserve: namedAddress('borrowReserve'),
  liquidityMint: namedAddress('borrowReserveLiquidityMint'),
  liquidityAmount: 50n,
  feeAmount: 3n,
};

test.each(['', 'V2'])(
  'without a referrer the debt of a borrow%s is the received amount plus the fee',
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

test('with a referrer the debt of a borrow is unknown', () => {
  const call = publishedCall('klend', 'borrowObligationLiquidityV2', { args, children: borrowed });
  expect(readKlendEvents(call)).toEqual([{ ...borrow, debtAmount: undefined }]);
});

test('a borrow without a fee transfer has a fee of 0', () => {
  const call = publishedCall('klend', 'borrowObligationLiquidity', {
    args,
    children: borrowed.slice(1),
    absent: ['referrerTokenState'],
  });
  expect(readKlendEvents(call)).toEqual([{ ...borrow, feeAmount: 0n, debtAmount: 50n }]);
});

const repaid = transferCall('userSourceLiquidity', 'reserveDestinationLiquidity', 70n);
const repay = {
  ...source,
  ...ofObligation,
  kind: 'repay',
  payer: namedAddress('owner'),
  reserve: namedAddress('repayReserve'),
  liquidityMint: namedAddress('reserveLiquidityMint'),
  liquidityAmount: 70n,
};

test.each(['', 'V2'])('a repayment%s event has the payer', (generation) => {
  const name = `repayObligationLiquidity${generation}`;
  const call = publishedCall('klend', name, { args, children: [repaid] });
  expect(readKlendEvents(call)).toEqual([repay]);
});

test('repayAndWithdrawAndRedeem produces two events', () => {
  const children = [
    repaid,
    burnCall('reserveSourceCollateral', 40n),
    transferCall('reserveLiquiditySupply', 'userDestinationLiquidity', 50n),
  ];
  const call = publishedCall('klend', 'repayAndWithdrawAndRedeem', { args, children });
  expect(readKlendEvents(call)).toEqual([
    repay,
    {
      ...source,
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

test('depositAndWithdraw produces two events, one per reserve', () => {
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

test('minting and redeeming cTokens needs no obligation', () => {
  const reserve = { ...source, ...named('owner', 'lendingMarket', 'reserve') };
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

test.each(['', 'V2'])(
  'collateral deposits and withdrawals%s have the moved cTokens',
  (generation) => {
    const into = publishedCall('klend', `depositObligationCollateral${generation}`, {
      args,
      children: [transferCall('userSourceCollateral', 'reserveDestinationCollateral', 40n)],
    });
    const outOf = publishedCall('klend', `withdrawObligationCollateral${generation}`, {
      args,
      children: [transferCall('reserveSourceCollateral', 'userDestinationCollateral', 40n)],
    });
    const change = { ...source, ...ofObligation, ...named('owner'), collateralAmount: 40n };
    expect(readKlendEvents(into)).toEqual([
      { ...change, kind: 'depositObligationCollateral', reserve: namedAddress('depositReserve') },
    ]);
    expect(readKlendEvents(outOf)).toEqual([
      { ...change, kind: 'withdrawObligationCollateral', reserve: namedAddress('withdrawReserve') },
    ]);
  },
);

test.each(['refreshReserve', 'refreshObligation', 'initUserMetadata'])(
  '%s produces no event',
  (name) => {
    const call = publishedCall('klend', name, { args: [new Uint8Array(32)] });
    expect(readKlendEvents(call)).toEqual([]);
  },
);

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
])('%s without its token transfers throws instead of reporting 0', (name) => {
  expect(catchError(() => readKlendEvents(publishedCall('klend', name, { args })))?.code).toBe(
    'MALFORMED_DATA',
  );
});

test('ignores transfers between other accounts', () => {
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
