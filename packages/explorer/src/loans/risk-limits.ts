/** Distances up to which there is danger and a warning where too little is recorded, as fractions. */
export type FixedLimits = { readonly danger: string; readonly warning: string };

export const PRICE_LIMITS: FixedLimits = { danger: '0.15', warning: '0.3' };
/** Prices that move together are far closer to each other than to the dollar. */
export const RATIO_LIMITS: FixedLimits = { danger: '0.02', warning: '0.05' };

/** At a distance below this, also a calm price is dangerous. */
export const LEAST_DISTANCE = '0.01';

/** Below a month a large move is likely not among what is recorded. */
export const ENOUGH_HOURS = 30 * 24;
