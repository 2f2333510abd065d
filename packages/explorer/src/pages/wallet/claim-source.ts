import type { FarmPendingRewards, Portfolio } from '@tidegate/client';
import { loansOf } from '../../loans/wallet-loans.ts';

type ClaimSource =
  | { readonly vault: string }
  | { readonly market: string; readonly obligation: string }
  /** Why no builder claims it from here. */
  | { readonly reason: string };

type Farm = Pick<FarmPendingRewards, 'vault' | 'delegatee'> & { readonly positionType: string };

/** What a claim of a reward names: its vault, or its loan. */
export function claimSource(
  { vault, delegatee, positionType }: Farm,
  portfolio: Portfolio | undefined,
): ClaimSource {
  if (vault !== undefined) return { vault };
  const loans = portfolio === undefined ? [] : loansOf(portfolio);
  const loan = loans.find(({ obligation }) => obligation === delegatee);
  if (loan !== undefined) return { market: loan.market, obligation: delegatee };
  if (positionType === 'Liquidity') {
    const reason = 'The builders claim for vault shares and loans; this is for staked tokens';
    return { reason };
  }
  if (portfolio === undefined) return { reason: 'The loans of the wallet cannot be read now' };
  const reason =
    'This is for a loan that is closed, or for deposits of a vault: claim for the market or the vault';
  return { reason };
}
