import type { ReserveStats } from '@tidegate/client';

/** How a reserve charges interest: per slot (`legacy`), or per second (`trueApr`). */
export type InterestRateBasis = ReserveStats['interestRateBasis'];

/** Beside the rate of debts. They fit into the line of the note that they replace. */
export const BASIS_NOTES: Readonly<Record<InterestRateBasis, string>> = {
  legacy: 'per slot, compounded',
  trueApr: 'per second, compounded',
};

/** How the rate of the curve becomes the APY. */
export const CURVE_NOTES: Readonly<Record<InterestRateBasis, string>> = {
  legacy:
    'The curve is the nominal rate of the program, which counts two slots per second. The APY above uses the real speed of slots and compounds it.',
  trueApr: 'The curve is the yearly rate, charged per second. The APY above compounds it.',
};
