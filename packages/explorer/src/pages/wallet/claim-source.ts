import type { FarmPendingRewards, Portfolio } from '@tidegate/client';
import { loansOf } from './wallet-totals.ts';

type ClaimSource = { readonly vault: string } | { readonly market: string };

/** What a claim of a reward names: its vault, or the market of the plain loan. Undefined if no builder claims it. */
export function claimSource(
  { vault, delegatee }: Pick<FarmPendingRewards, 'vault' | 'delegatee'>,
  portfolio: Portfolio | undefined,
): ClaimSource | undefined {
  if (vault !== undefined) return { vault };
  const loans = portfolio === undefined ? [] : loansOf(portfolio);
  const loan = loans.find(({ obligation }) => obligation === delegatee);
  return loan?.tag === 'Vanilla' ? { market: loan.market } : undefined;
}
