import { expect, test } from 'vitest';
import { zeroed } from '../../../../../../test/support/lending/lending-accounts.ts';
import {
  namedAddress,
  programAddress,
  publishedCall,
  transferCall,
  u64Bytes,
} from '../../../../../../test/support/protocol/published-calls.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import { readKlendEvents } from '../events.ts';
import { obligation } from '../layout/obligation.ts';
import { eventAuthority } from '../pda.ts';
import { borrowOrderCancel, borrowOrderPlace, borrowOrderUpdate } from './read-orders.ts';

const KLEND = programAddress('klend');
const source = { program: 'klend', programAddress: KLEND, path: [0] };
const named = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, namedAddress(name)]));

/** A call of the program to itself, with which it emits an event. */
const selfCall = (data: Uint8Array): Call => ({
  program: KLEND,
  accounts: [eventAuthority(KLEND)],
  data,
  path: [0, 0],
  children: [],
});

const order = (remaining: bigint) => ({
  ...zeroed(obligation).headBorrowOrder,
  remainingDebtAmount: toLamports(remaining),
});

const configArgs = [new Uint8Array(37)];

test.each([
  ['borrowOrderPlace', borrowOrderPlace.encode({ after: order(70n) }), 70n],
  ['borrowOrderUpdate', borrowOrderUpdate.encode({ before: order(70n), after: order(50n) }), 50n],
  ['borrowOrderCancel', borrowOrderCancel.encode({ before: order(50n) }), 50n],
])('setting a borrow order is named after what it did: %s', (kind, data, remainingAmount) => {
  const call = publishedCall('klend', 'setBorrowOrder', {
    args: configArgs,
    children: [selfCall(data)],
  });
  expect(readKlendEvents(call)).toEqual([
    {
      ...source,
      ...named('owner', 'obligation', 'lendingMarket', 'reserve'),
      kind,
      liquidityMint: namedAddress('debtLiquidityMint'),
      remainingAmount,
    },
  ]);
});

test('cancelling an order that does not exist is no event', () => {
  expect(readKlendEvents(publishedCall('klend', 'setBorrowOrder', { args: configArgs }))).toEqual(
    [],
  );
});

test('an obligation order has its index, and whether it was removed', () => {
  const events = [0, 3].map((condition) => {
    const body = new Uint8Array(129);
    body.set([1]);
    body[1 + 36] = condition;
    return readKlendEvents(publishedCall('klend', 'setObligationOrder', { args: [body] }));
  });
  const set = { ...source, ...named('owner', 'obligation', 'lendingMarket') };
  expect(events).toEqual(
    [true, false].map((isRemoved) => [
      { ...set, kind: 'setObligationOrder', orderIndex: 1, isRemoved },
    ]),
  );
});

test('a rollover has the moved tokens, none within one reserve', () => {
  const children = [
    transferCall('targetBorrowReserveLiquidity', 'sourceBorrowReserveLiquidity', 90n),
  ];
  const amounts = [children, []].map((calls) =>
    readKlendEvents(publishedCall('klend', 'rolloverFixedTermBorrow', { children: calls })),
  );
  const rollover = {
    ...source,
    ...named('payer', 'obligation', 'lendingMarket', 'liquidityMint'),
    kind: 'rolloverFixedTermBorrow',
    reserve: namedAddress('sourceBorrowReserve'),
    targetReserve: namedAddress('targetBorrowReserve'),
  };
  expect(amounts).toEqual([90n, 0n].map((liquidityAmount) => [{ ...rollover, liquidityAmount }]));
});

test('a margin call has its target, a setting its debt', () => {
  const mark = publishedCall('klend', 'markObligationForDeleveraging', {
    args: [Uint8Array.of(55)],
  });
  expect(readKlendEvents(mark)).toEqual([
    {
      ...source,
      ...named('lendingMarketOwner', 'obligation', 'lendingMarket'),
      kind: 'markObligationForDeleveraging',
      targetLtvPct: 55,
    },
  ]);
  const setting = publishedCall('klend', 'updateObligationConfig', {
    args: [Uint8Array.of(2, 0, 0, 0, 0)],
    absent: ['depositReserve'],
  });
  expect(readKlendEvents(setting)).toEqual([
    {
      ...source,
      ...named('owner', 'obligation', 'lendingMarket', 'borrowReserve'),
      kind: 'updateObligationConfig',
      mode: 2,
    },
  ]);
});

test.each([
  {
    name: 'redeemFees',
    from: 'reserveSupplyLiquidity',
    to: 'reserveLiquidityFeeReceiver',
    party: {},
  },
  { name: 'withdrawProtocolFee', from: 'feeVault', to: 'feeCollectorAta', party: {} },
  {
    name: 'withdrawReferrerFees',
    from: 'reserveSupplyLiquidity',
    to: 'referrerTokenAccount',
    party: named('referrer'),
  },
  {
    name: 'topupReserveRewards',
    from: 'sourceLiquidity',
    to: 'reserveLiquiditySupply',
    party: { payer: namedAddress('signer') },
  },
])('$name has the paid amount', ({ name, from, to, party }) => {
  const call = publishedCall('klend', name, {
    args: [u64Bytes(999n)],
    children: [transferCall(from, to, 12n)],
  });
  expect(readKlendEvents(call)).toEqual([
    {
      ...source,
      ...named('lendingMarket', 'reserve'),
      ...party,
      kind: name,
      liquidityMint: namedAddress('reserveLiquidityMint'),
      liquidityAmount: 12n,
    },
  ]);
});
