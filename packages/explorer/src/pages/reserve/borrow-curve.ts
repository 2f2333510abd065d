/** Points of utilization and yearly rate, as fractions, ascending. */
export type BorrowCurve = readonly (readonly number[])[];

/** The nominal rate at a utilization: the program interpolates between the points of the curve. */
export function rateAt(curve: BorrowCurve, utilization: number): number {
  const next = curve.findIndex(([at = 0]) => at >= utilization);
  const [atB = 1, rateB = 0] = curve[next] ?? curve.at(-1) ?? [];
  if (next <= 0) return rateB;
  const [atA = 0, rateA = 0] = curve[next - 1] ?? [];
  return rateA + ((rateB - rateA) * (utilization - atA)) / (atB - atA);
}

/** Utilization after a deposit, in whole tokens. */
export const utilizationAfter = (supplied: number, borrowed: number, deposit: number): number =>
  supplied + deposit === 0 ? 0 : borrowed / (supplied + deposit);

/** The points of the curve and those of the given utilizations, in order, each once. */
export function curvePoints(
  curve: BorrowCurve,
  utilizations: readonly number[],
): { readonly positions: readonly number[]; readonly rates: readonly number[] } {
  const all = new Set([...curve.map(([at = 0]) => at), ...utilizations]);
  const positions = [...all].sort((a, b) => a - b);
  return { positions, rates: positions.map((at) => rateAt(curve, at)) };
}
