import { listNames } from '../format/list-names.ts';
import type { LinkedTokens } from './linked-prices.ts';
import type { LoanToken } from './loan-health.ts';

/** A choice of prices that change together by one fraction. */
export type StressOption = {
  /** For the URL. */
  readonly key: string;
  readonly title: string;
  readonly tokens: readonly LoanToken[];
  /** What changes, as a sentence needs it. */
  readonly what: string;
};

/**
 * All collateral with what is linked to it, linked tokens together, and each token alone: for linked tokens, a change of
 * the ratio. If all tokens are linked, only ratios decide, so they come first. Empty without tokens.
 */
export function stressOptions(linked: readonly LinkedTokens[]): StressOption[] {
  const tokens = linked.flatMap((each) => each.tokens);
  const single = tokens.map((token) => ({
    key: token.mint,
    title: token.symbol,
    tokens: [token],
    what: `the price of ${token.symbol}`,
  }));
  const together = linked.filter((each) => each.tokens.length > 1).map(togetherOption);
  if (linked.length < 2) return [...single, ...together];
  return [allCollateral(linked), ...together, ...single];
}

function togetherOption({ tokens }: LinkedTokens): StressOption {
  const names = listNames(tokens.map(({ symbol }) => symbol));
  return {
    key: tokens.map(({ mint }) => mint).join('+'),
    title: `${names} together`,
    tokens,
    what: `the prices of ${names}`,
  };
}

function allCollateral(linked: readonly LinkedTokens[]): StressOption {
  const tokens = linked
    .filter((each) => each.tokens.some(({ isDeposit }) => isDeposit))
    .flatMap((each) => each.tokens);
  const debts = tokens.filter(({ isDeposit }) => !isDeposit).map(({ symbol }) => symbol);
  const along = debts.length === 0 ? '' : `, and ${listNames(debts)} with it`;
  const what = `the prices of all collateral${along}`;
  return { key: 'all', title: 'All collateral', tokens, what };
}
