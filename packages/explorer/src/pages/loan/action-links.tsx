import { apiRequest, useResource } from '../../api/resource.ts';
import { BuildLink } from '../../routing/build-link.tsx';
import { loanActions } from './loan-actions.ts';
import type { LoanResources } from './loan-resources.ts';

/** The tag of a plain loan, the only kind that builders act on. */
const PLAIN = 0;

/** What the owner can do with the loan, each with the form filled in. */
export function ActionLinks({ address, loan, reserves }: LoanResources) {
  const { data } = loan;
  const { data: owned } = useResource(
    data &&
      apiRequest('GET /svc-market/{marketPubkey}/users/{userPubkey}/obligations', {
        path: { marketPubkey: data.marketId, userPubkey: data.user },
      }),
    { pollMs: 0 },
  );
  if (data === undefined) return <div class="button-row page-actions" />;
  const tag = owned?.find(({ obligationAddress }) => obligationAddress === address)?.obligationTag;
  const known = { wallet: data.user, market: data.marketId, obligation: address };
  return (
    <div class="button-row page-actions">
      {tag === undefined || tag === PLAIN ? (
        loanActions(data.loanInfo, reserves).map(({ action, title, reserve }) => (
          <BuildLink key={action} action={action} known={{ ...known, reserve }} class="button">
            {title}
          </BuildLink>
        ))
      ) : (
        <span class="weak">Transactions are built for plain loans; this is another kind.</span>
      )}
    </div>
  );
}
