import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { withConfig } from '../../../../../../test/support/lending/dollar-loans.ts';
import {
  exampleLendingContext,
  exampleObligation,
  exampleReserve,
  exampleSolReserve,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { ONE_SF, sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import type { Reserve } from '../layout/reserve.ts';
import { borrow } from './borrow.ts';
import { deposit } from './deposit.ts';
import { refreshObligation } from './refresh/refresh-obligation.ts';

const context = exampleLendingContext();

const positionWith = (usdc: Reserve, sol = exampleSolReserve()) => {
  const reserves = new Map([
    [USDC_RESERVE, usdc],
    [SOL_RESERVE, sol],
  ]);
  return refreshObligation({ obligation: exampleObligation(), reserves }, context);
};

const borrowing = (usdc: Reserve, amount: bigint) => () =>
  borrow(positionWith(usdc), context, { reserve: USDC_RESERVE, amount });

test('a loan of an obsolete reserve fails as such before its amount is checked', () => {
  const obsolete = withConfig({ status: 1 })(exampleReserve());
  expect(borrowing(obsolete, 0n)).toThrow(/ReserveObsolete/);
  expect(borrowing(exampleReserve(), 0n)).toThrow(/InvalidAmount/);
});

test('the withdrawal cap is checked before the size of the loan', () => {
  const base = exampleReserve();
  // Half a lamport can be borrowed: the cap counts it as one, and nothing would be received.
  const half: Reserve = {
    ...base,
    liquidity: {
      ...base.liquidity,
      borrowedAmountSf: sfFromBits(sfFromInt(5n * 10n ** 11n) - ONE_SF / 2n),
    },
    config: { ...base.config, borrowLimit: toLamports(5n * 10n ** 11n) },
  };
  const { debtWithdrawalCap } = base.config;
  const closed = { ...debtWithdrawalCap, configCapacity: 0n, configIntervalLengthSeconds: 60n };
  expect(borrowing(half, U64_MAX)).toThrow(/BorrowTooSmall/);
  expect(borrowing(withConfig({ debtWithdrawalCap: closed })(half), U64_MAX)).toThrow(
    /WithdrawalCapReached/,
  );
});

const worthless = (reserve: Reserve): Reserve => ({
  ...reserve,
  liquidity: { ...reserve.liquidity, marketPriceSf: sfFromBits(0n) },
});

test('the program panics at a deposit after which all deposits have no value', () => {
  const usdc = worthless(exampleReserve());
  const depositing = (sol: Reserve) => () =>
    deposit(positionWith(usdc, sol), context, { reserve: USDC_RESERVE, amount: 1_000_000n });
  expect(catchError(depositing(worthless(exampleSolReserve())))?.code).toBe('DIVISION_BY_ZERO');
  expect(depositing(exampleSolReserve())).not.toThrow();
});
