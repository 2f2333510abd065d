import { times, toWide, type Wide } from '../reference/reference-lending.ts';

const ONE = toWide(1n);

/** A growth near one to a power, by the series of the logarithm and of the exponential. */
export function grownTo(growth: Wide, [numerator, denominator]: readonly [bigint, bigint]): Wide {
  const exponent = (logarithm(growth) * numerator) / denominator;
  let [term, sum] = [ONE, ONE];
  for (let n = 1n; term !== 0n && term !== -1n; n++) {
    term = times(term, exponent) / n;
    sum += term;
  }
  return sum;
}

/** 2 artanh((x - 1) / (x + 1)). */
function logarithm(value: Wide): Wide {
  const step = toWide(value - ONE, value + ONE);
  const square = times(step, step);
  let [power, sum] = [step, 0n];
  for (let n = 1n; power !== 0n && power !== -1n; n += 2n) {
    sum += power / n;
    power = times(power, square);
  }
  return 2n * sum;
}
