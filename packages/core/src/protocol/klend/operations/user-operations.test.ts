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
import { flashBorrow, flashRepay } from './flash-loan.ts';
import { liquidate } from './liquidate.ts';
import type { LendingContext } from './position.ts';
import { refreshObligation } from './refresh-obligation.ts';
import { repay } from './repay.ts';
import { requestElevationGroup } from './request-elevation-group.ts';
import { withdraw } from './withdraw.ts';

type Changes = {
  readonly usdc?: (reserve: Reserve) => Reserve;
  readonly sol?: (reserve: Reserve) => Reserve;
  readonly market?: Partial<LendingMarket>;
};

/** The example loan, refreshed, with parts of its accounts replaced before or after. */
function scene({ usdc, sol, market }: Changes = {}) {
  const terms: LendingContext = {
    ...exampleLendingContext(),
    market: { ...exampleLendingContext().market, ...market },
  };
  const reserves = exampleReserves();
  const change = (key: typeof USDC_RESERVE, how: Changes['usdc']): void => {
    const reserve = reserves.get(key);
    if (how !== undefined && reserve !== undefined) reserves.set(key, how(reserve));
  };
  change(USDC_RESERVE, usdc);
  change(SOL_RESERVE, sol);
  return {
    terms,
    position: refreshObligation({ obligation: exampleObligation(), reserves }, terms),
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

test('a deposit takes what its whole cTokens are worth and marks both accounts stale', () => {
  const { position, terms } = scene();
  const after = deposit(position, terms, usdcLoan(1_000_000n));
  expect(after).toMatchObject({ collateral: 933_333n, liquidity: 999_999n });
  expect(after.obligation.deposits[1]?.depositedAmount).toBe(70_933_333n);
  expect(after.obligation.lastUpdate.stale).toBe(1);
  const reserve = after.reserves.get(USDC_RESERVE);
  expect(reserve?.liquidity.totalAvailableAmount).toBe(1_000_000_999_999n);
  expect(reserve?.lastUpdate.stale).toBe(1);
});

test('the current program records when a debt last grew', () => {
  const { position, terms } = scene();
  const after = borrow(position, terms, usdcLoan(1_000_000n));
  expect(after.obligation.borrows[0]?.lastBorrowedAtTimestamp).toBe(NOW);
});

test.each<[string, RegExp, Changes]>([
  ['nothing', /InvalidAmount/, {}],
  [
    'above the limit',
    /DepositLimitExceeded/,
    { usdc: withConfig({ depositLimit: toLamports(1n) }) },
  ],
  ['into a reserve that is wound up', /ReserveObsolete/, { usdc: withConfig({ status: 1 }) }],
  ['while the market is closed', /GlobalEmergencyMode/, { market: { emergencyMode: 1 } }],
  [
    'while the reserve is closed',
    /ReserveEmergencyMode/,
    { usdc: withConfig({ emergencyMode: 1 }) },
  ],
  [
    'of less than the least value',
    /NetValueRemainingTooSmall/,
    { market: { minNetValueInObligationSf: sfFromInt(100n) } },
  ],
])('a deposit %s is refused', (_, refusal, changes) => {
  const { position, terms } = scene(changes);
  const amount = refusal.source === 'InvalidAmount' ? 0n : 1_000_000n;
  expect(() => deposit(position, terms, usdcLoan(amount))).toThrow(refusal);
});

test.each<[string, RegExp, Changes]>([
  ['beyond what the deposits allow', /BorrowTooLarge/, {}],
  ['with a price check missing', /ReserveStale/, { usdc: withStatus(63 - 8) }],
  ['with a price check of another reserve missing', /ObligationStale/, { sol: withStatus(63 - 8) }],
  ['in a closed market', /BorrowingDisabled/, { market: { borrowDisabled: 1 } }],
  [
    'of a reserve that lends no more',
    /BorrowLimitExceeded/,
    { usdc: withConfig({ borrowLimit: toLamports(1n) }) },
  ],
  [
    'above the limit outside of groups',
    /BorrowLimitExceeded/,
    { usdc: withConfig({ borrowLimitOutsideElevationGroup: toLamports(100_000_001n) }) },
  ],
  [
    'above the utilization limit',
    /BorrowingAboveUtilizationRateDisabled/,
    { usdc: withConfig({ utilizationLimitBlockBorrowingAbovePct: 33 }) },
  ],
  [
    'after the reserve’s debt is due',
    /ReserveDebtMaturityReached/,
    { usdc: withConfig({ debtMaturityTimestamp: toUnixSeconds(NOW) }) },
  ],
  [
    'against a deposit that backs groups only',
    /BorrowingDisabledOutsideElevationGroup/,
    { sol: withConfig({ disableUsageAsCollOutsideEmode: 1 }) },
  ],
  [
    'beside a reserve that is wound up',
    /ObligationInObsoleteReserve/,
    { sol: withConfig({ status: 1 }) },
  ],
])('a loan %s is refused', (_, refusal, changes) => {
  const { position, terms } = scene(changes);
  const amount = refusal.source === 'BorrowTooLarge' ? 400_000_000n : 1_000_000n;
  expect(() => borrow(position, terms, usdcLoan(amount))).toThrow(refusal);
});

test('all that is allowed can be borrowed at once, its fee included', () => {
  const { position, terms } = scene({
    usdc: withConfig({
      fees: {
        originationFeeSf: sfFromInt(0n),
        flashLoanFeeSf: sfFromInt(0n),
        padding: new Uint8Array(8),
      },
    }),
  });
  const loan = borrow(position, terms, usdcLoan(U64_MAX));
  // 322.6499181 allowed, 100.0000005 owed
  expect(loan.received).toBe(222_649_917n);
});

test('queued withdrawals are not lent out', () => {
  const queue = (reserve: Reserve): Reserve => ({
    ...reserve,
    withdrawQueue: { ...reserve.withdrawQueue, queuedCollateralAmount: 933_332_000_000n },
  });
  const { position, terms } = scene({ usdc: queue });
  expect(() => borrow(position, terms, usdcLoan(10_000_000n))).toThrow(/InsufficientLiquidity/);
});

test('a repayment below the debt settles it in part, one above it only what is owed', () => {
  const { position, terms } = scene();
  const part = repay(position, terms, usdcLoan(40_000_000n));
  expect(part.repaid).toBe(40_000_000n);
  const all = repay(position, terms, usdcLoan(U64_MAX));
  expect(all.repaid).toBe(100_000_001n);
  expect(all.obligation).toMatchObject({ hasDebt: 0 });
  expect(all.obligation.borrows[0]?.borrowedAmountSf).toBe(0n);
  expect(repay(position, terms, usdcLoan(200_000_000n)).repaid).toBe(100_000_001n);
});

test('a repayment that leaves dust is refused, and one of a debt that is not there', () => {
  const { position, terms } = scene({ market: { minNetValueInObligationSf: sfFromInt(5n) } });
  expect(() => repay(position, terms, usdcLoan(96_000_000n))).toThrow(/NetValueRemainingTooSmall/);
  const request = { reserve: SOL_RESERVE, amount: 1n };
  expect(() => repay(position, terms, request)).toThrow(/InvalidObligationLiquidity/);
});

test('a withdrawal with debt ends where the rest no longer backs it', () => {
  const { position, terms } = scene();
  const request = { reserve: SOL_RESERVE, limit: 'max ltv' } as const;
  // (322.6499181 - 100.0000005) / 0.74 = 300.878267 of 359.99994 dollars
  const most = withdraw(position, terms, { ...request, collateral: U64_MAX });
  expect(Number(most.collateral) / 2_200_000_000).toBeCloseTo(300.878267 / 359.99994, 7);
  expect(() => withdraw(position, terms, { ...request, collateral: 2_000_000_000n })).toThrow(
    /WithdrawTooLarge/,
  );
  expect(most.closes).toBe(false);
});

test('without debt everything can leave, whatever the price checks say, and the account closes', () => {
  const { position, terms } = scene({ sol: withStatus(0), usdc: withStatus(0) });
  const repaid = repay(position, terms, usdcLoan(U64_MAX));
  const fresh = (reserve: Reserve): Reserve => ({
    ...reserve,
    lastUpdate: { ...reserve.lastUpdate, stale: 0 },
  });
  const reserves = new Map([...repaid.reserves].map(([key, reserve]) => [key, fresh(reserve)]));
  const free = refreshObligation({ obligation: repaid.obligation, reserves }, terms);
  const first = withdraw(free, terms, {
    reserve: SOL_RESERVE,
    collateral: U64_MAX,
    limit: 'max ltv',
  });
  expect(first.collateral).toBe(2_200_000_000n);
  const again = new Map([...first.reserves].map(([key, reserve]) => [key, fresh(reserve)]));
  const rest = refreshObligation({ obligation: first.obligation, reserves: again }, terms);
  const last = withdraw(rest, terms, {
    reserve: USDC_RESERVE,
    collateral: U64_MAX,
    limit: 'max ltv',
  });
  expect(last.closes).toBe(true);
});

test('a withdrawal above the cap is refused', () => {
  const cap = {
    configCapacity: 10n,
    currentTotal: 0n,
    lastIntervalStartTimestamp: NOW,
    configIntervalLengthSeconds: 60n,
  };
  const { position, terms } = scene({ usdc: withConfig({ depositWithdrawalCap: cap }) });
  const request = { reserve: USDC_RESERVE, collateral: 100n, limit: 'max ltv' } as const;
  expect(() => withdraw(position, terms, request)).toThrow(/WithdrawalCapReached/);
});

test('a healthy loan is not liquidated', () => {
  const { position, terms } = scene();
  const request = {
    repayReserve: USDC_RESERVE,
    withdrawReserve: SOL_RESERVE,
    amount: 1n,
    minReceived: 0n,
  };
  expect(() => liquidate(position, terms, request)).toThrow(/ObligationHealthy/);
});

test('a flash loan comes back with its fee; a reserve can give none', () => {
  const { position, terms } = scene();
  const reserve = position.reserves.get(USDC_RESERVE);
  if (reserve === undefined) throw new Error('no reserve');
  const lent = flashBorrow(reserve, terms, 1_000_000n);
  expect(lent.liquidity.totalAvailableAmount).toBe(999_999_000_000n);
  const back = flashRepay(lent, terms, { amount: 1_000_000n, hasReferrer: false });
  expect(back.reserve.liquidity.borrowedAmountSf).toBe(reserve.liquidity.borrowedAmountSf);
  const closed = { ...reserve.config.fees, flashLoanFeeSf: sfFromBits(U64_MAX) };
  expect(() => flashBorrow(withConfig({ fees: closed })(reserve), terms, 1n)).toThrow(
    /FlashLoansDisabled/,
  );
  expect(() => flashBorrow(reserve, terms, 10n ** 13n)).toThrow(/InsufficientLiquidity/);
});

test('a group that does not exist cannot be joined, nor the one it is in', () => {
  const { position, terms } = scene();
  expect(() => requestElevationGroup(position, terms, 3)).toThrow(/InvalidElevationGroup/);
  expect(() => requestElevationGroup(position, terms, 0)).toThrow(/ElevationGroupAlreadyActivated/);
});
