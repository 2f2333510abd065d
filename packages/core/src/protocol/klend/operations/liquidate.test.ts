import { expect, test } from 'vitest';
import { dollarLoan } from '../../../../../../test/support/lending/dollar-loans.ts';
import {
  exampleObligation,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../../base/time.ts';
import type { Obligation } from '../layout/obligation.ts';
import { repayAndWithdraw } from './combined-operations.ts';
import { liquidate } from './liquidate.ts';

test('repayAndWithdraw can exceed the max LTV if the LTV does not rise', () => {
  const { position, context } = dollarLoan({ deposited: 1000n, borrowed: 600n });
  const both = (repayAmount: bigint, collateral: bigint) => () =>
    repayAndWithdraw(position, context, {
      repayReserve: USDC_RESERVE,
      repayAmount,
      withdrawReserve: SOL_RESERVE,
      collateral,
    });
  const after = both(100n, 100n)();
  expect(after).toMatchObject({ repaid: 100n, collateral: 100n, liquidity: 100n, closes: false });
  expect(after.obligation.borrowedAssetsMarketValueSf).toBe(sfFromInt(500n));
  expect(after.reserves.get(SOL_RESERVE)?.lastUpdate.stale).toBe(1);
  expect(both(10n, 100n)).toThrow(/WorseLtvBlocked/);
  const whole = both(600n, 1000n)();
  expect(whole.closes).toBe(true);
});

test('repayAndWithdraw rejects a deposit in the reserve whose debt it repays in full', () => {
  const both = exampleObligation().deposits.map((deposit, i) => ({
    ...deposit,
    depositReserve: [SOL_RESERVE, USDC_RESERVE][i] ?? ZERO_ADDRESS,
    depositedAmount: i < 2 ? 1000n : 0n,
  }));
  const { position, context } = dollarLoan({
    deposited: 1000n,
    borrowed: 600n,
    obligation: { deposits: both },
  });
  const run = (repayAmount: bigint, withdrawReserve: Address) => () =>
    repayAndWithdraw(position, context, {
      repayReserve: USDC_RESERVE,
      repayAmount,
      withdrawReserve,
      collateral: 100n,
    });
  expect(run(600n, SOL_RESERVE)).toThrow(/ReserveStale/);
  expect(run(599n, SOL_RESERVE)).not.toThrow();
  expect(run(600n, USDC_RESERVE)).not.toThrow();
});

/** Liquidatable from an LTV of 90 %. */
const unhealthy = () => dollarLoan({ deposited: 1000n, borrowed: 900n });
const seizure = {
  repayReserve: USDC_RESERVE,
  withdrawReserve: SOL_RESERVE,
  amount: 900n,
  minReceived: 0n,
};

test('the debt with the highest borrow factor and the deposit with the lowest LTV come first', () => {
  const { position, context } = unhealthy();
  const changed = (obligation: Partial<Obligation>) => () =>
    liquidate(
      { ...position, obligation: { ...position.obligation, ...obligation } },
      context,
      seizure,
    );
  expect(changed({})().repaid).toBe(180n);
  expect(changed({ highestBorrowFactorPct: 101n })).toThrow(/LiquidationBorrowFactorPriority/);
  const lower = { lowestReserveDepositLiquidationLtv: 79n };
  expect(changed(lower)).toThrow(/LiquidationLowestLiquidationLtvPriority/);
});

test('the priority is checked before the amount', () => {
  const { position, context } = unhealthy();
  // a debt below 1000 USD must be repaid in full
  const market = { ...context.market, minFullLiquidationValueThreshold: 1000n };
  const changed = (obligation: Partial<Obligation>) => () =>
    liquidate(
      { ...position, obligation: { ...position.obligation, ...obligation } },
      { ...context, market },
      { ...seizure, amount: 899n },
    );
  expect(changed({})).toThrow(/RepayTooSmallForFullLiquidation/);
  expect(changed({ highestBorrowFactorPct: 101n })).toThrow(/LiquidationBorrowFactorPriority/);
});

test('the state of the accounts is checked before the positions', () => {
  const { position, context } = unhealthy();
  const missing = { ...seizure, repayReserve: SOL_RESERVE };
  expect(() => liquidate(position, context, missing)).toThrow(/InvalidObligationLiquidity/);
  expect(() => liquidate(position, context, { ...missing, amount: 0n })).toThrow(/InvalidAmount/);
  const later = { ...context, time: { ...context.time, slot: toSlot(context.time.slot + 1n) } };
  expect(() => liquidate(position, later, missing)).toThrow(/ReserveStale/);
});

test('a liquidation below the minimum received amount throws', () => {
  const { position, context } = unhealthy();
  const request = { ...seizure, minReceived: 10_000n };
  expect(() => liquidate(position, context, request)).toThrow(/LiquidationRewardTooSmall/);
});

test('the repaid and the seized reserve can be the same', () => {
  const own = exampleObligation().deposits.map((deposit, i) => ({
    ...deposit,
    depositReserve: i === 0 ? USDC_RESERVE : ZERO_ADDRESS,
    depositedAmount: i === 0 ? 1000n : 0n,
  }));
  const { position, context } = dollarLoan({
    deposited: 1000n,
    borrowed: 900n,
    obligation: { deposits: own },
  });
  const after = liquidate(position, context, { ...seizure, withdrawReserve: USDC_RESERVE });
  expect(after.repaid).toBe(180n);
  // 180 of 1000 dollars, rounded down
  expect(after.liquidity).toBe(179n);
});
