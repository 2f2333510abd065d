import { expect, test } from 'vitest';
import {
  burnCall,
  namedAddress,
  programAddress,
  publishedCall,
  transferCall,
  u64Bytes,
} from '../../../../../../test/support/protocol/published-calls.ts';
import { readKlendEvents } from '../events.ts';

/** Arguments that events must not report: executed amounts come from the token transfers. */
const args = [u64Bytes(999n), u64Bytes(999n), u64Bytes(999n)];

const source = { program: 'klend', programAddress: programAddress('klend'), path: [0] };
const named = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, namedAddress(name)]));
const ofObligation = named('obligation', 'lendingMarket');

const seized = [
  transferCall('userSourceLiquidity', 'repayReserveLiquiditySupply', 70n),
  transferCall('withdrawReserveCollateralSupply', 'userDestinationCollateral', 60n),
];
const liquidation = {
  ...source,
  ...ofObligation,
  ...named('liquidator', 'repayReserve', 'withdrawReserve'),
  kind: 'liquidate',
  repaidAmount: 70n,
  collateralAmount: 60n,
};

test.each(['', 'V2'])(
  'a liquidation%s event has the repaid debt, the seized collateral and the fee',
  (generation) => {
    const call = publishedCall(
      'klend',
      `liquidateObligationAndRedeemReserveCollateral${generation}`,
      {
        args,
        children: [
          ...seized,
          burnCall('userDestinationCollateral', 55n),
          transferCall('withdrawReserveLiquiditySupply', 'userDestinationLiquidity', 80n),
          transferCall('userDestinationLiquidity', 'withdrawReserveLiquidityFeeReceiver', 4n),
        ],
      },
    );
    expect(readKlendEvents(call)).toEqual([
      { ...liquidation, redeemedCollateralAmount: 55n, liquidityAmount: 80n, feeAmount: 4n },
    ]);
  },
);

test('a liquidation without liquidity in the reserve pays cTokens', () => {
  const name = 'liquidateObligationAndRedeemReserveCollateralV2';
  const call = publishedCall('klend', name, { args, children: seized });
  expect(readKlendEvents(call)).toEqual([
    { ...liquidation, redeemedCollateralAmount: 0n, liquidityAmount: 0n, feeAmount: 0n },
  ]);
});

test('the fee of a flash loan goes to the fee vault, the part of the referrer to the pool', () => {
  const call = publishedCall('klend', 'flashRepayReserveLiquidity', {
    args: [u64Bytes(50n), Uint8Array.of(3)],
    children: [
      transferCall('userSourceLiquidity', 'reserveDestinationLiquidity', 51n),
      transferCall('userSourceLiquidity', 'reserveLiquidityFeeReceiver', 2n),
    ],
  });
  expect(readKlendEvents(call)).toEqual([
    {
      ...source,
      ...named('lendingMarket', 'reserve'),
      kind: 'flashRepay',
      borrower: namedAddress('userTransferAuthority'),
      liquidityMint: namedAddress('reserveLiquidityMint'),
      liquidityAmount: 51n,
      feeAmount: 2n,
      borrowInstructionIndex: 3,
    },
  ]);
});
