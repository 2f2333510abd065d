import { type Decimal50, multiply, toDecimal50 } from '../reference/reference-lending.ts';

const ONE = toDecimal50(1n);

/** Raises a factor near one to a power, using series of the logarithm and the exponential. */
export function growthPower(
  growth: Decimal50,
  [numerator, denominator]: readonly [bigint, bigint],
): Decimal50 {
  const exponent = (logarithm(growth) * numerator) / denominator;
  let [term, sum] = [ONE, ONE];
  for (let n = 1n; term !== 0n && term !== -1n; n++) {
    term = multiply(term, exponent) / n;
    sum += term;
  }
  return sum;
}

/** 2 artanh((x - 1) / (x + 1)). */
function logarithm(value: Decimal50): Decimal50 {
  const step = toDecimal50(value - ONE, value + ONE);
  const square = multiply(step, step);
  let [power, sum] = [step, 0n];
  for (let n = 1n; power !== 0n && power !== -1n; n += 2n) {
    sum += power / n;
    power = multiply(power, square);
  }
  return 2n * sum;
}
