import { BuildLink } from '../../routing/build-link.tsx';
import { loanActions } from './loan-actions.ts';
import type { LoanResources } from './loan-resources.ts';

/** What can be done with the loan, each with the form filled in. */
export function ActionLinks({ address, loan: { data }, reserves }: LoanResources) {
  if (data === undefined) return <div class="button-row page-actions" />;
  const { user, marketId } = data;
  return (
    <div class="button-row page-actions">
      {loanActions(data.loanInfo, reserves).map(({ action, title, ...chosen }) => {
        // anybody liquidates, and only the owner does the rest
        const wallet = action === 'liquidate' ? undefined : user;
        const known = { wallet, market: marketId, obligation: address, ...chosen };
        return (
          <BuildLink key={action} action={action} known={known} class="button">
            {title}
          </BuildLink>
        );
      })}
    </div>
  );
}
