import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import { grantedQuota } from '../../api/client.ts';
import type { ListedMarket } from '../../api/directory.ts';
import type { Vault } from '../../api/generated/operations.ts';
import { Address } from '../../components/address.tsx';
import { Failure } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { formatDuration } from '../../format/time.ts';
import './live-block.css';
import { followEvents, type LiveEvent, mergeEvents, queryDelayMs } from './live-events.ts';

const SHOWN = 12;
const FEEDS_PER_MARKET = 5;

type LiveBlockProps = {
  readonly markets: readonly ListedMarket[] | undefined;
  readonly vaults: readonly Vault[] | undefined;
};

/** What people do, as it happens. */
export function LiveBlock({ markets, vaults }: LiveBlockProps) {
  const { events, isLoading, error, restart } = useEvents(markets);
  const roundMs = queryDelayMs(grantedQuota()) * FEEDS_PER_MARKET * (markets?.length ?? 1);
  return (
    <section class="block" aria-label="Live" aria-busy={isLoading}>
      <header class="block-header">
        <h2>Live</h2>
        <span class="weak small">every {formatDuration(roundMs)}</span>
      </header>
      <div class="live-rows">
        {error !== undefined && events.length === 0 ? (
          <Failure error={error} onRetry={restart} />
        ) : isLoading ? (
          <TableSkeleton rows={SHOWN} columns={6} />
        ) : (
          <Table
            id="live"
            label="Events of the last hour"
            columns={columnsOf(markets ?? [], vaults ?? [])}
            rows={events}
            keyOf={({ key }) => key}
            empty={<Empty title="Nothing happened in the last hour">New events appear here.</Empty>}
          />
        )}
      </div>
      <footer class="notes">
        <span>Deposits, withdrawals, loans, repayments and liquidations, newest first</span>
      </footer>
    </section>
  );
}

type EventState = {
  readonly events: readonly LiveEvent[];
  readonly isLoading: boolean;
  readonly error: ApiError | undefined;
};

const first: EventState = { events: [], isLoading: true, error: undefined };

function useEvents(markets: readonly ListedMarket[] | undefined) {
  const [state, setState] = useState(first);
  const [attempt, setAttempt] = useState(0);
  const key = markets?.map(({ lendingMarket }) => lendingMarket).join(' ');
  // another attempt follows the events again
  useEffect(() => {
    if (key === undefined) return undefined;
    const abort = new AbortController();
    setState(first);
    void followEvents(
      key.split(' '),
      ({ events, error }, isLoading) =>
        setState((known) => ({
          events: mergeEvents(known.events, events, SHOWN),
          isLoading: isLoading && known.isLoading && events.length === 0,
          error,
        })),
      abort.signal,
    );
    return () => abort.abort();
  }, [key, attempt]);
  return { ...state, restart: () => setAttempt((count) => count + 1) };
}

const names: Readonly<Record<string, string>> = {
  deposit: 'Deposit',
  withdraw: 'Withdrawal',
  withdrawAvailable: 'Withdrawal',
  borrow: 'Borrow',
  repay: 'Repayment',
  liquidate: 'Liquidation',
};

function columnsOf(
  markets: readonly ListedMarket[],
  vaults: readonly Vault[],
): Column<LiveEvent>[] {
  const reserves = new Map(
    markets.flatMap((market) => market.reserves ?? []).map((reserve) => [reserve.reserve, reserve]),
  );
  const byAddress = new Map(vaults.map((vault) => [vault.address, vault]));
  const symbols = new Map(
    [...reserves.values()].map(({ liquidityTokenMint, liquidityToken }) => [
      liquidityTokenMint,
      liquidityToken,
    ]),
  );
  const unitOf = ({ kind, place }: LiveEvent): string =>
    kind === 'reserve'
      ? (reserves.get(place)?.liquidityToken ?? '')
      : (symbols.get(byAddress.get(place)?.state.tokenMint ?? '') ?? '');
  const nameOf = ({ kind, place }: LiveEvent): string | undefined =>
    kind === 'reserve' ? reserves.get(place)?.market.name : byAddress.get(place)?.state.name;
  return [
    { key: 'time', title: 'Time', cell: ({ time }) => <Time value={time} form="clock" /> },
    { key: 'event', title: 'Event', cell: ({ instruction }) => names[instruction] ?? instruction },
    {
      key: 'amount',
      title: 'Amount',
      isNumber: true,
      cell: (event) => (
        <Amount value={event.amount} unit={unitOf(event)} reason="the event has no amount" />
      ),
    },
    {
      key: 'place',
      title: 'Where',
      cell: (event) => (
        <Address address={event.place} name={nameOf(event)} page={event.kind} canCopy={false} />
      ),
    },
    {
      key: 'wallet',
      title: 'Wallet',
      cell: ({ wallet }) => <Address address={wallet} page="wallet" what="wallet address" />,
    },
    {
      key: 'signature',
      title: 'Signature',
      cell: ({ signature }) => <Address address={signature} what="signature" />,
    },
  ];
}
