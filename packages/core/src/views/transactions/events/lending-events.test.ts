import { expect, test } from 'vitest';
import { exampleTransaction } from '../../../../../../test/support/protocol/example-transaction.ts';
import {
  eventsOf,
  exampleArgs,
  exampleOwners,
  unknownOwners,
} from '../../../../../../test/support/protocol/extracted-events.ts';
import {
  burnCall,
  namedAddress,
  publishedCall,
  transferCall,
  u64Bytes,
} from '../../../../../../test/support/protocol/published-calls.ts';
import { bytesFromHex, concatBytes } from '../../../base/encoding/bytes.ts';
import { extractHistoryEvents } from './extract-history-events.ts';

const repay = publishedCall('klend', 'repayObligationLiquidityV2', {
  args: exampleArgs,
  children: [transferCall('userSourceLiquidity', 'reserveDestinationLiquidity', 70n)],
});
const repaid = {
  area: 'lending',
  kind: 'repay',
  eventIndex: 0,
  obligation: namedAddress('obligation'),
  market: namedAddress('lendingMarket'),
  payer: namedAddress('owner'),
  liquidityAmount: 70n,
};

test('a repayment for another wallet is the payment of the payer and the debt change of the owner', () => {
  const [owner, payer, ...more] = eventsOf(repay);
  expect(owner).toMatchObject({ ...repaid, wallet: namedAddress('anna'), debtAmount: 70n });
  expect(payer).toMatchObject({
    ...repaid,
    kind: 'repayForOther',
    eventIndex: 2,
    wallet: namedAddress('owner'),
    debtAmount: undefined,
  });
  expect(more).toEqual([]);
});

test('a repayment of the own debt is one event', () => {
  const ownDebt = { ...exampleOwners, ownerOfObligation: () => namedAddress('owner') };
  expect(eventsOf(repay, ownDebt)).toMatchObject([{ ...repaid, wallet: namedAddress('owner') }]);
  expect(eventsOf(repay, ownDebt)).toHaveLength(1);
});

test('without a known owner the repayment has no wallet', () => {
  expect(eventsOf(repay, unknownOwners)).toMatchObject([{ ...repaid, wallet: undefined }]);
});

test('a lending call by an unknown program counts as the action of the wallet', () => {
  const program = namedAddress('a wallet program');
  const data = Uint8Array.of(1);
  const call = { program, accounts: [], data, path: [], children: [repay] };
  expect(eventsOf(call)).toMatchObject([
    { path: [0, 0], eventIndex: 0 },
    { path: [0, 0], eventIndex: 2 },
  ]);
});

test('a liquidation has the loss of the owner and the gain of the liquidator', () => {
  const name = 'liquidateObligationAndRedeemReserveCollateralV2';
  const call = publishedCall('klend', name, {
    args: exampleArgs,
    children: [
      transferCall('userSourceLiquidity', 'repayReserveLiquiditySupply', 70n),
      transferCall('withdrawReserveCollateralSupply', 'userDestinationCollateral', 60n),
      burnCall('userDestinationCollateral', 55n),
      transferCall('withdrawReserveLiquiditySupply', 'userDestinationLiquidity', 80n),
      transferCall('userDestinationLiquidity', 'withdrawReserveLiquidityFeeReceiver', 4n),
    ],
  });
  const [repayReserve, withdrawReserve] = ['repayReserve', 'withdrawReserve'].map(namedAddress);
  const seized = {
    collateralAmount: 60n,
    redeemedAmount: 55n,
    liquidityAmount: 80n,
    feeAmount: 4n,
  };
  expect(eventsOf(call)).toMatchObject([
    {
      kind: 'liquidationRepay',
      eventIndex: 0,
      wallet: namedAddress('anna'),
      reserve: repayReserve,
      liquidityAmount: 70n,
      debtAmount: 70n,
      mint: namedAddress('debt'),
    },
    {
      ...seized,
      kind: 'liquidationWithdraw',
      eventIndex: 1,
      wallet: namedAddress('anna'),
      debtAmount: undefined,
      reserve: withdrawReserve,
      mint: namedAddress('other'),
    },
    {
      ...seized,
      kind: 'liquidate',
      eventIndex: 2,
      wallet: namedAddress('liquidator'),
      debtAmount: 70n,
      reserve: repayReserve,
      otherReserve: withdrawReserve,
    },
  ]);
});

test('a socialized loss is an event of the owner', () => {
  const names = ['lendingMarketOwner', 'obligation', 'lendingMarket', 'reserve', 'sysvar'];
  const call = {
    ...repay,
    accounts: names.map(namedAddress),
    data: concatBytes([bytesFromHex('f54b5b00ec611303'), u64Bytes(2n ** 64n - 1n)]),
  };
  const event = { kind: 'socializeLoss', wallet: namedAddress('anna') };
  const logMessages = [
    `Program ${call.program} invoke [1]`,
    'Program log: Forgiving debt amount 76.2500',
    `Program ${call.program} success`,
  ];
  const transaction = exampleTransaction([call], { logMessages });
  expect(extractHistoryEvents(transaction, exampleOwners)).toMatchObject([
    { ...event, debtAmount: 77n },
  ]);
  // The requested maximum is not what was forgiven.
  expect(eventsOf(call)).toMatchObject([{ ...event, debtAmount: undefined }]);
});

test('a change of elevation group has the group', () => {
  const call = publishedCall('klend', 'requestElevationGroup', { args: [Uint8Array.of(5)] });
  const expected = {
    kind: 'requestElevationGroup',
    wallet: namedAddress('owner'),
    elevationGroup: 5,
  };
  expect(eventsOf(call)).toMatchObject([expected]);
});
