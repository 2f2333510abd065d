import type { Portfolio } from '@tidegate/client';
import type { ListedReserve } from '../../api/directory.ts';
import { Block } from '../../components/block.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { loanKind } from '../../loans/wallet-loans.ts';
import { useBalances, useOwnAddress, useOwnPortfolio } from '../../positions/own-portfolio.ts';
import { positionsIn, type ReservePosition } from '../../positions/own-positions.ts';
import { balanceOf } from '../../positions/token-balance.ts';
import { BuildLink } from '../../routing/build-link.tsx';
import { PageLink } from '../../routing/link.tsx';

type OwnPositionProps = { readonly reserve: ListedReserve };

const ACTIONS = {
  deposit: { action: 'withdraw', title: 'Withdraw' },
  debt: { action: 'repay', title: 'Repay' },
} as const;

/** What the connected wallet has in the reserve, and what it could deposit; nothing without one. */
export function OwnPositionBlock({ reserve }: OwnPositionProps) {
  const address = useOwnAddress();
  const portfolio = useOwnPortfolio();
  const balances = useBalances(address, reserve.liquidityTokenMint);
  if (address === undefined) return null;
  return (
    <Block
      title="My position"
      resources={[portfolio, balances]}
      skeleton={<TableSkeleton rows={1} columns={5} />}
    >
      {(data, held) => (
        <Table
          id="own-positions"
          label="My position"
          columns={columns}
          rows={rowsOf(reserve, data, balanceOf(held, reserve.liquidityTokenMint)?.amount)}
          keyOf={({ position }) => `${position?.side} ${position?.loan.obligation}`}
        />
      )}
    </Block>
  );
}

/** A position, or what the wallet itself has. */
type Row = OwnPositionProps & {
  readonly position?: ReservePosition;
  /** Of the wallet, in whole tokens; undefined if it is not known. */
  readonly amount?: string | undefined;
};

const rowsOf = (
  reserve: ListedReserve,
  portfolio: Portfolio,
  amount: string | undefined,
): readonly Row[] => [
  ...positionsIn(portfolio, reserve.reserve).map((position) => ({ reserve, position })),
  { reserve, amount },
];

const columns: readonly Column<Row>[] = [
  {
    key: 'what',
    title: 'What',
    cell: ({ position }) =>
      position === undefined ? 'In the wallet' : position.side === 'debt' ? 'Debt' : 'Deposit',
  },
  {
    key: 'amount',
    title: 'Amount',
    isNumber: true,
    cell: ({ reserve, position, amount }) => (
      <Amount value={position?.amount ?? amount} unit={reserve.liquidityToken} />
    ),
  },
  {
    key: 'value',
    title: 'Value',
    isNumber: true,
    cell: ({ position }) =>
      position === undefined ? '' : <Usd value={position.value} reason="the price is not known" />,
  },
  {
    key: 'loan',
    title: 'Loan',
    cell: ({ position }) =>
      position === undefined ? (
        ''
      ) : (
        <PageLink page="loan" parameters={{ loan: position.loan.obligation }}>
          {loanKind(position.loan)}
        </PageLink>
      ),
  },
  { key: 'act', title: 'Act', cell: (row) => <RowLink {...row} /> },
];

function RowLink({ reserve, position }: Row) {
  const target = { market: reserve.market.lendingMarket, reserve: reserve.reserve };
  if (position === undefined) {
    return (
      <BuildLink action="deposit" known={target}>
        Deposit
      </BuildLink>
    );
  }
  const { loan, side } = position;
  const { action, title } = ACTIONS[side];
  return (
    <BuildLink action={action} known={{ ...target, obligation: loan.obligation }}>
      {title}
    </BuildLink>
  );
}
