/** The figures of the rule that a transaction breaks. */
export type RejectionFigures = {
  /**
   * `sol`: lamports. `token`: smallest units of the operation's token. `share`: smallest units of a vault share.
   * `usd` and `ratio`: scaled fractions. `seconds` and `count`: integers.
   */
  readonly unit: 'sol' | 'token' | 'share' | 'usd' | 'ratio' | 'seconds' | 'count';
  /** What the transaction uses, would reach, or must at least have. */
  readonly needed?: bigint;
  /** What there is to use now. */
  readonly available?: bigint;
  /** The configured limit of the rule. */
  readonly limit?: bigint;
  /** Unix seconds from which the rule does not apply any more. */
  readonly until?: bigint;
  /** The account that has too little, if the rule is about one account. */
  readonly account?: string;
};
