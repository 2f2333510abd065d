import type { LiquidatableLoan } from '@tidegate/client';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount, Percent, Usd } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { BuildLink } from '../../routing/build-link.tsx';

const POLL_MS = 10_000;
const SHOWN = 100;
const MAX_HEIGHT = 420;

/** Loans of a market that anybody can liquidate now, each with its form filled in. */
export function LiquidatableBlock({ market }: { readonly market: string }) {
  const loans = useResource(
    apiRequest('GET /klend/liquidatable', { query: { market, limit: SHOWN } }),
    { pollMs: POLL_MS },
  );
  return (
    <Block
      title="Loans to liquidate"
      resources={[loans]}
      skeleton={<TableSkeleton rows={1} columns={7} />}
    >
      {({ loans: rows, hasMore }) => (
        <>
          <Table
            id="liquidatable"
            label="Loans to liquidate"
            columns={columnsOf(market)}
            rows={rows}
            keyOf={({ loanId }) => loanId}
            maxHeight={MAX_HEIGHT}
            empty={
              <Empty title="No loan can be liquidated now">
                Loans are listed as soon as the program lets anybody liquidate them.
              </Empty>
            }
          />
          {hasMore && <p class="block-note weak">There are more than these {SHOWN} loans.</p>}
        </>
      )}
    </Block>
  );
}

const reasons: Readonly<Record<LiquidatableLoan['liquidations'][number]['reason'], string>> = {
  ltvExceeded: 'above its threshold',
  individualDeleveraging: 'marked for deleveraging',
  marketWideDeleveraging: 'the market deleverages',
  debtMaturity: 'the debt has matured',
  debtTerm: 'the term is over',
  obligationOrder: 'an order of the owner',
};

/** Of the most profitable pair of a debt and a deposit, the first. */
const bestOf = ({ liquidations: [best] }: LiquidatableLoan) => best;

const columnsOf = (market: string): readonly Column<LiquidatableLoan>[] => [
  {
    key: 'loan',
    title: 'Loan',
    cell: ({ loanId }) => <Address address={loanId} page="loan" canCopy={false} />,
  },
  {
    key: 'ltv',
    title: 'LTV',
    isNumber: true,
    sortBy: ({ currentLtv }) => currentLtv,
    cell: ({ currentLtv }) => <Percent value={currentLtv} />,
  },
  {
    key: 'threshold',
    title: 'Threshold',
    hint: 'The LTV from which it can be liquidated',
    isNumber: true,
    cell: ({ liquidationLtv }) => <Percent value={liquidationLtv} />,
  },
  {
    key: 'reason',
    title: 'Why',
    cell: (loan) => reasons[bestOf(loan)?.reason ?? 'ltvExceeded'],
  },
  {
    key: 'repay',
    title: 'Repay at most',
    isNumber: true,
    sortBy: (loan) => bestOf(loan)?.repayUsdValue,
    cell: (loan) => (
      <Amount value={bestOf(loan)?.repayAmount} unit={bestOf(loan)?.repayToken ?? ''} />
    ),
  },
  {
    key: 'receive',
    title: 'Receive',
    isNumber: true,
    cell: (loan) => (
      <Amount value={bestOf(loan)?.receivedAmount} unit={bestOf(loan)?.withdrawToken ?? ''} />
    ),
  },
  {
    key: 'profit',
    title: 'Profit',
    hint: 'Value received less value repaid, before the costs of a swap',
    isNumber: true,
    sortBy: (loan) => bestOf(loan)?.profitUsdValue,
    cell: (loan) => <Usd value={bestOf(loan)?.profitUsdValue} />,
  },
  {
    key: 'act',
    title: 'Act',
    cell: (loan) => <LiquidateLink market={market} {...loan} />,
  },
];

type LiquidateLinkProps = LiquidatableLoan & { readonly market: string };

/** As much as the program allows when the transaction lands: the most of now can be too much then. */
const LiquidateLink = ({ market, loanId, ...loan }: LiquidateLinkProps) => (
  <BuildLink
    action="liquidate"
    known={{
      market,
      obligation: loanId,
      debt: loan.liquidations[0]?.repayReserve,
      collateral: loan.liquidations[0]?.withdrawReserve,
      amount: 'all',
    }}
  >
    Liquidate
  </BuildLink>
);
