import type { ReserveSnapshotMetrics } from '@tidegate/client';
import type { ListedReserve } from '../../api/directory.ts';
import { now } from '../../components/clock.ts';
import { Amount, Percent, Price, Usd } from '../../components/number.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { formatDuration } from '../../format/time.ts';
import { BASIS_NOTES, type InterestRateBasis } from './interest-rate-basis.ts';

export type ReservePrice = {
  readonly price: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly maxAgeMs: number;
};

type ReserveTotalsProps = {
  readonly reserve: ListedReserve;
  readonly metrics: ReserveSnapshotMetrics;
  /** Null if the oracle has no price. */
  readonly price: ReservePrice | null;
  readonly basis: InterestRateBasis | undefined;
};

export const ReserveTotals = ({ reserve, metrics, price, basis }: ReserveTotalsProps) => (
  <Stats>
    <Stat label="Supply APY" hint="Yearly rate for depositors" note="without rewards">
      <Percent value={reserve.supplyApy} />
    </Stat>
    <Stat
      label="Borrow APY"
      hint="Yearly rate of debts"
      note={basis === undefined ? 'compounded' : BASIS_NOTES[basis]}
    >
      <Percent value={reserve.borrowApy} />
    </Stat>
    <Stat
      label="Supplied"
      note={<Amount value={reserve.totalSupply} unit={reserve.liquidityToken} />}
    >
      <Usd value={reserve.totalSupplyUsd} />
    </Stat>
    <Stat
      label="Borrowed"
      note={<Amount value={reserve.totalBorrow} unit={reserve.liquidityToken} />}
    >
      <Usd value={reserve.totalBorrowUsd} />
    </Stat>
    <Stat
      label="Utilization"
      hint="Debt divided by deposits"
      note={
        <>
          <Amount value={metrics.totalLiquidity} unit={metrics.symbol} /> available
        </>
      }
    >
      <Percent value={metrics.utilizationRatio} />
    </Stat>
    <Stat label="Price" note={<PriceNote price={price} market={reserve.market.name} />}>
      <Price value={price?.price} reason="the oracle has no price" />
    </Stat>
  </Stats>
);

type PriceNoteProps = { readonly price: ReservePrice | null; readonly market: string };

/** Where the price is from, and how old it is. */
function PriceNote({ price, market }: PriceNoteProps) {
  if (price === null) return <>no oracle price</>;
  const ageMs = Math.max(0, now.value - price.time);
  const isStale = ageMs > price.maxAgeMs;
  return (
    <span
      class={isStale ? 'warning-text' : ''}
      data-hint={`Oracle of ${market}. The program accepts prices of up to ${formatDuration(price.maxAgeMs)}`}
    >
      oracle, {formatDuration(ageMs)} old{isStale ? ': too old' : ''}
    </span>
  );
}
