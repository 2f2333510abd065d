/**
 * Where builds of the lending program count differently. Everything defaults to the current one; the
 * other is for binaries and recorded data that are older than 1.11.0.
 */
export type LendingRules = {
  /** cTokens by the ratio of supply to cTokens, or by that ratio rounded to 60 bits first. */
  readonly exchangeRate: 'ratio' | 'rounded ratio';
  /** A deposit takes what its whole cTokens are worth, or all that was offered. */
  readonly depositTakes: 'worth of its cTokens' | 'whole amount';
  /** `Obligation.paddingDeprecatedAssetTiers`: left alone, or 0 for a used place and 255 for a free one. */
  readonly assetTiers: 'untouched' | 'written';
  /** `borrows[].lastBorrowedAtTimestamp`: the time of the last borrow, or always 0. */
  readonly borrowTime: 'recorded' | 'untouched';
  /** How `repayAndWithdrawAndRedeem` leaves the reserve it withdraws from: to be refreshed, or as it refreshed it. */
  readonly reserveAfterCombinedWithdrawal: 'stale' | 'fresh';
};

export const CURRENT_RULES: LendingRules = {
  exchangeRate: 'ratio',
  depositTakes: 'worth of its cTokens',
  assetTiers: 'untouched',
  borrowTime: 'recorded',
  reserveAfterCombinedWithdrawal: 'stale',
};

export const RULES_BEFORE_1_11: LendingRules = {
  exchangeRate: 'rounded ratio',
  depositTakes: 'whole amount',
  assetTiers: 'written',
  borrowTime: 'untouched',
  reserveAfterCombinedWithdrawal: 'fresh',
};
