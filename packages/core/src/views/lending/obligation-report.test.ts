import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { exampleMarket } from '../../../../../test/support/lending/example-market.ts';
import {
  exampleObligation,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { bsfFromBits, ONE_BSF } from '../../base/numbers/big-scaled-fraction.ts';
import { formatRatio } from '../../base/numbers/decimal.ts';
import { viewObligation, viewObligations } from './obligation-report.ts';

const tagged = (tag: bigint) => ({ address: SOL_RESERVE, fields: { ...exampleObligation(), tag } });

test('every tag has a name', () => {
  const names = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n].map(
    (tag) => viewObligation(tagged(tag), exampleMarket()).humanTag,
  );
  expect(names).toEqual([
    'Vanilla',
    'Multiply',
    'Lending',
    'Leverage',
    'MultiplyFixedRate',
    'LendingFixedRate',
    'LeverageFixedRate',
    'Unknown',
  ]);
});

test('the reference example has the expected stats and its raw account', () => {
  const { refreshedStats, state, market } = viewObligation(tagged(0n), exampleMarket());
  expect(Number(formatRatio(refreshedStats.netAccountValue, 20))).toBeCloseTo(334.9998895, 9);
  expect(state.deposits.at(0)?.depositedAmount).toBe(2_200_000_000n);
  expect(market.fields.insolvencyRiskUnhealthyLtvPct).toBe(95);
});

test('loans are sorted by tag, then by address', () => {
  const fields = exampleObligation();
  const loans = [
    { address: SOL_RESERVE, fields: { ...fields, tag: 1n } },
    { address: SOL_RESERVE, fields },
    { address: USDC_RESERVE, fields },
  ];
  const order = viewObligations(loans, exampleMarket()).items.map(({ address, tag }) => [
    tag,
    address,
  ]);
  expect(order).toEqual([
    [0, USDC_RESERVE],
    [0, SOL_RESERVE],
    [1, SOL_RESERVE],
  ]);
});

test('a debt newer than its reserve throws a stale read', () => {
  const example = exampleObligation();
  const value = bsfFromBits(ONE_BSF + 1n);
  const borrows = example.borrows.map((borrow) => ({
    ...borrow,
    cumulativeBorrowRateBsf: { ...borrow.cumulativeBorrowRateBsf, value },
  }));
  const newer = { address: SOL_RESERVE, fields: { ...example, borrows } };
  expect(catchError(() => viewObligation(newer, exampleMarket()))?.code).toBe('STALE_READ');
});

test('a loan in an unknown elevation group is unreadable, with the reason', () => {
  const fields = { ...exampleObligation(), elevationGroup: 9 };
  const error = catchError(() => viewObligation({ address: SOL_RESERVE, fields }, exampleMarket()));
  expect(error?.code).toBe('ACCOUNT_UNREADABLE');
  expect(error?.message).toContain('elevation group');
});
