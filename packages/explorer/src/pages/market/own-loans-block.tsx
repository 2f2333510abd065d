import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { LoanTable } from '../../positions/loan-table.tsx';
import { useOwnAddress, useOwnPortfolio } from '../../positions/own-portfolio.ts';
import { loansIn } from '../../positions/own-positions.ts';
import { BuildLink } from '../../routing/build-link.tsx';

/** What the connected wallet has in the market; nothing without one. */
export function OwnLoansBlock({ market }: { readonly market: string }) {
  const portfolio = useOwnPortfolio();
  if (useOwnAddress() === undefined) return null;
  return (
    <Block
      title="My loans in this market"
      resources={[portfolio]}
      skeleton={<TableSkeleton rows={1} columns={5} />}
    >
      {(data) => (
        <LoanTable
          loans={loansIn(data, market)}
          empty={
            <Empty title="No loan in this market">
              <BuildLink action="deposit" known={{ market }}>
                Open one with a deposit
              </BuildLink>
            </Empty>
          }
        />
      )}
    </Block>
  );
}
