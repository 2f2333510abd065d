/** What the page that builds transactions can do. */
export const ACTION_NAMES = [
  'deposit',
  'borrow',
  'repay',
  'withdraw',
  'multiply',
  'deleverage',
  'exit',
  'liquidate',
  'vault-deposit',
  'vault-withdraw',
  'vault-exit',
  'claim',
] as const;

export type ActionName = (typeof ACTION_NAMES)[number];

/** What its form has, and its URL. Empty texts are not chosen yet. */
export type BuildFields = {
  readonly action: ActionName;
  readonly wallet: string;
  readonly market: string;
  /** Address of a loan: of the wallet, or of somebody to liquidate. Empty for the plain loan of the wallet in the market. */
  readonly obligation: string;
  /** Kind of the loan that a multiply operation opens: `multiply` or `leverage`. */
  readonly loanKind: string;
  readonly reserve: string;
  /** Reserve of the collateral: of a leveraged loan, or the one that a liquidation seizes. */
  readonly collateral: string;
  /** Reserve of the debt: of a leveraged loan, or the one that a liquidation repays. */
  readonly debt: string;
  readonly vault: string;
  readonly amount: string;
  /** Collateral of the flash loan to multiply, or to withdraw with a deleverage. */
  readonly collateralAmount: string;
  /** Own collateral to multiply with; empty for none. */
  readonly ownAmount: string;
  /** The least that a liquidation must pay; empty for any. */
  readonly minimum: string;
  /** Instructions of a swap, as JSON. Not in the URL: a swap is long, and soon out of date. */
  readonly swap: string;
};

export const EMPTY_FIELDS: BuildFields = {
  action: 'deposit',
  wallet: '',
  market: '',
  obligation: '',
  loanKind: '',
  reserve: '',
  collateral: '',
  debt: '',
  vault: '',
  amount: '',
  collateralAmount: '',
  ownAmount: '',
  minimum: '',
  swap: '',
};
