import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { seededBytes } from '../../../../../test/support/random/seeded-bytes.ts';
import { addressFromBytes } from '../../base/encoding/address.ts';
import { bsfFromBits, mulBsf, ONE_BSF } from '../../base/numbers/big-scaled-fraction.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { mulSf, type Sf, sfFromBits, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { debtAt } from '../../protocol/klend/math/liquidity.ts';
import { debtRounding, LoanSums } from './loan-sums.ts';

const RESERVE = addressFromBytes(seededBytes(1, 32));
const ONE_LAMPORT = 1n << 60n;

type Debt = { borrowedAmountSf: Sf; cumulativeBorrowRateBsf: { value: typeof ONE_BSF } };

const loanOf = (debt: Debt) =>
  ({ deposits: [], borrows: [{ ...debt, borrowReserve: RESERVE }] }) as unknown as Parameters<
    LoanSums['add']
  >[0];

const reserveOf = (borrowedAmountSf: Sf, rate: typeof ONE_BSF, borrowLimit: bigint) =>
  ({
    liquidity: {
      totalAvailableAmount: toLamports(0n),
      borrowedAmountSf,
      cumulativeBorrowRateBsf: { value: rate },
    },
    config: { borrowLimit },
  }) as unknown as ReserveView;

/** One slot: the reserve accrues; then one loan is refreshed, and borrows or repays. */
const slots = fc.array(
  fc.record({
    growth: fc.bigInt({ min: 0n, max: 1n << 42n }),
    loan: fc.nat(3),
    borrowed: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    repays: fc.boolean(),
  }),
  { minLength: 1, maxLength: 200 },
);

test('as the program rounds, a reserve and its loans differ by no more than the stated rounding', () => {
  assertProperty(
    fc.property(slots, (list) => {
      const loans: Debt[] = [0, 1, 2, 3].map(() => ({
        borrowedAmountSf: sfFromBits(0n),
        cumulativeBorrowRateBsf: { value: ONE_BSF },
      }));
      let [owed, rate, peak] = [sfFromBits(0n), ONE_BSF, 0n];
      for (const { growth, loan: index, borrowed, repays } of list) {
        const factor = sfFromBits(ONE_LAMPORT + growth);
        owed = mulSf(owed, factor);
        rate = mulBsf(rate, factor);
        const loan = loans[index];
        if (loan === undefined) continue;
        const refreshed = debtAt(loan, rate);
        const after = repays ? sfFromBits(0n) : sfFromBits(refreshed + sfFromInt(borrowed));
        owed = sfFromBits(owed + after - (refreshed < owed + after ? refreshed : owed + after));
        loans[index] = { borrowedAmountSf: after, cumulativeBorrowRateBsf: { value: rate } };
        if (owed >> 60n > peak) peak = owed >> 60n;
      }
      const sums = new LoanSums();
      for (const loan of loans) sums.add(loanOf(loan));
      const { debtSf, debts } = sums.totalsOf(RESERVE, rate);
      const exact = loans.reduce((sum, loan) => sum + debtAt(loan, rate), 0n);
      expect(debtSf - exact, 'rounded once instead of per loan').toBeGreaterThanOrEqual(-1n);
      expect(debtSf - exact).toBeLessThanOrEqual(BigInt(loans.length));
      const limit = reserveOf(owed, rate, peak);
      const { above, below } = debtRounding(limit, debts, BigInt(list.length));
      const difference = owed - debtSf;
      expect(difference).toBeLessThanOrEqual(above);
      expect(difference).toBeGreaterThanOrEqual(-below);
    }),
    200,
  );
});

test('the rounding that is allowed on mainnet is far below a loan', () => {
  const rate = bsfFromBits((13n << 60n) / 10n);
  const reserve = reserveOf(sfFromInt(10n ** 14n), rate, 4n * 10n ** 14n);
  const { above, below } = debtRounding(reserve, 300_000n, 450_000_000n);
  // 400 million USDC at most, for every slot since the start of the cluster: 0.21 USDC
  expect(above >> 60n).toBeLessThan(210_000n);
  expect(below).toBe(ONE_LAMPORT);
});

test('a loan that is removed leaves nothing, whatever its rate', () => {
  const sums = new LoanSums();
  const debt = { borrowedAmountSf: sfFromBits((7n << 60n) + 12_345n) };
  const loan = loanOf({ ...debt, cumulativeBorrowRateBsf: { value: bsfFromBits(ONE_BSF + 77n) } });
  sums.add(loan);
  expect(sums.totalsOf(RESERVE, ONE_BSF + 77n)).toMatchObject({ debts: 1n });
  sums.remove(loan);
  expect(sums.totalsOf(RESERVE, ONE_BSF + 77n)).toEqual({ debtSf: 0n, debts: 0n, deposited: 0n });
});
