import { apiRequest, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { HealthGauge } from '../../components/gauge/health-gauge.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { PageLink } from '../../routing/link.tsx';
import type { WalletResources } from './wallet-resources.ts';
import { healthOf, loansOf, type WalletLoan } from './wallet-totals.ts';
import './wallet.css';

const NO_PRICE = 'a price is not known';
const PROFIT_MS = 60_000;

export const LoansTab = (resources: WalletResources) => <LoansBlock {...resources} hasProfit />;

type LoansBlockProps = WalletResources & {
  /** Whether each loan's profit is requested. */
  readonly hasProfit?: boolean;
};

/** The loans of a wallet, each with its way to the liquidation. */
export const LoansBlock = ({ portfolio, markets, hasProfit = false }: LoansBlockProps) => (
  <Block title="Loans" resources={[portfolio]} skeleton={<TableSkeleton rows={2} columns={6} />}>
    {(data) => (
      <Table
        id="loans"
        label="Loans"
        columns={columnsOf(markets, hasProfit)}
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

const kinds: Readonly<Record<string, string>> = {
  Vanilla: 'Loan',
  Lending: 'Deposit',
  LendingFixedRate: 'Deposit, fixed rate',
  Multiply: 'Multiply',
  MultiplyFixedRate: 'Multiply, fixed rate',
  Leverage: 'Leverage',
  LeverageFixedRate: 'Leverage, fixed rate',
};

function columnsOf(markets: WalletResources['markets'], hasProfit: boolean): Column<WalletLoan>[] {
  const names = new Map(markets.map(({ lendingMarket, name }) => [lendingMarket, name]));
  const first: Column<WalletLoan>[] = [
    {
      key: 'loan',
      title: 'Loan',
      cell: ({ obligation, tag, market }) => (
        <PageLink page="loan" parameters={{ loan: obligation }}>
          {kinds[tag] ?? tag} in {names.get(market) ?? 'an unlisted market'}
        </PageLink>
      ),
    },
    {
      key: 'deposits',
      title: 'Collateral',
      isNumber: true,
      sortBy: ({ totalDepositValue }) => totalDepositValue,
      cell: ({ deposits, totalDepositValue }) => (
        <Positions list={deposits} value={totalDepositValue} />
      ),
    },
    {
      key: 'debt',
      title: 'Debt',
      isNumber: true,
      sortBy: ({ totalBorrowValue }) => totalBorrowValue,
      cell: ({ borrows, totalBorrowValue }) => (
        <Positions list={borrows} value={totalBorrowValue} />
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
  return [...first, ...(hasProfit ? [profitColumn] : []), ...healthColumns];
}

const profitColumn: Column<WalletLoan> = {
  key: 'profit',
  title: 'Profit',
  hint: 'Net value less what was paid in, since the loan was last empty',
  isNumber: true,
  cell: (loan) => <LoanProfit {...loan} />,
};

const healthColumns: readonly Column<WalletLoan>[] = [
  {
    key: 'health',
    title: 'Health',
    hint: 'The LTV of liquidation divided by the LTV; 1 or less can be liquidated',
    isNumber: true,
    sortBy: healthOf,
    cell: (loan) => (
      <Amount value={healthOf(loan)} reason="a loan without debt cannot be liquidated" />
    ),
  },
  {
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
  },
];

type PositionsProps = {
  readonly list: readonly {
    readonly mint: string;
    readonly symbol: string;
    readonly amount: string;
  }[];
  readonly value: string | null;
};

/** The value, and the tokens that it is made of. */
const Positions = ({ list, value }: PositionsProps) => (
  <>
    <Usd value={value} reason={NO_PRICE} />
    {list.map(({ mint, symbol, amount }) => (
      <span key={mint} class="cell-note">
        <Amount value={amount} unit={symbol} />
      </span>
    ))}
  </>
);

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
