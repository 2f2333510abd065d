import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { compareRatios } from '../../base/numbers/ratio.ts';
import { addSf, type Sf, sfFromBits, ZERO_SF } from '../../base/numbers/scaled-fraction.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { AddressedAccount, MarketSnapshot } from './market-snapshot.ts';
import { borrowPositions, depositPositions, type LoanPosition } from './obligation-positions.ts';
import { type ReserveSnapshot, toUsd } from './reserve-snapshot.ts';
import { isCollateralOf, reserveStatus, usedGroups } from './reserve-stats.ts';

/** A debt that a collateral can back: outside of elevation groups (0), or in a group. */
type BorrowTerm = {
  readonly reserve: Address;
  readonly elevationGroup: number;
  readonly maxLtv: Ratio;
  readonly liquidationLtv: Ratio;
  readonly borrowFactor: Ratio;
};

type ReserveAccount = AddressedAccount<ReserveView>;

/** A reserve whose deposits can back new debts. */
export type CollateralReserve = {
  readonly reserve: ReserveSnapshot;
  readonly sizeUsd: Ratio;
  readonly terms: readonly BorrowTerm[];
};

/** `reserves` are all reserves of the market. Largest deposits first, then by address. */
export function viewCollateralReserves(
  market: MarketSnapshot,
  reserves: readonly ReserveAccount[],
): readonly CollateralReserve[] {
  return reserves
    .flatMap((account) => {
      const reserve = market.reserves.get(account.address);
      const terms = borrowTerms(account, market, reserves);
      if (reserve === undefined || terms.length === 0) return [];
      return { reserve, sizeUsd: toUsd(reserve, reserve.totalSupply), terms };
    })
    .sort(
      (a, b) =>
        compareRatios(b.sizeUsd, a.sizeUsd) || (a.reserve.address < b.reserve.address ? -1 : 1),
    );
}

const borrowTerms = (
  collateral: ReserveAccount,
  market: MarketSnapshot,
  reserves: readonly ReserveAccount[],
): readonly BorrowTerm[] =>
  reserveStatus(collateral.fields.config) === 'Obsolete'
    ? []
    : [...termsOutsideGroups(collateral, reserves), ...termsInGroups(collateral, market, reserves)];

function termsOutsideGroups(
  { address, fields: { config } }: ReserveAccount,
  reserves: readonly ReserveAccount[],
): BorrowTerm[] {
  if (config.loanToValuePct === 0 || config.disableUsageAsCollOutsideEmode !== 0) return [];
  return reserves
    .filter((debt) => debt.address !== address && canBeBorrowed(debt))
    .filter((debt) => debt.fields.config.borrowLimitOutsideElevationGroup > 0n)
    .map((debt) => ({
      reserve: debt.address,
      elevationGroup: 0,
      maxLtv: percent(config.loanToValuePct),
      liquidationLtv: percent(config.liquidationThresholdPct),
      borrowFactor: borrowFactor(debt),
    }));
}

function termsInGroups(
  collateral: ReserveAccount,
  market: MarketSnapshot,
  reserves: readonly ReserveAccount[],
): BorrowTerm[] {
  const { borrowLimitAgainstThisCollateralInElevationGroup: limits } = collateral.fields.config;
  return usedGroups(market)
    .filter((group) => group.allowNewLoans !== 0 && isCollateralOf(collateral, group))
    .filter(({ id }) => (limits.at(id - 1) ?? 0n) > 0n)
    .flatMap(({ id, debtReserve, ltvPct, liquidationThresholdPct }) =>
      reserves
        .filter((debt) => debt.address === debtReserve && canBeBorrowed(debt))
        .map((debt) => ({
          reserve: debt.address,
          elevationGroup: id,
          maxLtv: percent(ltvPct),
          liquidationLtv: percent(liquidationThresholdPct),
          borrowFactor: ONE,
        })),
    );
}

const canBeBorrowed = ({ fields: { config } }: ReserveAccount): boolean =>
  config.borrowLimit > 0n && reserveStatus(config) !== 'Obsolete';

const ONE: Ratio = { numerator: 1n, denominator: 1n };

/** At least 1. Debts in a group have none. */
const borrowFactor = ({ fields: { config } }: ReserveAccount): Ratio =>
  config.borrowFactorPct < 100n ? ONE : { numerator: config.borrowFactorPct, denominator: 100n };

const percent = (value: number): Ratio => ({ numerator: BigInt(value), denominator: 100n });

/** The deposits in a reserve that back debts, and their part of these debts, in USD. */
type BackedDebt = { readonly collateral: Sf; readonly debt: Sf };

export type BackedDebts = {
  /** By collateral reserve. */
  readonly byCollateral: ReadonlyMap<Address, BackedDebt>;
  /** Number of loans that cannot be evaluated. */
  readonly omitted: number;
};

/** Divides the debts of each loan among its deposits by their value. */
export function sumBackedDebts(
  loans: Iterable<{ readonly fields: ObligationView }>,
  market: MarketSnapshot,
): BackedDebts {
  const byCollateral = new Map<Address, BackedDebt>();
  let omitted = 0;
  for (const { fields } of loans) {
    if (!hasDebt(fields)) continue;
    try {
      addLoan(byCollateral, fields, market);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      omitted++;
    }
  }
  return { byCollateral, omitted };
}

function addLoan(
  sums: Map<Address, BackedDebt>,
  loan: ObligationView,
  market: MarketSnapshot,
): void {
  const debt = totalValue(borrowPositions(loan, market));
  const deposits = depositPositions(loan, market);
  const total = totalValue(deposits);
  if (debt === 0n || total === 0n) return;
  for (const { reserve, value } of deposits) {
    const before = sums.get(reserve.address) ?? { collateral: ZERO_SF, debt: ZERO_SF };
    sums.set(reserve.address, {
      collateral: addSf(before.collateral, value),
      debt: addSf(before.debt, sfFromBits((debt * value) / total)),
    });
  }
}

const totalValue = (positions: readonly LoanPosition[]): Sf =>
  positions.reduce((sum, { value }) => addSf(sum, value), ZERO_SF);

function hasDebt({ borrows }: ObligationView): boolean {
  for (const { borrowReserve } of borrows) if (borrowReserve !== ZERO_ADDRESS) return true;
  return false;
}
