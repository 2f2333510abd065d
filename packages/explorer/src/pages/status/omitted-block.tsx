import type { Status } from '@tidegate/client';
import type { Resource } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount } from '../../components/number.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { formatCount } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';

type ServedCluster = Status['clusters'][number];
type Unreadable = ServedCluster['unreadableAccounts'][number];
type StalePrice = ServedCluster['stalePrices'][number];

/** Accounts and prices that answers leave out or warn about, and why. */
export const OmittedBlock = ({ status }: { readonly status: Resource<Status> }) => (
  <Block title="Left out" resources={[status]} skeleton={<Empty title="…">…</Empty>}>
    {({ clusters }) => {
      const accounts = clusters.flatMap(({ unreadableAccounts }) => unreadableAccounts);
      const total = clusters.reduce((sum, { undecodedAccounts }) => sum + undecodedAccounts, 0);
      const prices = clusters.flatMap(({ stalePrices }) => stalePrices);
      if (total === 0 && prices.length === 0) {
        return (
          <Empty title="Nothing is left out">
            Every account is decoded, and every price is as young as its reserve demands.
          </Empty>
        );
      }
      return (
        <>
          {total > 0 && (
            <>
              <p class="block-body">{formatCount(total)} accounts cannot be decoded.</p>
              <Table
                id="unreadable"
                label="Accounts that cannot be decoded"
                columns={accountColumns}
                rows={accounts}
                keyOf={({ address }) => address}
              />
            </>
          )}
          {prices.length > 0 && (
            <Table
              id="stale-prices"
              label="Prices that are too old"
              columns={priceColumns}
              rows={prices}
              keyOf={({ mint }) => mint}
            />
          )}
        </>
      );
    }}
  </Block>
);

const accountColumns: readonly Column<Unreadable>[] = [
  { key: 'address', title: 'Account', cell: ({ address }) => <Address address={address} /> },
  { key: 'kind', title: 'Kind', sortBy: ({ kind }) => kind, cell: ({ kind }) => kind },
  {
    key: 'size',
    title: 'Bytes',
    isNumber: true,
    sortBy: ({ size }) => size,
    cell: ({ size }) => <Amount value={size} />,
  },
  { key: 'reason', title: 'Why', cell: ({ reason }) => reason },
];

const priceColumns: readonly Column<StalePrice>[] = [
  {
    key: 'symbol',
    title: 'Token',
    sortBy: ({ symbol }) => symbol,
    cell: ({ symbol, reserve }) => <Address address={reserve} name={symbol} page="reserve" />,
  },
  {
    key: 'age',
    title: 'Age',
    isNumber: true,
    sortBy: ({ ageSeconds }) => ageSeconds,
    cell: ({ ageSeconds }) => formatDuration(ageSeconds * 1000),
  },
  {
    key: 'limit',
    title: 'Accepted',
    isNumber: true,
    cell: ({ maxAgeSeconds }) => formatDuration(maxAgeSeconds * 1000),
  },
  { key: 'source', title: 'Source', cell: ({ source }) => source },
];
