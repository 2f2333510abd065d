/**
 * The rules that differ between releases of the lending program, see `klendReleases`. An operation takes the rules of
 * its slot where it begins, and passes them on.
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
  /** The growth of a debt over five units or more: the powers of the rate are truncated first, or each product is. */
  readonly compounding: 'powers first' | 'term by term';
  /** Interest per slot on every reserve, or per slot or second as `config.interestRateBasis` says. */
  readonly accrualBasis: 'slots' | 'of the reserve';
  /** An oracle price of zero is loaded like any other, or is a missing reading. */
  readonly zeroPrice: 'loaded' | 'missing';
  /** When `depositLimitCrossedTimestamp` and `borrowLimitCrossedTimestamp` are updated. */
  readonly limitTimestamps: 'some operations' | 'every operation';
  /** Whether `withdrawObligationCollateral` leaves the reserve stale or refreshed. */
  readonly reserveAfterWithdrawal: 'stale' | 'fresh';
  /** Instructions of administrators fail in a transaction with a durable nonce, or do not. */
  readonly durableNonces: 'blocked' | 'allowed';
  /** The settings of a reserve that the emergency council may change. */
  readonly councilSettings: 'six' | 'two';
};
