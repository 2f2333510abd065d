import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  floorSf,
  mulSf,
  type Sf,
  sfFromBits,
  sfFromInt,
  sfFromPercent,
  subSfToZero,
} from '../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import type { Reserve } from '../layout/reserve.ts';
import type { LendingRules } from '../lending-rules.ts';
import { availableLiquidity } from './liquidity.ts';
import { totalSupply } from './supply.ts';
import { remainingWithdrawalCap } from './withdrawal-caps.ts';

/** The lamports that can be deposited under the limit, rounded down. */
export function depositCapacity({ config, liquidity }: Reserve): Lamports {
  return toLamports(floorSf(subSfToZero(sfFromInt(config.depositLimit), totalSupply(liquidity))));
}

/** The remaining capacity under each limit of a reserve, in lamports of new debt. */
export type BorrowCapacity = {
  readonly liquidity: Lamports;
  readonly borrowLimit: Lamports;
  /** The limit for debt outside elevation groups. In a group, the limit of each deposit applies instead. */
  readonly outsideGroups: Lamports;
  readonly utilization: Lamports;
  readonly withdrawalCap: Lamports;
};

export function borrowCapacity(
  reserve: Reserve,
  now: UnixSeconds,
  rules: Pick<LendingRules, 'exchangeRate'>,
): BorrowCapacity {
  const { config, liquidity, borrowedAmountOutsideElevationGroup: outside } = reserve;
  const outsideLimit = config.borrowLimitOutsideElevationGroup;
  const capacity = subSfToZero(sfFromInt(config.borrowLimit), liquidity.borrowedAmountSf);
  return {
    liquidity: availableLiquidity(reserve, rules),
    borrowLimit: toLamports(floorSf(capacity)),
    outsideGroups: toLamports(outsideLimit > outside ? outsideLimit - outside : 0n),
    utilization: toLamports(floorSf(utilizationCapacity(reserve))),
    withdrawalCap: toLamports(remainingWithdrawalCap(config.debtWithdrawalCap, now)),
  };
}

/** The largest loan within all limits of the reserve. Ignores the limits of the obligation. */
export function maxLoan(room: BorrowCapacity, inElevationGroup: boolean): Lamports {
  const { outsideGroups, ...always } = room;
  const limits = Object.values(inElevationGroup ? always : { ...always, outsideGroups });
  return toLamports(
    limits.reduce<bigint>((least, limit) => (limit < least ? limit : least), limits[0] ?? 0n),
  );
}

/** The limit is exclusive, so the capacity ends one bit below it. Without a limit it is the full supply. */
function utilizationCapacity({ config, liquidity }: Reserve): Sf {
  const supply = totalSupply(liquidity);
  const limitPct = config.utilizationLimitBlockBorrowingAbovePct;
  if (limitPct === 0) return supply;
  const most = mulSf(supply, sfFromPercent(BigInt(limitPct)));
  const room = subSfToZero(most, liquidity.borrowedAmountSf);
  return sfFromBits(room === 0n ? 0n : room - 1n);
}
