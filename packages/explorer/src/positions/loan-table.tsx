import type { ComponentChildren } from 'preact';
import { type Column, Table } from '../components/table.tsx';
import { loanKind, type WalletLoan } from '../loans/wallet-loans.ts';
import type { ActionName } from '../routing/build-fields.ts';
import { BuildLink } from '../routing/build-link.tsx';
import { PageLink } from '../routing/link.tsx';
import { healthColumn, PositionAmounts } from './loan-columns.tsx';

type LoanTableProps = {
  readonly loans: readonly WalletLoan[];
  readonly empty?: ComponentChildren;
};

/** Loans of the connected wallet, with what can be done with them. */
export const LoanTable = ({ loans, empty }: LoanTableProps) => (
  <Table
    id="own-loans"
    label="My loans"
    columns={columns}
    rows={loans}
    keyOf={({ obligation }) => obligation}
    empty={empty}
  />
);

const columns: readonly Column<WalletLoan>[] = [
  {
    key: 'loan',
    title: 'Loan',
    cell: (loan) => (
      <PageLink page="loan" parameters={{ loan: loan.obligation }}>
        {loanKind(loan)}
      </PageLink>
    ),
  },
  {
    key: 'deposits',
    title: 'Collateral',
    isNumber: true,
    cell: ({ deposits, totalDepositValue }) => (
      <PositionAmounts list={deposits} value={totalDepositValue} />
    ),
  },
  {
    key: 'debt',
    title: 'Debt',
    isNumber: true,
    cell: ({ borrows, totalBorrowValue }) => (
      <PositionAmounts list={borrows} value={totalBorrowValue} />
    ),
  },
  healthColumn,
  { key: 'act', title: 'Act', cell: (loan) => <LoanLinks loan={loan} /> },
];

/** What changes one token of the loan; the rest is on its page. */
export function LoanLinks({ loan }: { readonly loan: WalletLoan }) {
  const { market, obligation, deposits, borrows } = loan;
  const known = { market, obligation };
  const actions: readonly (readonly [ActionName, string, string | undefined])[] = [
    ['deposit', 'Deposit', deposits[0]?.reserve],
    ['borrow', 'Borrow', borrows[0]?.reserve],
    ...(borrows.length > 0 ? [['repay', 'Repay', borrows[0]?.reserve] as const] : []),
    ...(deposits.length > 0 ? [['withdraw', 'Withdraw', deposits[0]?.reserve] as const] : []),
  ];
  return (
    <span class="cell-actions">
      {actions.map(([action, title, reserve]) => (
        <BuildLink key={action} action={action} known={{ ...known, reserve }}>
          {title}
        </BuildLink>
      ))}
    </span>
  );
}
