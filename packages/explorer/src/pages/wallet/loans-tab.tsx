import { apiRequest, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { HealthGauge } from '../../components/gauge/health-gauge.tsx';
import { Percent, Usd } from '../../components/number.tsx';
import { LoadingCell, TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { loanEarnings } from '../../loans/loan-earnings.ts';
import { type ReserveRatesReader, useReserveRates } from '../../loans/reserve-rates.ts';
import { loanKind, loansOf, type WalletLoan } from '../../loans/wallet-loans.ts';
import { healthColumn, NO_PRICE, PositionAmounts } from '../../positions/loan-columns.tsx';
import { PageLink } from '../../routing/link.tsx';
import type { WalletResources } from './wallet-resources.ts';
import './wallet.css';

const PROFIT_MS = 60_000;

export const LoansTab = (resources: WalletResources) => <LoansBlock {...resources} hasProfit />;

type LoansBlockProps = WalletResources & {
  /** Whether each loan's profit is requested. */
  readonly hasProfit?: boolean;
};

/** The loans of a wallet, each with its way to the liquidation. */
export function LoansBlock({ portfolio, markets, hasProfit = false }: LoansBlockProps) {
  const rates = useRatesOf(portfolio.data === undefined ? [] : loansOf(portfolio.data));
  return (
    <Block title="Loans" resources={[portfolio]} skeleton={<TableSkeleton rows={2} columns={7} />}>
      {(data) => (
        <Table
          id="loans"
          label="Loans"
          columns={columnsOf({ markets, hasProfit, rates })}
          rows={loansOf(data)}
          keyOf={({ obligation }) => obligation}
          order="-net"
          empty={
            <Empty title="No loans">
              A deposit into a reserve opens a loan. Loans that were closed are under Activity.
            </Empty>
          }
        />
      )}
    </Block>
  );
}

/** The rates of all reserves that the loans use. */
function useRatesOf(loans: readonly WalletLoan[]): ReserveRatesReader {
  const reserves = loans.flatMap(({ deposits, borrows }) =>
    [...deposits, ...borrows].flatMap(({ reserve }) => reserve ?? []),
  );
  const markets = loans.map(({ market }) => market);
  return useReserveRates([...new Set(reserves)].sort(), [...new Set(markets)].sort());
}

type ColumnSource = Required<Pick<LoansBlockProps, 'markets' | 'hasProfit'>> & {
  readonly rates: ReserveRatesReader;
};

function columnsOf({ markets, hasProfit, rates }: ColumnSource): Column<WalletLoan>[] {
  const names = new Map(markets.map(({ lendingMarket, name }) => [lendingMarket, name]));
  const first: Column<WalletLoan>[] = [
    {
      key: 'loan',
      title: 'Loan',
      cell: ({ obligation, market, ...loan }) => (
        <PageLink page="loan" parameters={{ loan: obligation }}>
          {loanKind(loan)} in {names.get(market) ?? 'an unlisted market'}
        </PageLink>
      ),
    },
    {
      key: 'deposits',
      title: 'Collateral',
      isNumber: true,
      sortBy: ({ totalDepositValue }) => totalDepositValue,
      cell: ({ deposits, totalDepositValue }) => (
        <PositionAmounts list={deposits} value={totalDepositValue} />
      ),
    },
    {
      key: 'debt',
      title: 'Debt',
      isNumber: true,
      sortBy: ({ totalBorrowValue }) => totalBorrowValue,
      cell: ({ borrows, totalBorrowValue }) => (
        <PositionAmounts list={borrows} value={totalBorrowValue} />
      ),
    },
    {
      key: 'net',
      title: 'Net value',
      isNumber: true,
      sortBy: ({ netValue }) => netValue,
      cell: ({ netValue }) => <Usd value={netValue} reason={NO_PRICE} />,
    },
  ];
  return [
    ...first,
    apyColumn(rates),
    ...(hasProfit ? [profitColumn] : []),
    healthColumn,
    gaugeColumn,
  ];
}

/** What a loan earns in a year on its net value. */
function apyColumn(rates: ReserveRatesReader): Column<WalletLoan> {
  const earningsOf = ({ deposits, borrows }: WalletLoan) =>
    loanEarnings(
      { deposits: deposits.map(earningPosition), borrows: borrows.map(earningPosition) },
      rates.of,
    );
  return {
    key: 'apy',
    title: 'Net APY',
    hint: 'Interest and staking yield of the deposits less those of the debts, at the rates of now, divided by the net value; below it with rewards, as far as they are known',
    isNumber: true,
    sortBy: (loan) => earningsOf(loan)?.apy,
    cell: (loan) => {
      if (rates.isLoading) return <LoadingCell notes={['with rewards']} />;
      const earnings = earningsOf(loan);
      return (
        <>
          <Percent value={earnings?.apy} reason={NO_RATE} />
          <span class="cell-note">
            <Percent value={earnings?.apyWithRewards} reason={NO_RATE} /> with rewards
          </span>
        </>
      );
    },
  };
}

const NO_RATE = 'a rate or a price is not known, or the net value is not positive';

type PortfolioPosition = WalletLoan['deposits'][number] | WalletLoan['borrows'][number];

const earningPosition = ({ symbol, value, reserve }: PortfolioPosition) => ({
  symbol,
  value: value ?? undefined,
  reserve,
});

const profitColumn: Column<WalletLoan> = {
  key: 'profit',
  title: 'Profit',
  hint: 'Net value less what was paid in, since the loan was last empty',
  isNumber: true,
  cell: (loan) => <LoanProfit {...loan} />,
};

const gaugeColumn: Column<WalletLoan> = {
  key: 'gauge',
  title: 'To liquidation',
  cell: ({ ltv, liquidationLtv, maxLtv }) => (
    <div class="loan-gauge">
      <HealthGauge
        ltv={ltv ?? undefined}
        liquidationLtv={liquidationLtv ?? undefined}
        maxLtv={maxLtv ?? undefined}
      />
    </div>
  ),
};

function LoanProfit({ obligation, market }: WalletLoan) {
  const { data, error } = useResource(
    apiRequest('GET /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/pnl', {
      path: { marketPubkey: market, obligationPubkey: obligation },
    }),
    { pollMs: PROFIT_MS },
  );
  if (data === undefined && error === undefined) return <span class="weak">…</span>;
  return <Usd value={data?.usd} reason={error?.message} />;
}
