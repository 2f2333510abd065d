import { expect, test } from 'vitest';
import {
  exampleLendingContext,
  exampleObligation,
  exampleReserves,
  NOW,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import type { LendingMarket } from '../layout/lending-market.ts';
import type { Reserve } from '../layout/reserve.ts';
import { borrow } from './borrow.ts';
import { deposit } from './deposit.ts';
import { requestElevationGroup } from './elevation-groups.ts';
import { flashBorrow, flashRepay } from './flash-loan.ts';
import { liquidate } from './liquidate.ts';
import type { LendingContext } from './position.ts';
import { refreshObligation } from './refresh/refresh-obligation.ts';
import { repay } from './repay.ts';
import { withdraw } from './withdraw.ts';

type Changes = {
  readonly usdc?: (reserve: Reserve) => Reserve;
  readonly sol?: (reserve: Reserve) => Reserve;
  readonly market?: Partial<LendingMarket>;
};

/** The refreshed example loan with account changes before or after the refresh. */
function exampleCase({ usdc, sol, market }: Changes = {}) {
  const context: LendingContext = {
    ...exampleLendingContext(),
    market: { ...exampleLendingContext().market, ...market },
  };
  const reserves = exampleReserves();
  const change = (key: typeof USDC_RESERVE, update: Changes['usdc']): void => {
    const reserve = reserves.get(key);
    if (update !== undefined && reserve !== undefined) reserves.set(key, update(reserve));
  };
  change(USDC_RESERVE, usdc);
  change(SOL_RESERVE, sol);
  return {
    context,
    position: refreshObligation({ obligation: exampleObligation(), reserves }, context),
  };
}

const withConfig =
  (config: Partial<Reserve['config']>) =>
  (reserve: Reserve): Reserve => ({
    ...reserve,
    config: { ...reserve.config, ...config },
  });

const withStatus =
  (priceStatus: number) =>
  (reserve: Reserve): Reserve => ({
    ...reserve,
    lastUpdate: { ...reserve.lastUpdate, priceStatus },
  });

const usdcLoan = (amount: bigint) => ({ reserve: USDC_RESERVE, amount });

test('a deposit takes the value of its cTokens and marks both accounts stale', () => {
  const { position, context } = exampleCase();
  const after = deposit(position, context, usdcLoan(1_000_000n));
  expect(after).toMatchObject({ collateral: 933_333n, liquidity: 999_999n });
  expect(after.obligation.deposits[1]?.depositedAmount).toBe(70_933_333n);
  expect(after.obligation.lastUpdate.stale).toBe(1);
  const reserve = after.reserves.get(USDC_RESERVE);
  expect(reserve?.liquidity.totalAvailableAmount).toBe(1_000_000_999_999n);
  expect(reserve?.lastUpdate.stale).toBe(1);
});

test('the current program records the time of the last borrow', () => {
  const { position, context } = exampleCase();
  const after = borrow(position, context, usdcLoan(1_000_000n));
  expect(after.obligation.borrows[0]?.lastBorrowedAtTimestamp).toBe(NOW);
});

test.each<[string, RegExp, Changes]>([
  ['nothing', /InvalidAmount/, {}],
  [
    'above the limit',
    /DepositLimitExceeded/,
    { usdc: withConfig({ depositLimit: toLamports(1n) }) },
  ],
  ['into an obsolete reserve', /ReserveObsolete/, { usdc: withConfig({ status: 1 }) }],
  [
    'while the market is in emergency mode',
    /GlobalEmergencyMode/,
    { market: { emergencyMode: 1 } },
  ],
  [
    'while the reserve is in emergency mode',
    /ReserveEmergencyMode/,
    { usdc: withConfig({ emergencyMode: 1 }) },
  ],
  [
    'below the minimum value',
    /NetValueRemainingTooSmall/,
    { market: { minNetValueInObligationSf: sfFromInt(100n) } },
  ],
])('a deposit %s throws', (_, error, changes) => {
  const { position, context } = exampleCase(changes);
  const amount = error.source === 'InvalidAmount' ? 0n : 1_000_000n;
  expect(() => deposit(position, context, usdcLoan(amount))).toThrow(error);
});

test.each<[string, RegExp, Changes]>([
  ['above the limit of the deposits', /BorrowTooLarge/, {}],
  ['without a price check', /ReserveStale/, { usdc: withStatus(63 - 8) }],
  ['without a price check of another reserve', /ObligationStale/, { sol: withStatus(63 - 8) }],
  ['in a market without borrowing', /BorrowingDisabled/, { market: { borrowDisabled: 1 } }],
  [
    'above the borrow limit',
    /BorrowLimitExceeded/,
    { usdc: withConfig({ borrowLimit: toLamports(1n) }) },
  ],
  [
    'above the limit outside groups',
    /BorrowLimitExceeded/,
    { usdc: withConfig({ borrowLimitOutsideElevationGroup: toLamports(100_000_001n) }) },
  ],
  [
    'above the utilization limit',
    /BorrowingAboveUtilizationRateDisabled/,
    { usdc: withConfig({ utilizationLimitBlockBorrowingAbovePct: 33 }) },
  ],
  [
    'after the debt maturity of the reserve',
    /ReserveDebtMaturityReached/,
    { usdc: withConfig({ debtMaturityTimestamp: toUnixSeconds(NOW) }) },
  ],
  [
    'against a deposit that is collateral only in groups',
    /BorrowingDisabledOutsideElevationGroup/,
    { sol: withConfig({ disableUsageAsCollOutsideEmode: 1 }) },
  ],
  [
    'with a position in an obsolete reserve',
    /ObligationInObsoleteReserve/,
    { sol: withConfig({ status: 1 }) },
  ],
])('a loan %s throws', (_, error, changes) => {
  const { position, context } = exampleCase(changes);
  const amount = error.source === 'BorrowTooLarge' ? 400_000_000n : 1_000_000n;
  expect(() => borrow(position, context, usdcLoan(amount))).toThrow(error);
});

test('U64_MAX borrows the maximum including the fee', () => {
  const { position, context } = exampleCase({
    usdc: withConfig({
      fees: {
        originationFeeSf: sfFromInt(0n),
        flashLoanFeeSf: sfFromInt(0n),
        padding: new Uint8Array(8),
      },
    }),
  });
  const loan = borrow(position, context, usdcLoan(U64_MAX));
  // 322.6499181 allowed, 100.0000005 owed
  expect(loan.received).toBe(222_649_917n);
});

test('the liquidity of queued withdrawals is not lent', () => {
  const queue = (reserve: Reserve): Reserve => ({
    ...reserve,
    withdrawQueue: { ...reserve.withdrawQueue, queuedCollateralAmount: 933_332_000_000n },
  });
  const { position, context } = exampleCase({ usdc: queue });
  expect(() => borrow(position, context, usdcLoan(10_000_000n))).toThrow(/InsufficientLiquidity/);
});

test('a repayment below the debt settles a part, a repayment above it the full debt', () => {
  const { position, context } = exampleCase();
  const part = repay(position, context, usdcLoan(40_000_000n));
  expect(part.repaid).toBe(40_000_000n);
  const all = repay(position, context, usdcLoan(U64_MAX));
  expect(all.repaid).toBe(100_000_001n);
  expect(all.obligation).toMatchObject({ hasDebt: 0 });
  expect(all.obligation.borrows[0]?.borrowedAmountSf).toBe(0n);
  expect(repay(position, context, usdcLoan(200_000_000n)).repaid).toBe(100_000_001n);
});

test('a repayment that leaves dust or has no debt throws', () => {
  const { position, context } = exampleCase({
    market: { minNetValueInObligationSf: sfFromInt(5n) },
  });
  expect(() => repay(position, context, usdcLoan(96_000_000n))).toThrow(
    /NetValueRemainingTooSmall/,
  );
  const request = { reserve: SOL_RESERVE, amount: 1n };
  expect(() => repay(position, context, request)).toThrow(/InvalidObligationLiquidity/);
});

test('U64_MAX withdraws as much as the debt allows', () => {
  const { position, context } = exampleCase();
  const request = { reserve: SOL_RESERVE, limit: 'max ltv' } as const;
  // (322.6499181 - 100.0000005) / 0.74 = 300.878267 of 359.99994 dollars
  const most = withdraw(position, context, { ...request, collateral: U64_MAX });
  expect(Number(most.collateral) / 2_200_000_000).toBeCloseTo(300.878267 / 359.99994, 7);
  expect(() => withdraw(position, context, { ...request, collateral: 2_000_000_000n })).toThrow(
    /WithdrawTooLarge/,
  );
  expect(most.closes).toBe(false);
});

test('without debt a full withdrawal needs no price checks and closes the account', () => {
  const { position, context } = exampleCase({ sol: withStatus(0), usdc: withStatus(0) });
  const repaid = repay(position, context, usdcLoan(U64_MAX));
  const fresh = (reserve: Reserve): Reserve => ({
    ...reserve,
    lastUpdate: { ...reserve.lastUpdate, stale: 0 },
  });
  const reserves = new Map([...repaid.reserves].map(([key, reserve]) => [key, fresh(reserve)]));
  const free = refreshObligation({ obligation: repaid.obligation, reserves }, context);
  const first = withdraw(free, context, {
    reserve: SOL_RESERVE,
    collateral: U64_MAX,
    limit: 'max ltv',
  });
  expect(first.collateral).toBe(2_200_000_000n);
  const again = new Map([...first.reserves].map(([key, reserve]) => [key, fresh(reserve)]));
  const rest = refreshObligation({ obligation: first.obligation, reserves: again }, context);
  const last = withdraw(rest, context, {
    reserve: USDC_RESERVE,
    collateral: U64_MAX,
    limit: 'max ltv',
  });
  expect(last.closes).toBe(true);
});

test('a withdrawal above the cap throws', () => {
  const cap = {
    configCapacity: 10n,
    currentTotal: 0n,
    lastIntervalStartTimestamp: NOW,
    configIntervalLengthSeconds: 60n,
  };
  const { position, context } = exampleCase({ usdc: withConfig({ depositWithdrawalCap: cap }) });
  const request = { reserve: USDC_RESERVE, collateral: 100n, limit: 'max ltv' } as const;
  expect(() => withdraw(position, context, request)).toThrow(/WithdrawalCapReached/);
});

test('the liquidation of a healthy loan throws', () => {
  const { position, context } = exampleCase();
  const request = {
    repayReserve: USDC_RESERVE,
    withdrawReserve: SOL_RESERVE,
    amount: 1n,
    minReceived: 0n,
  };
  expect(() => liquidate(position, context, request)).toThrow(/ObligationHealthy/);
});

test('a flash loan is repaid with its fee, and a reserve can disable flash loans', () => {
  const { position, context } = exampleCase();
  const reserve = position.reserves.get(USDC_RESERVE);
  if (reserve === undefined) throw new Error('no reserve');
  const lent = flashBorrow(reserve, context, 1_000_000n);
  expect(lent.liquidity.totalAvailableAmount).toBe(999_999_000_000n);
  const back = flashRepay(lent, context, { amount: 1_000_000n, hasReferrer: false });
  expect(back.reserve.liquidity.borrowedAmountSf).toBe(reserve.liquidity.borrowedAmountSf);
  const closed = { ...reserve.config.fees, flashLoanFeeSf: sfFromBits(U64_MAX) };
  expect(() => flashBorrow(withConfig({ fees: closed })(reserve), context, 1n)).toThrow(
    /FlashLoansDisabled/,
  );
  expect(() => flashBorrow(reserve, context, 10n ** 13n)).toThrow(/InsufficientLiquidity/);
});

test('joining an unknown group or the current group throws', () => {
  const { position, context } = exampleCase();
  expect(() => requestElevationGroup(position, context, 3)).toThrow(/InvalidElevationGroup/);
  expect(() => requestElevationGroup(position, context, 0)).toThrow(
    /ElevationGroupAlreadyActivated/,
  );
});
