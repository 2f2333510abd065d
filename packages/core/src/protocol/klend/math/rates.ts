import { aprToApy } from '../../../base/numbers/apy.ts';
import type { Ratio } from '../../../base/numbers/decimal.ts';
import { ONE_SF, type Sf, sfFromBps } from '../../../base/numbers/scaled-fraction.ts';
import type { ReserveView } from '../layout/reserve.ts';
import { borrowRate } from './borrow-curve.ts';
import { utilization } from './supply.ts';

type Source = {
  readonly config: Pick<
    ReserveView['config'],
    'borrowRateCurve' | 'hostFixedInterestRateBps' | 'protocolTakeRatePct' | 'debtTermSeconds'
  >;
  readonly liquidity: Parameters<typeof utilization>[0];
};

/** Yearly rates as fractions, interest only. APR is simple, APY compounds every slot. */
export type ReserveRates = {
  readonly utilization: Sf;
  readonly borrowApr: Ratio;
  readonly supplyApr: Ratio;
  readonly borrowApy: Ratio;
  readonly supplyApy: Ratio;
};

/** The program counts slots of half a second. */
const PROGRAM_SLOT_MS = 500n;

/**
 * What borrowers pay and lenders earn in a year of the wall clock, at the state that is given: bring the
 * reserve to the slot first. `slotMs` is how long slots really take; the program charges by the slot.
 */
export function reserveRates({ config, liquidity }: Source, slotMs: Ratio): ReserveRates {
  const used = utilization(liquidity);
  const curve = isFixedRate(config)
    ? fixedRate(config)
    : borrowRate(config.borrowRateCurve.points, used);
  const host = sfFromBps(BigInt(config.hostFixedInterestRateBps));
  const kept = 100n - BigInt(config.protocolTakeRatePct);
  const perYear = (rate: bigint, scale: bigint): Ratio => ({
    numerator: rate * PROGRAM_SLOT_MS * slotMs.denominator,
    denominator: scale * slotMs.numerator,
  });
  const borrowApr = perYear(curve + host, ONE_SF);
  const supplyApr = perYear(used * curve * kept, ONE_SF * ONE_SF * 100n);
  return {
    utilization: used,
    borrowApr,
    supplyApr,
    // a power of many digits: made when asked for
    get borrowApy() {
      return aprToApy(borrowApr);
    },
    get supplyApy() {
      return aprToApy(supplyApr);
    },
  };
}

/** Loans of a fixed term cost the rate of the curve's first point, however much is borrowed. */
const isFixedRate = (config: Source['config']): boolean => config.debtTermSeconds !== 0n;

const fixedRate = ({ borrowRateCurve }: Source['config']): Sf =>
  sfFromBps(BigInt(borrowRateCurve.points.at(0)?.borrowRateBps ?? 0));
