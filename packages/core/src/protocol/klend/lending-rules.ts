/**
 * Differences between builds of the lending program. The current build is the default; the other rules are for
 * binaries and recorded data older than 1.11.0.
 */
export type LendingRules = {
  /** Converts cTokens by the exact ratio, or by the ratio rounded to 60 bits. */
  readonly exchangeRate: 'ratio' | 'rounded ratio';
  /** A deposit takes the value of the minted cTokens, or the full offered amount. */
  readonly depositAmount: 'worth of its cTokens' | 'whole amount';
  /** `Obligation.paddingDeprecatedAssetTiers`: unchanged, or 0 for a used entry and 255 for an unused one. */
  readonly assetTiers: 'untouched' | 'written';
  /** `borrows[].lastBorrowedAtTimestamp`: the time of the last borrow, or always 0. */
  readonly borrowTime: 'recorded' | 'untouched';
  /** Whether `repayAndWithdrawAndRedeem` leaves the withdraw reserve stale or refreshed. */
  readonly reserveAfterCombinedWithdrawal: 'stale' | 'fresh';
};

export const CURRENT_RULES: LendingRules = {
  exchangeRate: 'ratio',
  depositAmount: 'worth of its cTokens',
  assetTiers: 'untouched',
  borrowTime: 'recorded',
  reserveAfterCombinedWithdrawal: 'stale',
};

export const RULES_BEFORE_1_11: LendingRules = {
  exchangeRate: 'rounded ratio',
  depositAmount: 'whole amount',
  assetTiers: 'written',
  borrowTime: 'untouched',
  reserveAfterCombinedWithdrawal: 'fresh',
};
