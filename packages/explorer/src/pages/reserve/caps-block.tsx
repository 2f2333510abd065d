import type { ReserveSnapshotMetrics } from '@tidegate/client';
import type { ListedReserve } from '../../api/directory.ts';
import type { Resource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Gauge } from '../../components/gauge/gauge.tsx';
import { Amount } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { capOf } from './cap.ts';

type CapsBlockProps = {
  readonly reserve: ListedReserve;
  readonly current: Resource<ReserveSnapshotMetrics>;
};

/** The limits of the reserve and what is left of them. */
export const CapsBlock = ({ reserve, current }: CapsBlockProps) => (
  <Block title="Limits" resources={[current]} skeleton={<Skeleton height={144} />}>
    {({ decimals, symbol, reserveDepositLimit, reserveBorrowLimit }) => (
      <div class="block-body caps">
        <CapGauge
          name="Deposits"
          unit={symbol}
          used={reserve.totalSupply}
          cap={capOf(reserveDepositLimit, decimals, reserve.totalSupply)}
        />
        <CapGauge
          name="Debts"
          unit={symbol}
          used={reserve.totalBorrow}
          cap={capOf(reserveBorrowLimit, decimals, reserve.totalBorrow)}
        />
      </div>
    )}
  </Block>
);

type CapGaugeProps = {
  readonly name: string;
  readonly unit: string;
  readonly used: string;
  readonly cap: ReturnType<typeof capOf>;
};

const FULL = 1;
const NEARLY_FULL = 0.9;

const toneOf = (fraction: number) =>
  fraction >= FULL ? 'danger' : fraction >= NEARLY_FULL ? 'warning' : 'accent';

function CapGauge({ name, unit, used, cap }: CapGaugeProps) {
  const isClosed = cap !== undefined && cap.fraction === undefined;
  return (
    <div>
      <h3>{name}</h3>
      <Gauge
        label={`Part of the limit of ${name.toLowerCase()} that is used`}
        fraction={cap?.fraction}
        tone={toneOf(cap?.fraction ?? 0)}
        start={
          <>
            <Amount value={used} unit={unit} /> used
          </>
        }
        end={
          cap === undefined ? (
            'no limit'
          ) : isClosed ? (
            'not allowed'
          ) : (
            <>
              <Amount value={cap.left} unit={unit} /> left of{' '}
              <Amount value={cap.limit} unit={unit} />
            </>
          )
        }
      />
    </div>
  );
}
