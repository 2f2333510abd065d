/** What the page that builds transactions can do. */
export const ACTION_NAMES = [
  'deposit',
  'borrow',
  'repay',
  'withdraw',
  'vault-deposit',
  'vault-withdraw',
  'claim',
] as const;

export type ActionName = (typeof ACTION_NAMES)[number];

/** What its form has, and its URL. Empty texts are not chosen yet. */
export type BuildFields = {
  readonly action: ActionName;
  readonly wallet: string;
  readonly market: string;
  /** The loan that the reader came from. The builder itself acts on the wallet’s plain loan in the market. */
  readonly obligation: string;
  readonly reserve: string;
  readonly vault: string;
  readonly amount: string;
};
