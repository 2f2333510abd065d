import type { ApiError } from '@tidegate/client';
import type { ActionName } from '../../routing/build-fields.ts';

type Remedy = {
  /** What would make it possible. */
  readonly text: string;
  /** An action that helps. */
  readonly action?: ActionName;
};

/** By code of the builder’s error. */
const remedies: Readonly<Record<string, Remedy>> = {
  KLEND_OBLIGATION_NOT_FOUND: {
    text: 'The first deposit of the wallet into this market creates its loan.',
    action: 'deposit',
  },
  KLEND_MARKET_NOT_FOUND: { text: 'Choose a market of the list.' },
  KLEND_RESERVE_NOT_FOUND: { text: 'Choose a token of this market.' },
  KVAULT_NOT_FOUND: { text: 'Choose a vault of the list.' },
  KVAULT_NO_SHARES: {
    text: 'A deposit into the vault buys shares. Shares that were just staked may have to wait.',
    action: 'vault-deposit',
  },
  DECIMAL_TO_LAMPORTS_OVERFLOW: { text: 'Use a smaller amount.' },
  KLEND_LOAN_NOT_LIQUIDATABLE: { text: 'Choose a loan of the list.' },
  KLEND_LIQUIDATION_AMOUNT: {
    text: 'Choose everything: it repays as much as the program allows when the transaction lands.',
  },
  PLAN_UNFUNDED: {
    text: 'Add what is missing to the wallet. Debts can also be repaid with their collateral: deleverage the loan with a swap.',
  },
  PLAN_REJECTED: {
    text: 'The steps before the one that fails can be done one by one: repay, withdraw, claim.',
  },
  SWAP_NOT_ACCEPTED: {
    text: 'Request a route without wrapping, compute budget and other signers, with fewer accounts if it is too large.',
  },
  TRANSACTION_SIZE_ERROR: {
    text: 'Request the instructions of the builder and split them into two transactions.',
  },
};

const OTHER: Remedy = { text: 'Change what the message names, and check again.' };

export const remedyFor = ({ code }: Pick<ApiError, 'code'>): Remedy =>
  (code === undefined ? undefined : remedies[code]) ?? OTHER;
