import type { Elements } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import {
  addSf,
  minSf,
  mulSfByInt,
  mulSfByRatio,
  ONE_SF,
  roundSf,
  type Sf,
  sfFromBps,
  subSf,
} from '../../../base/numbers/scaled-fraction.ts';

type CurvePoint = { readonly utilizationRateBps: number; readonly borrowRateBps: number };

/**
 * The yearly borrow rate at a utilization. The utilization is first rounded to a basis point, so within half a basis
 * point of a curve point the rate is exactly that of the point.
 */
export function borrowRate(points: Elements<CurvePoint>, utilization: Sf): Sf {
  const clamped = minSf(utilization, ONE_SF);
  const bps = Number(roundSf(mulSfByInt(clamped, 10_000n)));
  let from: CurvePoint | undefined;
  for (const to of points) {
    if (from !== undefined && from.utilizationRateBps <= bps && bps <= to.utilizationRateBps) {
      return rateBetween(from, to, { utilization: clamped, bps });
    }
    from = to;
  }
  throw new CodedError('MALFORMED_DATA', {
    what: 'borrow rate curve',
    reason: `it does not cover a utilization of ${bps} basis points`,
  });
}

type CurveSegment = { readonly utilization: Sf; readonly bps: number };

function rateBetween(from: CurvePoint, to: CurvePoint, { utilization, bps }: CurveSegment): Sf {
  const start = sfFromBps(BigInt(from.borrowRateBps));
  if (bps === from.utilizationRateBps) return start;
  if (bps === to.utilizationRateBps) return sfFromBps(BigInt(to.borrowRateBps));
  const along = subSf(utilization, sfFromBps(BigInt(from.utilizationRateBps)));
  const rise = BigInt(to.borrowRateBps) - BigInt(from.borrowRateBps);
  const run = BigInt(to.utilizationRateBps) - BigInt(from.utilizationRateBps);
  return addSf(mulSfByRatio(along, rise, run), start);
}
