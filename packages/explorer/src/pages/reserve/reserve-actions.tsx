import type { ListedReserve } from '../../api/directory.ts';
import { useOwnPortfolio } from '../../positions/own-portfolio.ts';
import { positionsIn } from '../../positions/own-positions.ts';
import { BuildLink } from '../../routing/build-link.tsx';

/** What can be done with the token, and with what the connected wallet has in the reserve. */
export function ReserveActions({ reserve }: { readonly reserve: ListedReserve }) {
  const { data } = useOwnPortfolio();
  const own = data === undefined ? [] : positionsIn(data, reserve.reserve);
  const loanWith = (side: 'deposit' | 'debt'): string | undefined =>
    own.find((position) => position.side === side)?.loan.obligation;
  const [indebted, deposited] = [loanWith('debt'), loanWith('deposit')];
  const known = { market: reserve.market.lendingMarket, reserve: reserve.reserve };
  return (
    <div class="button-row page-actions">
      <BuildLink action="deposit" known={known} class="button">
        Deposit
      </BuildLink>
      <BuildLink action="borrow" known={known} class="button">
        Borrow
      </BuildLink>
      {indebted !== undefined && (
        <BuildLink action="repay" known={{ ...known, obligation: indebted }} class="button">
          Repay
        </BuildLink>
      )}
      {deposited !== undefined && (
        <BuildLink action="withdraw" known={{ ...known, obligation: deposited }} class="button">
          Withdraw
        </BuildLink>
      )}
    </div>
  );
}
