import { aprToApy } from '../../../../base/numbers/apy.ts';
import type { Ratio } from '../../../../base/numbers/decimal.ts';
import { ONE_SF, type Sf, sfFromBps } from '../../../../base/numbers/scaled-fraction.ts';
import type { ReserveView } from '../../layout/reserve.ts';
import { borrowRate } from '../borrow-curve.ts';
import { utilization } from '../supply.ts';
import { type InterestRateBasis, PROGRAM_SLOT_MS } from './accrual-duration.ts';

type Source = {
  readonly config: Pick<
    ReserveView['config'],
    'borrowRateCurve' | 'hostFixedInterestRateBps' | 'protocolTakeRatePct'
  >;
  readonly liquidity: Parameters<typeof utilization>[0];
  /** Before release 1.25 always `legacy`, whatever the configuration says. */
  readonly basis: InterestRateBasis;
};

/** Yearly interest rates as fractions. APR is simple, APY compounds every slot. */
export type ReserveRates = {
  readonly utilization: Sf;
  readonly borrowApr: Ratio;
  readonly supplyApr: Ratio;
  readonly borrowApy: Ratio;
  readonly supplyApy: Ratio;
};

/**
 * The rates of borrowers and lenders per real year. Accrue the reserve to the slot first. `slotMs` is the real slot
 * time, for a reserve that charges per slot. A fixed-term reserve follows its curve like any other: its term limits how long
 * a debt may last, not what it costs.
 */
export function reserveRates(source: Source, slotMs: Ratio): ReserveRates {
  const { config, liquidity, basis } = source;
  const utilizationRate = utilization(liquidity);
  const curve = borrowRate(config.borrowRateCurve.points, utilizationRate);
  const host = sfFromBps(BigInt(config.hostFixedInterestRateBps));
  const lenderShare = 100n - BigInt(config.protocolTakeRatePct);
  const perYear = (numerator: bigint, denominator: bigint): Ratio =>
    perRealYear({ numerator, denominator }, basis, slotMs);
  const borrowApr = perYear(curve + host, ONE_SF);
  const supplyApr = perYear(utilizationRate * curve * lenderShare, ONE_SF * ONE_SF * 100n);
  return new LazyRates(utilizationRate, borrowApr, supplyApr);
}

/** A yearly rate of the program per real year: a reserve that charges per slot charges more if slots are shorter. */
export function perRealYear(rate: Ratio, basis: InterestRateBasis, slotMs: Ratio): Ratio {
  if (basis === 'trueApr') return rate;
  return {
    numerator: rate.numerator * PROGRAM_SLOT_MS * slotMs.denominator,
    denominator: rate.denominator * slotMs.numerator,
  };
}

/** APYs are computed when they are read, because the power is expensive. A literal with getters takes 3 µs to create. */
class LazyRates implements ReserveRates {
  readonly utilization: Sf;
  readonly borrowApr: Ratio;
  readonly supplyApr: Ratio;

  constructor(utilizationRate: Sf, borrowApr: Ratio, supplyApr: Ratio) {
    this.utilization = utilizationRate;
    this.borrowApr = borrowApr;
    this.supplyApr = supplyApr;
  }

  get borrowApy(): Ratio {
    return aprToApy(this.borrowApr);
  }

  get supplyApy(): Ratio {
    return aprToApy(this.supplyApr);
  }
}
