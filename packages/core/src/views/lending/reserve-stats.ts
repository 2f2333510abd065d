import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { type Lamports, toLamports, U64_MAX } from '../../base/numbers/lamports.ts';
import { divRatioOrZero } from '../../base/numbers/ratio.ts';
import { type Sf, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import type { Reserve, ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { borrowCapacity, maxLoan } from '../../protocol/klend/math/limits.ts';
import {
  type LendingContext,
  requireOpenReserve,
} from '../../protocol/klend/operations/position.ts';
import type { AddressedAccount, MarketSnapshot } from './market-snapshot.ts';
import { unlessRejected } from './refreshed-loan.ts';
import { type ReserveSnapshot, toUsd, toWholeTokens } from './reserve-snapshot.ts';

export type ReserveStatus = 'Active' | 'Obsolete' | 'Hidden';

/** The status values 0, 1 and 2 of the program. */
export function reserveStatus({ status }: Pick<ReserveView['config'], 'status'>): ReserveStatus {
  if (status === 1) return 'Obsolete';
  return status === 2 ? 'Hidden' : 'Active';
}

/** An amount of the reserve's token, in whole tokens and in USD. */
type ValuedTokens = { readonly tokens: Ratio; readonly usd: Ratio };

export type ReserveAmounts = {
  readonly supply: ValuedTokens;
  readonly borrowed: ValuedTokens;
  /** The tokens in the supply vault, with fees and queued withdrawals. */
  readonly available: ValuedTokens;
  /** What all limits of the reserve and the market leave for new loans. Limits of elevation groups are not included. */
  readonly borrowable: ValuedTokens;
  /** The borrowed part of the supply; zero without supply. */
  readonly utilization: Ratio;
};

export function viewReserveAmounts(
  reserve: ReserveSnapshot,
  market: MarketSnapshot,
): ReserveAmounts {
  const amount = (lamports: Sf): ValuedTokens => ({
    tokens: toWholeTokens(reserve, lamports),
    usd: toUsd(reserve, lamports),
  });
  const { totalSupply, liquidity } = reserve;
  const supply = amount(totalSupply);
  const borrowed = amount(liquidity.borrowedAmountSf);
  return {
    supply,
    borrowed,
    available: amount(sfFromInt(liquidity.totalAvailableAmount)),
    borrowable: amount(sfFromInt(borrowableLamports(reserve.address, market))),
    utilization: divRatioOrZero(borrowed.tokens, supply.tokens),
  };
}

/** The largest loan that the program would grant to anyone now. Zero if it grants none. */
function borrowableLamports(address: Address, { refreshed, at }: MarketSnapshot): Lamports {
  const updated = refreshed.updatedAt(address) ?? at.slot;
  const context = refreshed.contextAt(updated > at.slot ? updated : at.slot);
  const reserve = unlessRejected(() => refreshed.reserve(address, context));
  if (reserve === undefined || !acceptsLoans(reserve, context)) return toLamports(0n);
  // Each kind of loan has its own limit besides, outside of groups and in each group.
  return maxLoan(borrowCapacity(reserve, at.unix, context.rules), true);
}

function acceptsLoans(reserve: Reserve, context: LendingContext): boolean {
  const isOpen = unlessRejected(() => {
    requireOpenReserve(context, reserve);
    return true;
  });
  const maturity = reserve.config.debtMaturityTimestamp;
  const hasMatured = maturity !== 0n && context.time.unix >= maturity;
  return isOpen === true && context.market.borrowDisabled === 0 && !hasMatured;
}

/** A limit of debt, in lamports. */
export type DebtLimit = { readonly capacity: Lamports | undefined; readonly total: Lamports };

type CollateralDebtLimit = DebtLimit & {
  readonly collateralReserve: Address;
  readonly elevationGroup: number;
};

/** The limits of new debt of a reserve. A capacity is undefined where there is no limit. */
type DebtLimits = {
  readonly outsideGroups: DebtLimit;
  /** Per elevation group and collateral. */
  readonly againstCollateral: readonly CollateralDebtLimit[];
};

/** `reserves` are all reserves of the market. Amounts are in lamports of the debt's token. */
export function viewDebtLimits(
  { address, fields }: AddressedAccount<ReserveView>,
  market: MarketSnapshot,
  reserves: readonly AddressedAccount<ReserveView>[],
): DebtLimits {
  const groups = usedGroups(market).filter(({ debtReserve }) => debtReserve === address);
  return {
    outsideGroups: {
      capacity: limitOf(fields.config.borrowLimitOutsideElevationGroup),
      total: fields.borrowedAmountOutsideElevationGroup,
    },
    againstCollateral: groups.flatMap(({ id }) =>
      reserves
        .filter((collateral) => isCollateralOf(collateral, { id, debtReserve: address }))
        .map((collateral) => ({
          collateralReserve: collateral.address,
          elevationGroup: id,
          ...groupLimit(collateral.fields, id),
        })),
    ),
  };
}

function groupLimit(collateral: ReserveView, id: number): DebtLimit {
  const { borrowLimitAgainstThisCollateralInElevationGroup: limits } = collateral.config;
  return {
    capacity: limitOf(limits.at(id - 1) ?? toLamports(0n)),
    total:
      collateral.borrowedAmountsAgainstThisReserveInElevationGroups.at(id - 1) ?? toLamports(0n),
  };
}

/** The program writes the largest number for no limit. */
const limitOf = (limit: Lamports): Lamports | undefined => (limit === U64_MAX ? undefined : limit);

/** The elevation groups of a market that loans can have. */
export const usedGroups = ({ fields }: Pick<MarketSnapshot, 'fields'>) =>
  [...fields.elevationGroups].filter(
    ({ id, ltvPct, liquidationThresholdPct }) =>
      id !== 0 && ltvPct !== 0 && liquidationThresholdPct !== 0,
  );

/** A loan in a group does not use its debt's token as collateral. */
export const isCollateralOf = (
  { address, fields }: AddressedAccount<ReserveView>,
  { id, debtReserve }: { readonly id: number; readonly debtReserve: Address },
): boolean => address !== debtReserve && fields.config.elevationGroups.includes(id);
