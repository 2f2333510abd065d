import type { Portfolio } from '@tidegate/client';
import { useMarkets } from '../../api/directory.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { healthOf, loanKind, loansOf, type WalletLoan } from '../../loans/wallet-loans.ts';
import { LoanLinks } from '../../positions/loan-table.tsx';
import { useOwnAddress, useOwnPortfolio } from '../../positions/own-portfolio.ts';
import { positionsOf, type VaultPosition } from '../../positions/own-positions.ts';
import { BuildLink } from '../../routing/build-link.tsx';
import { PageLink } from '../../routing/link.tsx';

/** Loans and vault shares of the connected wallet; nothing without one. */
export function OwnPositionsBlock() {
  const wallet = useOwnAddress();
  const portfolio = useOwnPortfolio();
  const { data: markets = [] } = useMarkets();
  if (wallet === undefined) return null;
  const names = new Map(markets.map(({ lendingMarket, name }) => [lendingMarket, name]));
  return (
    <Block
      title="My positions"
      resources={[portfolio]}
      skeleton={<TableSkeleton rows={2} columns={4} />}
      actions={
        <PageLink page="wallet" parameters={{ wallet }}>
          All of this wallet
        </PageLink>
      }
    >
      {(data) => (
        <Table
          id="own-positions"
          label="My positions"
          columns={columnsOf(names)}
          rows={rowsOf(data)}
          keyOf={({ loan, shares }) => loan?.obligation ?? shares?.vault ?? ''}
          order="-value"
          empty={
            <Empty title="No loans or vault shares">
              <PageLink page="vaults">See what vaults earn</PageLink>
            </Empty>
          }
        />
      )}
    </Block>
  );
}

type Row =
  | { readonly loan: WalletLoan; readonly shares?: undefined }
  | { readonly loan?: undefined; readonly shares: VaultPosition };

const rowsOf = (portfolio: Portfolio): readonly Row[] => [
  ...loansOf(portfolio).map((loan) => ({ loan })),
  ...positionsOf(portfolio).map((shares) => ({ shares })),
];

const netValueOf = ({ loan, shares }: Row): string | null => (loan ?? shares).netValue;

const columnsOf = (names: ReadonlyMap<string, string>): readonly Column<Row>[] => [
  {
    key: 'position',
    title: 'Position',
    cell: ({ loan, shares }) =>
      loan === undefined ? (
        <PageLink page="vault" parameters={{ vault: shares.vault }}>
          {shares.name}
        </PageLink>
      ) : (
        <PageLink page="loan" parameters={{ loan: loan.obligation }}>
          {loanKind(loan)} in {names.get(loan.market) ?? 'an unlisted market'}
        </PageLink>
      ),
  },
  {
    key: 'value',
    title: 'Net value',
    isNumber: true,
    sortBy: netValueOf,
    cell: (row) => <Usd value={netValueOf(row)} reason="a price is not known" />,
  },
  {
    key: 'health',
    title: 'Health',
    hint: 'The LTV of liquidation divided by the LTV; 1 or less can be liquidated',
    isNumber: true,
    sortBy: ({ loan }) => loan && healthOf(loan),
    cell: ({ loan }) => (
      <Amount value={loan && healthOf(loan)} reason="nothing of it can be liquidated" />
    ),
  },
  {
    key: 'act',
    title: 'Act',
    cell: ({ loan, shares }) =>
      loan === undefined ? <ShareLinks vault={shares.vault} /> : <LoanLinks loan={loan} />,
  },
];

const ShareLinks = ({ vault }: { readonly vault: string }) => (
  <span class="cell-actions">
    <BuildLink action="vault-deposit" known={{ vault }}>
      Deposit
    </BuildLink>
    <BuildLink action="vault-withdraw" known={{ vault }}>
      Withdraw
    </BuildLink>
  </span>
);
