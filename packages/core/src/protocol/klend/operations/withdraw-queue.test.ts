import { expect, test } from 'vitest';
import {
  exampleLendingContext,
  exampleReserve,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import type { LendingMarket } from '../layout/lending-market.ts';
import type { Reserve } from '../layout/reserve.ts';
import {
  cancelWithdrawal,
  enqueueWithdrawal,
  payWithdrawTicket,
  skipWithdrawTicket,
} from './withdraw-queue.ts';

const open: Partial<LendingMarket> = {
  withdrawTicketIssuanceEnabled: 1,
  withdrawTicketRedemptionEnabled: 1,
  withdrawTicketCancellationEnabled: 1,
};

const contextOf = (market: Partial<LendingMarket> = open) => {
  const context = exampleLendingContext();
  return { ...context, market: { ...context.market, ...market } };
};

/** 500,000 tokens are supplied, all but 1 of which are lent, for 1,400,000 cTokens: 5 per 14. */
function queuedReserve(): Reserve {
  const reserve = exampleReserve();
  return {
    ...reserve,
    liquidity: { ...reserve.liquidity, totalAvailableAmount: toLamports(1_000_000n) },
    withdrawQueue: {
      ...reserve.withdrawQueue,
      queuedCollateralAmount: 4_000_000n,
      nextIssuedTicketSequenceNumber: 9n,
      nextWithdrawableTicketSequenceNumber: 7n,
    },
  };
}

test('a ticket joins the end of the queue', () => {
  const { reserve, sequenceNumber } = enqueueWithdrawal(queuedReserve(), contextOf(), 1_400n);
  expect(sequenceNumber).toBe(9n);
  expect(reserve).toEqual({
    ...queuedReserve(),
    withdrawQueue: {
      ...queuedReserve().withdrawQueue,
      queuedCollateralAmount: 4_001_400n,
      nextIssuedTicketSequenceNumber: 10n,
    },
  });
});

test('a market decides whether there is a queue, and the smallest ticket in USD', () => {
  const enqueue = (market: Partial<LendingMarket>, amount: bigint) => () =>
    enqueueWithdrawal(queuedReserve(), contextOf(market), amount);
  expect(enqueue({}, 1_400n)).toThrow(/WithdrawTicketIssuanceDisabled/);
  expect(enqueue(open, 0n)).toThrow(/InvalidAmount/);
  const smallest = { ...open, minWithdrawQueuedLiquidityValue: 2n };
  // 2 tokens of 1 USD are 5,600,000 cTokens
  expect(enqueue(smallest, 5_599_997n)).toThrow(/WithdrawTicketValueTooSmall/);
  expect(enqueue(smallest, 5_600_000n)).not.toThrow();
});

test('the first ticket is paid from liquidity that is reserved for the queue', () => {
  const { reserve, liquidity, collateral } = payWithdrawTicket(
    queuedReserve(),
    contextOf(),
    1_400_000n,
  );
  expect([liquidity, collateral]).toEqual([500_000n, 1_400_000n]);
  expect(reserve.liquidity.totalAvailableAmount).toBe(500_000n);
  expect(reserve.collateral.mintTotalSupply).toBe(1_400_000_000_000n - 1_400_000n);
  expect(reserve.withdrawQueue).toMatchObject({
    queuedCollateralAmount: 2_600_000n,
    nextIssuedTicketSequenceNumber: 9n,
    nextWithdrawableTicketSequenceNumber: 8n,
  });
});

test('a ticket above the liquidity is paid in part and stays the first', () => {
  const { reserve, liquidity, collateral } = payWithdrawTicket(
    queuedReserve(),
    contextOf(),
    3_000_000n,
  );
  expect([liquidity, collateral]).toEqual([1_000_000n, 2_800_000n]);
  expect(reserve.withdrawQueue).toMatchObject({
    queuedCollateralAmount: 1_200_000n,
    nextWithdrawableTicketSequenceNumber: 7n,
  });
});

test('without liquidity, below the smallest payment, or if the market forbids it, nothing is paid', () => {
  const pay =
    (market: Partial<LendingMarket>, available: bigint, ticket = 7_000_000n) =>
    () => {
      const reserve = queuedReserve();
      const liquidity = { ...reserve.liquidity, totalAvailableAmount: toLamports(available) };
      payWithdrawTicket({ ...reserve, liquidity }, contextOf(market), ticket);
    };
  expect(pay({}, 1_000_000n)).toThrow(/WithdrawTicketRedemptionDisabled/);
  expect(pay(open, 0n)).toThrow(/InsufficientLiquidity/);
  const smallest = { ...open, minWithdrawQueuedLiquidityValue: 1n };
  expect(pay(smallest, 999_999n)).toThrow(/WithdrawQueuedLiquidityValueTooSmall/);
  expect(pay(smallest, 1_000_000n)).not.toThrow();
  // the rest of 200,000 cTokens would be worth 0.07 USD
  expect(pay(smallest, 1_000_000n, 3_000_000n)).toThrow(/WithdrawTicketValueTooSmall/);
});

test('a cancelled part leaves the queue, and its ticket keeps its place', () => {
  const cancel = (queued: bigint, amount: bigint, market = open) =>
    cancelWithdrawal(queuedReserve(), contextOf(market), { queued, amount });
  expect(cancel(3_000_000n, 1_000_000n)).toMatchObject({
    collateral: 1_000_000n,
    remainingCollateral: 2_000_000n,
    reserve: {
      withdrawQueue: {
        queuedCollateralAmount: 3_000_000n,
        nextIssuedTicketSequenceNumber: 9n,
        nextWithdrawableTicketSequenceNumber: 7n,
      },
    },
  });
  expect(cancel(3_000_000n, 9_000_000n)).toMatchObject({
    collateral: 3_000_000n,
    remainingCollateral: 0n,
  });
  expect(() => cancel(3_000_000n, 0n)).toThrow(/InvalidAmount/);
  const forbidden = { ...open, withdrawTicketCancellationEnabled: 0 };
  expect(() => cancel(3_000_000n, 1n, forbidden)).toThrow(/WithdrawTicketCancellationDisabled/);
  const smallest = { ...open, minWithdrawQueuedLiquidityValue: 1n };
  // 2,799,999 cTokens are worth less than 1 USD; nothing left is always allowed
  expect(() => cancel(3_000_000n, 200_001n, smallest)).toThrow(/WithdrawTicketValueTooSmall/);
  expect(cancel(3_000_000n, 200_000n, smallest).collateral).toBe(200_000n);
  expect(cancel(3_000_000n, 3_000_000n, smallest).collateral).toBe(3_000_000n);
});

test('a cancelled ticket leaves the queue without cTokens, and the reserve is not refreshed', () => {
  const reserve = queuedReserve();
  const { withdrawQueue, ...rest } = skipWithdrawTicket(reserve, 0n);
  expect(withdrawQueue).toMatchObject({
    queuedCollateralAmount: 4_000_000n,
    nextWithdrawableTicketSequenceNumber: 8n,
  });
  expect({ ...reserve, ...rest }).toEqual(reserve);
});

test('a ticket that cannot be paid leaves the queue with its cTokens', () => {
  expect(skipWithdrawTicket(queuedReserve(), 1_400_000n).withdrawQueue).toMatchObject({
    queuedCollateralAmount: 2_600_000n,
    nextWithdrawableTicketSequenceNumber: 8n,
  });
});
