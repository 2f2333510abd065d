import type { ReserveMetrics } from '@tidegate/client';
import type { Resource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount, Percent, Usd } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { TokenIcon } from '../../components/token/token-icon.tsx';
import { ratio } from '../../format/decimal.ts';
import { BuildLink } from '../../routing/build-link.tsx';
import { PageLink } from '../../routing/link.tsx';
import { choice } from '../../routing/location.ts';

const figures: readonly Column<ReserveMetrics>[] = [
  {
    key: 'token',
    title: 'Token',
    sortBy: ({ liquidityToken }) => liquidityToken,
    cell: ({ liquidityToken, liquidityTokenMint, reserve }) => (
      <>
        <TokenIcon mint={liquidityTokenMint} symbol={liquidityToken} />
        <PageLink page="reserve" parameters={{ reserve }}>
          {liquidityToken}
        </PageLink>
      </>
    ),
  },
  {
    key: 'supplied',
    title: 'Supplied',
    isNumber: true,
    sortBy: ({ totalSupplyUsd }) => totalSupplyUsd,
    cell: ({ totalSupplyUsd }) => <Usd value={totalSupplyUsd} />,
  },
  {
    key: 'tokens',
    title: 'Tokens',
    isNumber: true,
    cell: ({ totalSupply, liquidityToken }) => <Amount value={totalSupply} unit={liquidityToken} />,
  },
  {
    key: 'borrowed',
    title: 'Borrowed',
    isNumber: true,
    sortBy: ({ totalBorrowUsd }) => totalBorrowUsd,
    cell: ({ totalBorrowUsd }) => <Usd value={totalBorrowUsd} />,
  },
  {
    key: 'utilization',
    title: 'Utilization',
    hint: 'Debt divided by deposits',
    isNumber: true,
    sortBy: (reserve) => utilizationOf(reserve),
    cell: (reserve) => <Percent value={utilizationOf(reserve)} reason="nothing is supplied" />,
  },
  {
    key: 'supply',
    title: 'Supply APY',
    hint: 'Yearly rate for depositors, without rewards',
    isNumber: true,
    sortBy: ({ supplyApy }) => supplyApy,
    cell: ({ supplyApy }) => <Percent value={supplyApy} />,
  },
  {
    key: 'borrow',
    title: 'Borrow APY',
    hint: 'Yearly rate of debts',
    isNumber: true,
    sortBy: ({ borrowApy }) => borrowApy,
    cell: ({ borrowApy }) => <Percent value={borrowApy} />,
  },
  {
    key: 'ltv',
    title: 'Max LTV',
    hint: 'How much can be borrowed against a deposit',
    isNumber: true,
    sortBy: ({ maxLtv }) => maxLtv,
    cell: ({ maxLtv }) => <Percent value={maxLtv} />,
  },
];

const columnsOf = (market: string): readonly Column<ReserveMetrics>[] => [
  ...figures,
  {
    key: 'act',
    title: 'Act',
    cell: ({ reserve, liquidityToken }) => (
      <span class="cell-actions">
        <BuildLink action="deposit" known={{ market, reserve }}>
          Deposit<span class="visually-hidden"> {liquidityToken}</span>
        </BuildLink>
        <BuildLink action="borrow" known={{ market, reserve }}>
          Borrow<span class="visually-hidden"> {liquidityToken}</span>
        </BuildLink>
      </span>
    ),
  },
];

const utilizationOf = ({ totalBorrow, totalSupply }: ReserveMetrics): number | undefined =>
  ratio(totalBorrow, totalSupply);

type ReservesBlockProps = {
  readonly market: string;
  readonly reserves: Resource<readonly ReserveMetrics[]>;
};

export function ReservesBlock({ market, reserves }: ReservesBlockProps) {
  const columns = columnsOf(market);
  const { value, set } = choice('reserves', ['all', 'used']);
  return (
    <Block
      title="Reserves"
      resources={[reserves]}
      skeleton={<TableSkeleton rows={10} columns={columns.length} />}
      actions={
        <Toggle
          label="Only with deposits"
          isOn={value === 'used'}
          onChange={(isOn) => set(isOn ? 'used' : 'all')}
        />
      }
    >
      {(list) => (
        <Table
          id="reserves"
          label="Reserves"
          columns={columns}
          rows={list.filter(({ totalSupply }) => value === 'all' || Number(totalSupply) > 0)}
          keyOf={({ reserve }) => reserve}
          order="-supplied"
          empty={<Empty title="No reserves">Nothing can be deposited in this market yet.</Empty>}
        />
      )}
    </Block>
  );
}
