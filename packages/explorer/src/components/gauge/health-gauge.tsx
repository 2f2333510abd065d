import { divide } from '../../format/decimal.ts';
import { formatPercent } from '../../format/number.ts';
import { Percent } from '../number.tsx';
import { Gauge } from './gauge.tsx';

type HealthGaugeProps = {
  /** Fractions; undefined if not known. */
  readonly ltv: string | undefined;
  readonly liquidationLtv: string | undefined;
  /** Up to which the owner can borrow. */
  readonly maxLtv?: string | undefined;
};

/** Parts of the way to the liquidation at which the colour changes: a health of 1.25 and of 1.1. */
const WARNING = 1 / 1.25;
const DANGER = 1 / 1.1;

/** How far a loan is on its way to the liquidation. */
export function HealthGauge({ ltv, liquidationLtv, maxLtv }: HealthGaugeProps) {
  const part = (value: string | undefined): number | undefined => {
    const found = value && liquidationLtv && divide(value, liquidationLtv);
    return found === undefined || found === '' ? undefined : Number(found);
  };
  const used = part(ltv);
  const borrowable = part(maxLtv);
  const tone =
    used === undefined || used < WARNING ? 'positive' : used < DANGER ? 'warning' : 'danger';
  return (
    <Gauge
      label="Part of the liquidation LTV"
      fraction={used}
      tone={tone}
      marks={
        borrowable === undefined || borrowable > 1 || maxLtv === undefined
          ? []
          : [{ at: borrowable, label: `New debt up to an LTV of ${formatPercent(maxLtv).short}` }]
      }
      start={
        <>
          LTV <Percent value={ltv} reason="there are no deposits" />
        </>
      }
      end={
        <>
          liquidates at <Percent value={liquidationLtv} reason="there are no deposits" />
        </>
      }
    />
  );
}
