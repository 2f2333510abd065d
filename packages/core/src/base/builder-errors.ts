/** Error codes of the transaction builders and their context. Part of the codes of `CodedError`. */
export type BuilderContexts = {
  DECIMAL_TO_LAMPORTS_OVERFLOW: { readonly text: string; readonly decimals: number };
  KLEND_MARKET_NOT_FOUND: { readonly market: string };
  KLEND_RESERVE_NOT_FOUND: { readonly reserve: string; readonly market: string };
  KLEND_OBLIGATION_NOT_FOUND: { readonly wallet: string; readonly market: string };
  KVAULT_NOT_FOUND: { readonly vault: string };
  /** A withdrawal for a wallet without withdrawable shares. */
  KVAULT_NO_SHARES: {
    readonly wallet: string;
    readonly vault: string;
    readonly notes: readonly string[];
  };
  TRANSACTION_SIZE_ERROR: {
    readonly size: number;
    readonly unit: 'bytes' | 'accounts';
    readonly limit: number;
  };
  /** A transaction in a request that cannot be decoded. */
  INVALID_TRANSACTION: { readonly reason: string; readonly change: string };
  /** A transaction in a request that is not signed or that the cluster does not accept. */
  TRANSACTION_REJECTED: { readonly reason: string };
  /** The wallet holds less than the requested amount, or nothing. */
  NOTHING_TO_BUILD: { readonly reason: string };
  /** A built transaction breaks a safety rule. This is a bug and is never served. */
  UNSAFE_BUILD: { readonly reason: string };
  /** The program would reject every liquidation of the debt for the deposit at the slot of the state. */
  KLEND_LOAN_NOT_LIQUIDATABLE: { readonly loan: string; readonly reason: string };
  /** The loan can be liquidated, but not by this amount. `reason` names the amount that can. */
  KLEND_LIQUIDATION_AMOUNT: { readonly loan: string; readonly reason: string };
  /** `missing`: what the wallet lacks, such as `1.5 SOL`. */
  PLAN_UNFUNDED: { readonly wallet: string; readonly missing: readonly string[] };
  /** A transaction of a plan that the programs would reject after those before it. */
  PLAN_REJECTED: { readonly step: string; readonly reason: string };
  /** An instruction or lookup table that the caller adds to a transaction. */
  SWAP_NOT_ACCEPTED: { readonly reason: string };
};

export const builderMessages: {
  readonly [Code in keyof BuilderContexts]: (context: BuilderContexts[Code]) => string;
} = {
  DECIMAL_TO_LAMPORTS_OVERFLOW: ({ text, decimals }) =>
    `"${text}" exceeds the maximum amount of a token with ${decimals} decimals. Use a smaller amount; only repay and withdraw accept U64::MAX for the full amount.`,
  KLEND_MARKET_NOT_FOUND: ({ market }) =>
    `The lending market ${market} does not exist. Check the address.`,
  KLEND_RESERVE_NOT_FOUND: ({ reserve, market }) =>
    `The market ${market} has no reserve ${reserve}. Use a reserve of this market.`,
  KLEND_OBLIGATION_NOT_FOUND: ({ wallet, market }) =>
    `${wallet} has no loan in the market ${market}. Deposit first.`,
  KVAULT_NOT_FOUND: ({ vault }) => `The earn vault ${vault} does not exist. Check the address.`,
  KVAULT_NO_SHARES: ({ wallet, vault, notes }) =>
    [`${wallet} holds no shares of the vault ${vault} to withdraw.`, ...notes].join(' '),
  TRANSACTION_SIZE_ERROR: ({ size, unit, limit }) =>
    `The transaction has ${size} ${unit}, but the limit is ${limit}. Split the instructions into several transactions.`,
  INVALID_TRANSACTION: ({ reason, change }) =>
    `The transaction cannot be decoded: ${reason}. ${change}`,
  TRANSACTION_REJECTED: ({ reason }) =>
    `The transaction is not accepted: ${reason}. Build it again and send the new one.`,
  NOTHING_TO_BUILD: ({ reason }) => reason,
  UNSAFE_BUILD: ({ reason }) =>
    `The built transaction breaks a safety rule: ${reason}. Report this as a bug.`,
  KLEND_LOAN_NOT_LIQUIDATABLE: ({ loan, reason }) =>
    `The loan ${loan} cannot be liquidated now: ${reason}. GET /klend/liquidatable lists loans that can.`,
  KLEND_LIQUIDATION_AMOUNT: ({ loan, reason }) =>
    `The loan ${loan} cannot be liquidated by this amount: ${reason}.`,
  PLAN_UNFUNDED: ({ wallet, missing }) =>
    `${wallet} lacks ${missing.join(' and ')}. Add that to the wallet and build again.`,
  PLAN_REJECTED: ({ step, reason }) => `"${step}" would fail: ${reason}`,
  SWAP_NOT_ACCEPTED: ({ reason }) => `The swap cannot be used: ${reason}.`,
};
