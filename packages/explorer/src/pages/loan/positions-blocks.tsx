import type { LoanReport } from '@tidegate/client';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount, Percent, Price, Usd } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { TokenIcon } from '../../components/token/token-icon.tsx';
import { PageLink } from '../../routing/link.tsx';
import { reserveOfToken } from './loan-actions.ts';
import type { LoanResources } from './loan-resources.ts';
import { rateColumns } from './rate-columns.tsx';

type Deposit = LoanReport['loanInfo']['collateral']['deposits'][number];
type Debt = LoanReport['loanInfo']['debt']['borrows'][number];
type Position = Pick<
  Deposit & Debt,
  'tokenMint' | 'tokenName' | 'tokenAmount' | 'tokenValue' | 'tokenPrice'
>;

const HEIGHT = 78;

/** What secures the loan. */
export const CollateralBlock = ({ loan, reserves, rates }: LoanResources) => (
  <Block title="Collateral" resources={[loan]} skeleton={<Skeleton height={HEIGHT} />}>
    {({ loanInfo }) => (
      <Table
        id="collateral"
        label="Collateral"
        columns={[
          ...sharedColumns<Deposit>(reserves),
          ...rateColumns<Deposit>('deposit', loanInfo.collateral.deposits, { reserves, rates }),
          ...depositColumns,
        ]}
        rows={loanInfo.collateral.deposits}
        keyOf={({ tokenMint }) => tokenMint}
        order="-value"
        empty={<Empty title="No deposits">A deposit must come before a debt.</Empty>}
      />
    )}
  </Block>
);

/** What the owner owes. */
export const DebtBlock = ({ loan, reserves, rates }: LoanResources) => (
  <Block title="Debt" resources={[loan]} skeleton={<Skeleton height={HEIGHT} />}>
    {({ loanInfo }) => (
      <Table
        id="debt"
        label="Debt"
        columns={[
          ...sharedColumns<Debt>(reserves),
          ...rateColumns<Debt>('debt', loanInfo.debt.borrows, { reserves, rates }),
          ...debtColumns,
        ]}
        rows={loanInfo.debt.borrows}
        keyOf={({ tokenMint }) => tokenMint}
        order="-value"
        empty={<Empty title="No debt">The deposits can be withdrawn in full.</Empty>}
      />
    )}
  </Block>
);

function sharedColumns<Row extends Position>(reserves: LoanResources['reserves']): Column<Row>[] {
  return [
    {
      key: 'token',
      title: 'Token',
      sortBy: ({ tokenName }) => tokenName,
      cell: ({ tokenMint, tokenName }) => {
        const reserve = reserveOfToken(tokenMint, reserves);
        return (
          <>
            <TokenIcon mint={tokenMint} symbol={tokenName} />
            {reserve === undefined ? (
              tokenName
            ) : (
              <PageLink page="reserve" parameters={{ reserve: reserve.reserve }}>
                {tokenName}
              </PageLink>
            )}
          </>
        );
      },
    },
    {
      key: 'amount',
      title: 'Amount',
      isNumber: true,
      cell: ({ tokenAmount, tokenName }) => <Amount value={tokenAmount} unit={tokenName} />,
    },
    {
      key: 'value',
      title: 'Value',
      isNumber: true,
      sortBy: ({ tokenValue }) => tokenValue,
      cell: ({ tokenValue }) => <Usd value={tokenValue} />,
    },
    {
      key: 'price',
      title: 'Price',
      isNumber: true,
      cell: ({ tokenPrice }) => <Price value={tokenPrice} />,
    },
  ];
}

const depositColumns: readonly Column<Deposit>[] = [
  {
    key: 'max',
    title: 'Max LTV',
    hint: 'The part of the value that can be borrowed',
    isNumber: true,
    cell: ({ maxLtv }) => <Percent value={maxLtv} />,
  },
  {
    key: 'liquidation',
    title: 'Liquidation LTV',
    hint: 'The part of the value that the debt may reach before the loan can be liquidated',
    isNumber: true,
    cell: ({ liquidationLtv }) => <Percent value={liquidationLtv} />,
  },
  {
    key: 'withdrawable',
    title: 'Withdrawable now',
    hint: 'As much as the loan and the liquidity of the reserve allow',
    isNumber: true,
    cell: ({ maxWithdrawableAmount, tokenName }) => (
      <Amount value={maxWithdrawableAmount} unit={tokenName} />
    ),
  },
];

const debtColumns: readonly Column<Debt>[] = [
  {
    key: 'factor',
    title: 'Borrow factor',
    hint: 'How much of the value counts as debt',
    isNumber: true,
    cell: ({ borrowFactor }) => <Percent value={borrowFactor} />,
  },
  {
    key: 'borrowable',
    title: 'Borrowable now',
    hint: 'As much as the loan, the caps and the liquidity of the reserve allow',
    isNumber: true,
    cell: ({ maxBorrowableAmount, tokenName }) => (
      <Amount value={maxBorrowableAmount} unit={tokenName} />
    ),
  },
];
