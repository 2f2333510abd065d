import { expect, test } from 'vitest';
import { exampleMarket } from '../../../../../test/support/lending/example-market.ts';
import {
  exampleReserves,
  groupObligation,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { formatRatio } from '../../base/numbers/decimal.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import { viewLeverage } from './leverage-metrics.ts';

/** SOL at 100 USD with one cToken per lamport, and USDC at 1 USD. */
function market() {
  const reserves = new Map(
    [...exampleReserves()].map(([address, reserve]) => {
      const liquidity = {
        ...reserve.liquidity,
        totalAvailableAmount: toLamports(10n ** 15n),
        borrowedAmountSf: sfFromInt(0n),
        accumulatedProtocolFeesSf: sfFromInt(0n),
        marketPriceSf: sfFromInt(address === SOL_RESERVE ? 100n : 1n),
      };
      const collateral = { ...reserve.collateral, mintTotalSupply: 10n ** 15n };
      return [address, { ...reserve, liquidity, collateral }];
    }),
  );
  return exampleMarket({ reserves });
}

type Loan = { readonly tag: bigint; readonly sol: bigint; readonly usdc: bigint };

/** A deposit of whole SOL and a debt of whole USDC. */
function loan({ tag, sol, usdc }: Loan): { address: typeof SOL_RESERVE; fields: Obligation } {
  const example = groupObligation(0);
  const deposits = example.deposits.map((deposit, i) =>
    i === 0 ? { ...deposit, depositedAmount: sol * 10n ** 9n } : deposit,
  );
  const borrows = example.borrows.map((borrow, i) =>
    i === 0 ? { ...borrow, borrowedAmountSf: sfFromInt(usdc * 10n ** 6n) } : borrow,
  );
  return { address: SOL_RESERVE, fields: { ...example, tag, deposits, borrows } };
}

const table = (...loans: ReturnType<typeof loan>[]) => viewLeverage(loans, market());

test('the mean leverage weighs every loan equally', () => {
  // leverage 2 of 100 USD, leverage 4 of 10000 USD
  const { rows } = table(
    loan({ tag: 1n, sol: 1n, usdc: 50n }),
    loan({ tag: 1n, sol: 100n, usdc: 7500n }),
  );
  expect(rows.map(({ avgLeverage }) => formatRatio(avgLeverage, 40))).toEqual(['3']);
});

test('amounts add up in tokens and in USD', () => {
  const { rows } = table(
    loan({ tag: 3n, sol: 1n, usdc: 50n }),
    loan({ tag: 3n, sol: 2n, usdc: 75n }),
  );
  const [row] = rows;
  expect(row).toMatchObject({
    depositReserve: SOL_RESERVE,
    borrowReserve: USDC_RESERVE,
    tag: 'Leverage',
    obligations: 2,
  });
  const text = (
    name: 'totalDeposited' | 'totalBorrowed' | 'totalDepositedUsd' | 'totalBorrowedUsd',
  ) => row && formatRatio(row[name], 40);
  expect(text('totalDeposited')).toBe('3');
  expect(text('totalDepositedUsd')).toBe('300');
  expect(text('totalBorrowed')).toBe('125');
  expect(text('totalBorrowedUsd')).toBe('125');
});

test('rows are per kind, with fixed-rate loans in their kind, largest deposits first', () => {
  const { rows } = table(
    ...[0n, 1n, 2n, 3n, 4n, 5n, 6n].map((tag) =>
      loan({ tag, sol: tag === 6n ? 9n : 1n, usdc: 10n }),
    ),
  );
  expect(rows.map(({ tag, obligations }) => [tag, obligations])).toEqual([
    ['Leverage', 2],
    ['Multiply', 2],
  ]);
});

test('only loans with exactly one deposit and one debt count', () => {
  const { address, fields } = loan({ tag: 1n, sol: 1n, usdc: 10n });
  const noBorrows = fields.borrows.map((borrow) => ({ ...borrow, borrowReserve: ZERO_ADDRESS }));
  const noDeposits = fields.deposits.map((deposit) => ({
    ...deposit,
    depositReserve: ZERO_ADDRESS,
  }));
  const twoDeposits = fields.deposits.map((deposit, i) =>
    i === 5 ? { ...deposit, depositReserve: USDC_RESERVE } : deposit,
  );
  const twoDebts = fields.borrows.map((borrow, i) =>
    i === 3 ? { ...borrow, borrowReserve: SOL_RESERVE } : borrow,
  );
  const loans = [
    { borrows: noBorrows },
    { deposits: noDeposits },
    { deposits: twoDeposits },
    { deposits: twoDeposits, borrows: noBorrows },
    { deposits: noDeposits, borrows: twoDebts },
    { borrows: twoDebts },
  ].map((change) => ({
    address,
    fields: { ...fields, ...change },
  }));
  expect(viewLeverage(loans, market())).toEqual({ rows: [], omitted: 0, omissions: [] });
});

test('a loan that cannot be evaluated is omitted and counted', () => {
  const good = loan({ tag: 1n, sol: 1n, usdc: 10n });
  const unknownDeposits = good.fields.deposits.map((deposit, i) =>
    i === 0 ? { ...deposit, depositReserve: good.fields.owner } : deposit,
  );
  const found = table({ ...good, fields: { ...good.fields, deposits: unknownDeposits } }, good);
  expect(found.omitted).toBe(1);
  expect(found.rows.map(({ obligations }) => obligations)).toEqual([1]);
});

test('a loan with a debt equal to its deposit counts with a leverage of zero', () => {
  const { rows } = table(
    loan({ tag: 1n, sol: 1n, usdc: 100n }),
    loan({ tag: 1n, sol: 1n, usdc: 50n }),
  );
  expect(rows.map(({ avgLeverage }) => formatRatio(avgLeverage, 40))).toEqual(['1']);
});
