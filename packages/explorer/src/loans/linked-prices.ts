import type { LoanReport, PriceGroup } from '@tidegate/client';
import { type LoanToken, tokensOf } from './loan-health.ts';

/** Tokens of a loan whose prices move together; one alone if its price is linked to no other. */
export type LinkedTokens = {
  /** Deposits first. */
  readonly tokens: readonly LoanToken[];
  /** Why they move together; undefined for one alone. */
  readonly basis: PriceGroup['basis'] | undefined;
};

type Loan = Pick<LoanReport, 'elevationGroup' | 'loanInfo'>;

/** The tokens of a loan by what moves them. `groups` are those of its market; without them only elevation groups count. */
export function linkTokens(
  { elevationGroup, loanInfo }: Loan,
  groups: readonly PriceGroup[],
): LinkedTokens[] {
  const tokens = tokensOf(loanInfo);
  const chains = groups.filter(({ basis }) => basis === 'price-chain');
  const classes = joinByChain(tokens, chains);
  const isLinked = classes.length < 2 || elevationGroup === 0;
  // the program lets a loan of an elevation group have no other tokens
  return isLinked ? classes : [{ tokens, basis: 'elevation-group' }];
}

function joinByChain(tokens: readonly LoanToken[], chains: readonly PriceGroup[]): LinkedTokens[] {
  const sourceOf = ({ mint }: LoanToken): string =>
    chains.find((group) => group.tokens.some((each) => each.mint === mint))?.reference ?? mint;
  const sources = [...new Set(tokens.map(sourceOf))];
  return sources.map((source) => {
    const members = tokens.filter((token) => sourceOf(token) === source);
    return { tokens: members, basis: members.length > 1 ? 'price-chain' : undefined };
  });
}
