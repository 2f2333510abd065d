import { expect, test } from 'vitest';
import { withConfig } from '../../../../../../test/support/lending/dollar-loans.ts';
import {
  exampleLendingContext,
  exampleObligation,
  exampleReserve,
  exampleReserves,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import type { LendingMarket } from '../layout/lending-market.ts';
import type { Reserve } from '../layout/reserve.ts';
import { borrow } from './borrow.ts';
import { supplyLiquidity } from './deposit.ts';
import { flashBorrow, flashRepay } from './flash-loan.ts';
import { setObligationOrder } from './obligation-orders.ts';
import { setBorrowOrder } from './orders/borrow-orders.ts';
import { setObligationConfig } from './orders/obligation-config.ts';
import { rollover } from './orders/rollover.ts';
import { elementAt, type LendingContext } from './position.ts';
import { refreshObligation } from './refresh/refresh-obligation.ts';
import { topUpRewards } from './reserve-rewards.ts';
import { cancelWithdrawal, enqueueWithdrawal, payWithdrawTicket } from './withdraw-queue.ts';

const context = (market: Partial<LendingMarket> = {}): LendingContext => {
  const example = exampleLendingContext();
  const enabled = {
    withdrawTicketIssuanceEnabled: 1,
    withdrawTicketRedemptionEnabled: 1,
    withdrawTicketCancellationEnabled: 1,
    reserveRewardsMaxAprBps: 100,
    borrowOrderCreationEnabled: 1,
  };
  return { ...example, market: { ...example.market, ...enabled, ...market } };
};

const position = (usdc: Reserve) => {
  const refreshed = refreshObligation(
    { obligation: exampleObligation(), reserves: exampleReserves() },
    exampleLendingContext(),
  );
  return { ...refreshed, reserves: new Map(refreshed.reserves).set(USDC_RESERVE, usdc) };
};

const order = {
  debtLiquidityMint: USDC_RESERVE,
  filledDebtDestination: USDC_RESERVE,
  remainingDebtAmount: toLamports(1_000_000n),
  maxBorrowRateBps: 500,
  minDebtTermSeconds: 0n,
  fillableUntilTimestamp: toUnixSeconds(2_000_000_000n),
  enableAutoRolloverOnFilledBorrows: 0,
};

type Operation = (reserve: Reserve, context: LendingContext) => unknown;

const OPERATIONS: { readonly [name: string]: Operation } = {
  supply: (reserve, at) => supplyLiquidity(reserve, at, 1_000n),
  borrow: (reserve, at) => borrow(position(reserve), at, { reserve: USDC_RESERVE, amount: 1_000n }),
  rolloverSource: (reserve, at) =>
    rollover(position(reserve), at, { source: USDC_RESERVE, target: SOL_RESERVE }),
  rolloverTarget: (reserve, at) =>
    rollover(position(reserve), at, { source: SOL_RESERVE, target: USDC_RESERVE }),
  enqueue: (reserve, at) => enqueueWithdrawal(reserve, at, 1_400n),
  topUp: (reserve, at) => topUpRewards(reserve, at, 1n),
  flashBorrow: (reserve, at) => flashBorrow(reserve, at, 1n),
  flashRepay: (reserve, at) => flashRepay(reserve, at, { amount: 1n, hasReferrer: false }),
  payTicket: (reserve, at) => payWithdrawTicket(reserve, at, 1_400n),
  cancelTicket: (reserve, at) => cancelWithdrawal(reserve, at, { queued: 2n, amount: 1n }),
  setBorrowOrder: (reserve, at) =>
    setBorrowOrder(exampleObligation(), at, {
      index: 0,
      config: order,
      reserve,
      minExpectedRemaining: 0n,
    }),
};

const operation = (name: string): Operation => {
  const found = OPERATIONS[name];
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

test.each(Object.keys(OPERATIONS))('%s is refused while its reserve is in emergency', (name) => {
  const emergency = withConfig({ emergencyMode: 1 })(exampleReserve());
  expect(() => operation(name)(emergency, context())).toThrow(/ReserveEmergencyMode/);
  expect(() => operation(name)(exampleReserve(), context())).not.toThrow(/ReserveEmergencyMode/);
});

test.each(['supply', 'borrow', 'rolloverSource', 'rolloverTarget', 'enqueue', 'topUp'])(
  '%s is refused for an obsolete reserve, even one in emergency',
  (name) => {
    const obsolete = withConfig({ status: 1 })(exampleReserve());
    expect(() => operation(name)(obsolete, context())).toThrow(/ReserveObsolete/);
    const both = withConfig({ status: 1, emergencyMode: 1 })(exampleReserve());
    expect(() => operation(name)(both, context())).toThrow(/ReserveObsolete/);
  },
);

test('a flash loan checks the emergency first', () => {
  const both = withConfig({ status: 1, emergencyMode: 1 })(exampleReserve());
  expect(() => flashBorrow(both, context(), 1n)).toThrow(/ReserveEmergencyMode/);
  const obsolete = withConfig({ status: 1 })(exampleReserve());
  expect(() => flashBorrow(obsolete, context(), 1n)).toThrow(/ReserveObsolete/);
});

test.each(['payTicket', 'cancelTicket'])('%s works for an obsolete reserve', (name) => {
  const obsolete = withConfig({ status: 1 })(exampleReserve());
  expect(() => operation(name)(obsolete, context())).not.toThrow();
});

test('orders and settings of a loan are refused while the market is in emergency', () => {
  const emergency = context({ emergencyMode: 1 });
  const obligation = exampleObligation();
  const { obligationOrders } = obligation;
  const trigger = { index: 0, order: elementAt(obligationOrders, 0) };
  expect(() => setObligationOrder(obligation, emergency, trigger)).toThrow(/GlobalEmergencyMode/);
  expect(() => setObligationOrder(obligation, context(), trigger)).not.toThrow();
  const setting = {
    reserve: USDC_RESERVE,
    mode: 'FixedTermRolloverMaxBorrowRateBps',
    value: 1n,
  } as const;
  expect(() => setObligationConfig(obligation, emergency, setting)).toThrow(/GlobalEmergencyMode/);
  expect(() => setObligationConfig(obligation, context(), setting)).not.toThrow();
  const both = withConfig({ emergencyMode: 1 })(exampleReserve());
  expect(() => operation('setBorrowOrder')(both, emergency)).toThrow(/GlobalEmergencyMode/);
});
