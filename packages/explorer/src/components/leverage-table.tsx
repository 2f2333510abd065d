import type { LeverageMetrics } from '@tidegate/client';
import { formatAmount } from '../format/number.ts';
import { Address } from './address.tsx';
import { Empty } from './empty.tsx';
import { Amount, Usd } from './number.tsx';
import { type Column, Table } from './table.tsx';

type LeverageTableProps = {
  readonly rows: readonly LeverageMetrics[];
  /** Symbols by the address of a reserve. */
  readonly symbols: ReadonlyMap<string, string>;
};

/** Loans with one deposit and one debt, by pair. */
export const LeverageTable = ({ rows, symbols }: LeverageTableProps) => (
  <Table
    id="leverage"
    label="Leverage by pair of reserves"
    columns={columnsOf(symbols)}
    rows={rows}
    keyOf={({ depositReserve, borrowReserve, tag }) => `${depositReserve} ${borrowReserve} ${tag}`}
    order="-deposited"
    empty={
      <Empty title="No leveraged positions">
        Loans with one deposit and one debt of this kind appear here.
      </Empty>
    }
  />
);

function columnsOf(symbols: ReadonlyMap<string, string>): Column<LeverageMetrics>[] {
  const symbolOf = (reserve: string): string => symbols.get(reserve) ?? '';
  const link = (reserve: string) => (
    <Address address={reserve} name={symbols.get(reserve)} page="reserve" canCopy={false} />
  );
  return [
    {
      key: 'pair',
      title: 'Deposit / debt',
      sortBy: ({ depositReserve }) => symbolOf(depositReserve),
      cell: ({ depositReserve, borrowReserve }) => (
        <>
          {link(depositReserve)} / {link(borrowReserve)}
        </>
      ),
    },
    { key: 'kind', title: 'Kind', sortBy: ({ tag }) => tag, cell: ({ tag }) => tag },
    {
      key: 'leverage',
      title: 'Mean leverage',
      hint: 'Mean of the positions: deposits divided by net value',
      isNumber: true,
      sortBy: ({ avgLeverage }) => avgLeverage,
      cell: ({ avgLeverage }) => (
        <span data-exact={avgLeverage} data-hint={formatAmount(avgLeverage).exact}>
          {formatAmount(avgLeverage).short}×
        </span>
      ),
    },
    {
      key: 'positions',
      title: 'Positions',
      isNumber: true,
      sortBy: ({ totalObligations }) => totalObligations,
      cell: ({ totalObligations }) => <Amount value={totalObligations} />,
    },
    {
      key: 'deposited',
      title: 'Deposited',
      isNumber: true,
      sortBy: ({ totalDepositedUsd }) => totalDepositedUsd,
      cell: ({ totalDepositedUsd }) => <Usd value={totalDepositedUsd} />,
    },
    {
      key: 'borrowed',
      title: 'Borrowed',
      isNumber: true,
      sortBy: ({ totalBorrowedUsd }) => totalBorrowedUsd,
      cell: ({ totalBorrowedUsd }) => <Usd value={totalBorrowedUsd} />,
    },
  ];
}
