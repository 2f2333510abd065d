import type { RecentEvent, Vault } from '@tidegate/client';
import { type ListedMarket, useListedMarkets, useVaults } from '../../api/directory.ts';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { Signature } from '../../components/transaction/signature.tsx';
import './live-block.css';

const SHOWN = 12;
const POLL_MS = 2_000;

/** What people do, as it happens. */
export function LiveBlock() {
  const { data: markets = [] } = useListedMarkets();
  const { data: vaults = [] } = useVaults();
  const request = apiRequest('GET /events/recent', { query: { limit: SHOWN } });
  const recent = useResource(request, { pollMs: POLL_MS });
  return (
    <Block
      title="Live"
      resources={[recent]}
      skeleton={
        <div class="live-rows">
          <TableSkeleton rows={SHOWN} columns={6} />
        </div>
      }
      actions={<span class="weak small">Newest first, as they happen</span>}
    >
      {({ events }) => (
        <div class="live-rows">
          <Table
            id="live"
            label="Newest deposits, withdrawals, loans, repayments and liquidations"
            columns={columnsOf(markets, vaults)}
            rows={events}
            keyOf={keyOf}
            empty={<Empty title="Nothing happened yet">New events appear here.</Empty>}
          />
        </div>
      )}
    </Block>
  );
}

/** A transaction can have several events. */
const keyOf = ({ signature, instruction, reserve, vault, tokenAmount }: RecentEvent): string =>
  [signature, instruction, reserve, vault, tokenAmount].join(' ');

const names: Readonly<Record<string, string>> = {
  deposit: 'Deposit',
  buy: 'Purchase',
  withdraw: 'Withdrawal',
  sell: 'Sale',
  withdrawAvailable: 'Withdrawal',
  borrow: 'Borrow',
  repay: 'Repayment',
  liquidate: 'Liquidation',
};

function columnsOf(
  markets: readonly ListedMarket[],
  vaults: readonly Vault[],
): Column<RecentEvent>[] {
  const reserves = markets.flatMap((market) => market.reserves ?? []);
  const symbols = new Map(
    reserves.map(({ liquidityTokenMint, liquidityToken }) => [liquidityTokenMint, liquidityToken]),
  );
  const placeNames = new Map<string, string>([
    ...reserves.map(({ reserve, market }) => [reserve, market.name] as const),
    ...vaults.map(({ address, state }) => [address, state.name] as const),
  ]);
  return [
    { key: 'time', title: 'Time', cell: ({ timestamp }) => <Time value={timestamp} form="ago" /> },
    { key: 'event', title: 'Event', cell: ({ instruction }) => names[instruction] ?? instruction },
    {
      key: 'amount',
      title: 'Amount',
      isNumber: true,
      cell: ({ tokenAmount, tokenMint }) => (
        <Amount
          value={tokenAmount ?? undefined}
          unit={symbols.get(tokenMint ?? '') ?? ''}
          reason="the event has no amount"
        />
      ),
    },
    {
      key: 'place',
      title: 'Where',
      cell: ({ product, reserve, vault }) => {
        const address = vault ?? reserve ?? '';
        const page = product === 'vault' ? 'vault' : 'reserve';
        return (
          <Address address={address} name={placeNames.get(address)} page={page} canCopy={false} />
        );
      },
    },
    {
      key: 'wallet',
      title: 'Wallet',
      cell: ({ wallet }) =>
        wallet === null ? (
          'unknown'
        ) : (
          <Address address={wallet} page="wallet" what="wallet address" />
        ),
    },
    {
      key: 'signature',
      title: 'Signature',
      cell: ({ signature }) => <Signature signature={signature} />,
    },
  ];
}
