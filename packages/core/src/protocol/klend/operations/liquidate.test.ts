import { expect, test } from 'vitest';
import { dollarLoan } from '../../../../../../test/support/lending/dollar-loans.ts';
import {
  exampleObligation,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import type { Obligation } from '../layout/obligation.ts';
import { liquidate } from './liquidate.ts';
import { repayAndWithdraw } from './repay-and-withdraw.ts';

test('repaying and withdrawing at once goes beyond the usual limit if the loan gets no worse', () => {
  const { position, terms } = dollarLoan({ deposited: 1000n, owed: 600n });
  const both = (repayAmount: bigint, collateral: bigint) => () =>
    repayAndWithdraw(position, terms, {
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

/** Unhealthy at 90 % of its deposit. */
const unhealthy = () => dollarLoan({ deposited: 1000n, owed: 900n });
const seizure = {
  repayReserve: USDC_RESERVE,
  withdrawReserve: SOL_RESERVE,
  amount: 900n,
  minReceived: 0n,
};

test('the riskiest debt is repaid first and the weakest deposit is seized first', () => {
  const { position, terms } = unhealthy();
  const changed = (obligation: Partial<Obligation>) => () =>
    liquidate(
      { ...position, obligation: { ...position.obligation, ...obligation } },
      terms,
      seizure,
    );
  expect(changed({})().repaid).toBe(180n);
  expect(changed({ highestBorrowFactorPct: 101n })).toThrow(/LiquidationBorrowFactorPriority/);
  const lower = { lowestReserveDepositLiquidationLtv: 79n };
  expect(changed(lower)).toThrow(/LiquidationLowestLiquidationLtvPriority/);
});

test('a liquidator who gets less than asked for refuses', () => {
  const { position, terms } = unhealthy();
  const asked = { ...seizure, minReceived: 10_000n };
  expect(() => liquidate(position, terms, asked)).toThrow(/LiquidationRewardTooSmall/);
});

test('a reserve can be both what is repaid and what is seized', () => {
  const own = exampleObligation().deposits.map((place, i) => ({
    ...place,
    depositReserve: i === 0 ? USDC_RESERVE : ZERO_ADDRESS,
    depositedAmount: i === 0 ? 1000n : 0n,
  }));
  const { position, terms } = dollarLoan({
    deposited: 1000n,
    owed: 900n,
    obligation: { deposits: own },
  });
  const after = liquidate(position, terms, { ...seizure, withdrawReserve: USDC_RESERVE });
  expect(after.repaid).toBe(180n);
  // 180 of 1000 dollars, rounded down
  expect(after.liquidity).toBe(179n);
});
