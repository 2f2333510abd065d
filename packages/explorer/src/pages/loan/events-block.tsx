import type { LendTxWithObligation } from '@tidegate/client';
import { useState } from 'preact/hooks';
import { isLiquidation } from '../../charts/event-marks.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount, Price, Usd } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { Signature } from '../../components/transaction/signature.tsx';
import type { LoanResources } from './loan-resources.ts';

const EXPECTED_ROWS = 4;
const PAGE = 25;
const NO_PRICE = 'the price at that time is not known';

const columns: readonly Column<LendTxWithObligation>[] = [
  { key: 'time', title: 'Time', cell: ({ timestamp }) => <Time value={timestamp} /> },
  {
    key: 'event',
    title: 'Event',
    cell: (event) => (
      <span class={isLiquidation(event.transactionDisplayName) ? 'loan-danger' : ''}>
        {event.transactionDisplayName}
      </span>
    ),
  },
  {
    key: 'amount',
    title: 'Amount',
    isNumber: true,
    cell: ({ liquidityTokenAmount, liquidityToken }) => (
      <Amount value={liquidityTokenAmount} unit={liquidityToken} />
    ),
  },
  {
    key: 'value',
    title: 'Value then',
    isNumber: true,
    cell: ({ liquidityUsdValue }) => <Usd value={liquidityUsdValue} reason={NO_PRICE} />,
  },
  {
    key: 'price',
    title: 'Price then',
    isNumber: true,
    cell: ({ liquidityTokenPrice }) => <Price value={liquidityTokenPrice} reason={NO_PRICE} />,
  },
  {
    key: 'signature',
    title: 'Signature',
    cell: ({ transactionSignature }) => <Signature signature={transactionSignature} />,
  },
];

/** What happened to the loan, newest first. */
export function EventsBlock({ events }: LoanResources) {
  const [shown, setShown] = useState(PAGE);
  return (
    <Block
      title="Events"
      resources={[events]}
      skeleton={<TableSkeleton rows={EXPECTED_ROWS} columns={columns.length} />}
    >
      {({ transactions }) => (
        <>
          <Table
            id="events"
            label="Events of the loan"
            columns={columns}
            rows={transactions.slice(0, shown)}
            keyOf={keyOf}
            empty={<Empty title="No events">Nothing is recorded for this loan.</Empty>}
          />
          {transactions.length > shown && (
            <div class="block-body">
              <button type="button" class="button" onClick={() => setShown(shown + PAGE)}>
                Show {Math.min(PAGE, transactions.length - shown)} more of {transactions.length}
              </button>
            </div>
          )}
        </>
      )}
    </Block>
  );
}

const keyOf = (event: LendTxWithObligation): string =>
  [
    event.transactionSignature,
    event.transactionDisplayName,
    event.liquidityTokenMint,
    event.liquidityTokenAmount,
    event.isSecondPartOfCompositeIx,
  ].join();
