import { type ListedMarket, type ListedReserve, useListedMarkets } from '../../api/directory.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Percent, Unknown, Usd } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { PageLink } from '../../routing/link.tsx';
import { type MarketTotals, marketTotals } from './market-totals.ts';

type Row = { readonly market: ListedMarket; readonly totals: MarketTotals | undefined };

const UNREADABLE = 'its reserves cannot be read';

const rate = (
  reserve: ListedReserve | undefined,
  apy: 'supplyApy' | 'borrowApy',
  reason: string,
) =>
  reserve === undefined ? (
    <Unknown reason={reason} />
  ) : (
    <>
      <Percent value={reserve[apy]} /> <span class="weak">{reserve.liquidityToken}</span>
    </>
  );

const columns: readonly Column<Row>[] = [
  {
    key: 'name',
    title: 'Market',
    sortBy: ({ market }) => market.name,
    cell: ({ market }) => (
      <PageLink page="market" parameters={{ market: market.lendingMarket }}>
        {market.name}
      </PageLink>
    ),
  },
  {
    key: 'supplied',
    title: 'Supplied',
    isNumber: true,
    sortBy: ({ totals }) => totals?.supplied,
    cell: ({ totals }) => <Usd value={totals?.supplied} reason={UNREADABLE} />,
  },
  {
    key: 'borrowed',
    title: 'Borrowed',
    isNumber: true,
    sortBy: ({ totals }) => totals?.borrowed,
    cell: ({ totals }) => <Usd value={totals?.borrowed} reason={UNREADABLE} />,
  },
  {
    key: 'best',
    title: 'Best supply',
    hint: 'Highest yearly rate for depositors, without rewards',
    isNumber: true,
    sortBy: ({ totals }) => totals?.bestSupply?.supplyApy,
    cell: ({ totals }) => rate(totals?.bestSupply, 'supplyApy', 'nothing is supplied'),
  },
  {
    key: 'cheapest',
    title: 'Cheapest borrow',
    hint: 'Lowest yearly rate for borrowers, of the reserves that have loans',
    isNumber: true,
    sortBy: ({ totals }) => totals?.cheapestBorrow?.borrowApy,
    cell: ({ totals }) => rate(totals?.cheapestBorrow, 'borrowApy', 'nothing is borrowed'),
  },
];

export const MarketsBlock = () => (
  <Block
    title="Markets"
    resources={[useListedMarkets()]}
    skeleton={<TableSkeleton rows={3} columns={columns.length} />}
  >
    {(list) => (
      <Table
        id="markets"
        label="Markets"
        columns={columns}
        rows={list.map((market) => ({
          market,
          totals: market.reserves && marketTotals(market.reserves),
        }))}
        keyOf={({ market }) => market.lendingMarket}
        order="-supplied"
        empty={
          <Empty title="No listed market">Name markets in the registry to list them here.</Empty>
        }
      />
    )}
  </Block>
);
