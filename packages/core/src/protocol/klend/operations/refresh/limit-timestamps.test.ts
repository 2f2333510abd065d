import { expect, test } from 'vitest';
import { dollarLoan, withConfig } from '../../../../../../../test/support/lending/dollar-loans.ts';
import {
  exampleLendingContext,
  exampleObligation,
  exampleReserve,
  exampleReserves,
  NOW,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../../test/support/lending/lending-accounts.ts';
import { releaseRules } from '../../../../../../../test/support/lending/release-rules.ts';
import { toLamports } from '../../../../base/numbers/lamports.ts';
import { sfFromInt } from '../../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../../../base/time.ts';
import type { Reserve } from '../../layout/reserve.ts';
import type { LendingRules } from '../../lending-rules.ts';
import { NEWEST_LENDING_RULES } from '../../releases.ts';
import { forgiveDebt } from '../administration.ts';
import { borrow } from '../borrow.ts';
import { deposit, supplyLiquidity } from '../deposit.ts';
import { flashBorrow, flashRepay } from '../flash-loan.ts';
import { liquidate } from '../liquidate.ts';
import { reserveOf } from '../position.ts';
import { redeemCollateral } from '../redeem-collateral.ts';
import { repay } from '../repay.ts';
import { refreshObligation } from './refresh-obligation.ts';
import { accrueReserveToSlot } from './refresh-reserve.ts';

const BEFORE = releaseRules('1.23');
const SINCE = toUnixSeconds(1_690_000_000n);

const times = ({ liquidity }: Reserve) => [
  liquidity.depositLimitCrossedTimestamp,
  liquidity.borrowLimitCrossedTimestamp,
];

/** A reserve with these times in its account. */
const crossedSince =
  (deposits: bigint, borrows: bigint) =>
  ({ liquidity, ...rest }: Reserve): Reserve => ({
    ...rest,
    liquidity: {
      ...liquidity,
      depositLimitCrossedTimestamp: toUnixSeconds(deposits),
      borrowLimitCrossedTimestamp: toUnixSeconds(borrows),
    },
  });

/** The example loan, after the times of its USDC reserve and this reserve's settings are changed. */
function exampleCase(rules: LendingRules, usdc: (reserve: Reserve) => Reserve) {
  const context = { ...exampleLendingContext(), rules };
  const reserves = exampleReserves();
  const position = refreshObligation({ obligation: exampleObligation(), reserves }, context);
  const changed = usdc(reserveOf(position.reserves, USDC_RESERVE));
  return {
    context,
    position: { ...position, reserves: new Map(position.reserves).set(USDC_RESERVE, changed) },
  };
}

/** Of 5 * 10^11 lamports of debt. */
const DEBT_LIMIT = { borrowLimit: toLamports(5n * 10n ** 11n) };

test('a repayment below the borrow limit ends the time that it is crossed', () => {
  const run = (rules: LendingRules) => {
    const { position, context } = exampleCase(rules, (reserve) => {
      const { liquidity, ...rest } = crossedSince(0n, SINCE)(reserve);
      return withConfig({ borrowLimit: toLamports(1_000_000n) })({
        ...rest,
        liquidity: { ...liquidity, borrowedAmountSf: sfFromInt(1_500_000n) },
      });
    });
    const after = repay(position, context, { reserve: USDC_RESERVE, amount: 600_000n });
    return times(reserveOf(after.reserves, USDC_RESERVE));
  };
  expect(run(NEWEST_LENDING_RULES)).toEqual([0n, 0n]);
  expect(run(BEFORE)).toEqual([0n, SINCE]);
});

test('a repayment that stays above the limit keeps the time', () => {
  const { position, context } = exampleCase(NEWEST_LENDING_RULES, (reserve) =>
    withConfig({ borrowLimit: toLamports(1n) })(crossedSince(0n, SINCE)(reserve)),
  );
  const after = repay(position, context, { reserve: USDC_RESERVE, amount: 600_000n });
  expect(times(reserveOf(after.reserves, USDC_RESERVE))).toEqual([0n, SINCE]);
});

test('a loan and a deposit within the limits end old times', () => {
  for (const [rules, expected] of [
    [NEWEST_LENDING_RULES, [0n, 0n]],
    [BEFORE, [SINCE, SINCE]],
  ] as const) {
    const { position, context } = exampleCase(rules, crossedSince(SINCE, SINCE));
    const request = { reserve: USDC_RESERVE, amount: 1_000_000n };
    const lent = borrow(position, context, request);
    expect(times(reserveOf(lent.reserves, USDC_RESERVE))).toEqual(expected);
    const supplied = deposit(position, context, request);
    expect(times(reserveOf(supplied.reserves, USDC_RESERVE))).toEqual(expected);
    const reserve = reserveOf(position.reserves, USDC_RESERVE);
    expect(times(supplyLiquidity(reserve, context, 1_000_000n).reserve)).toEqual(expected);
  }
});

test('the refresh within an operation marks limits, before release 1.24 only the instruction does', () => {
  const reserve = withConfig({ ...DEBT_LIMIT, depositLimit: toLamports(1n) })(exampleReserve());
  const context = exampleLendingContext();
  const crossed = { ...reserve.liquidity, borrowedAmountSf: sfFromInt(6n * 10n ** 11n) };
  const refresh = (rules: LendingRules) =>
    times(accrueReserveToSlot({ ...reserve, liquidity: crossed }, { ...context, rules }));
  expect(refresh(NEWEST_LENDING_RULES)).toEqual([NOW, NOW]);
  expect(refresh(BEFORE)).toEqual([0n, 0n]);
});

test('a flash loan crosses the borrow limit until it is repaid', () => {
  const reserve = withConfig(DEBT_LIMIT)(exampleReserve());
  const context = exampleLendingContext();
  const lent = flashBorrow(reserve, context, 1_000_000n);
  expect(times(lent)).toEqual([0n, NOW]);
  const repaid = flashRepay(lent, context, { amount: 1_000_000n, hasReferrer: false }).reserve;
  expect(times(repaid)).toEqual([0n, 0n]);
  expect(times(flashBorrow(reserve, { ...context, rules: BEFORE }, 1_000_000n))).toEqual([0n, 0n]);
});

test('a redemption marks both limits in every release', () => {
  for (const rules of [NEWEST_LENDING_RULES, BEFORE]) {
    const context = { ...exampleLendingContext(), rules };
    const reserve = crossedSince(SINCE, SINCE)(exampleReserve());
    expect(times(redeemCollateral(reserve, context, { collateral: 14n }).reserve)).toEqual([
      0n,
      0n,
    ]);
  }
});

test('a liquidation marks the reserve that is repaid', () => {
  const run = (rules: LendingRules) => {
    const { position, context } = dollarLoan({ deposited: 1_000n, borrowed: 850n });
    const reserve = crossedSince(SINCE, SINCE)(reserveOf(position.reserves, USDC_RESERVE));
    const reserves = new Map(position.reserves).set(USDC_RESERVE, reserve);
    const after = liquidate(
      { ...position, reserves },
      { ...context, rules },
      {
        repayReserve: USDC_RESERVE,
        withdrawReserve: SOL_RESERVE,
        amount: 100n,
        minReceived: 0n,
      },
    );
    return times(reserveOf(after.reserves, USDC_RESERVE));
  };
  expect(run(NEWEST_LENDING_RULES)).toEqual([0n, 0n]);
  expect(run(BEFORE)).toEqual([SINCE, SINCE]);
});

test('a forgiven debt that falls below the limit ends its time', () => {
  const run = (rules: LendingRules) => {
    const { position, context } = exampleCase(rules, (reserve) =>
      withConfig({ borrowLimit: toLamports(5n * 10n ** 11n - 1n) })(
        crossedSince(0n, SINCE)(reserve),
      ),
    );
    const empty = '11111111111111111111111111111111';
    const deposits = position.obligation.deposits.map((each) => ({
      ...each,
      depositReserve: empty as typeof each.depositReserve,
    }));
    const obligation = { ...position.obligation, deposits };
    const loss = { reserve: USDC_RESERVE, amount: 1_000_000n };
    const after = forgiveDebt({ ...position, obligation }, context, loss);
    return times(reserveOf(after.reserves, USDC_RESERVE));
  };
  expect(run(NEWEST_LENDING_RULES)).toEqual([0n, 0n]);
  expect(run(BEFORE)).toEqual([0n, SINCE]);
});
