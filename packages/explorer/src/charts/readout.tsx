import { Amount, Percent, Usd } from '../components/number.tsx';
import { formatPercent, type TickUnit } from '../format/number.ts';
import { formatDateTime, formatUtc } from '../format/time.ts';
import type { ChartData, ChartMark, ChartValue } from './chart-data.ts';

type ReadoutProps = {
  readonly data: ChartData;
  readonly axis: string;
  /** Position under the crosshair; null shows the newest values. */
  readonly index: number | null;
  readonly marks: readonly ChartMark[];
};

/** The values under the crosshair, or the newest ones: the names and colours of the series, as a legend. */
export function Readout({ data, axis, index, marks }: ReadoutProps) {
  const shown = index ?? data.positions.length - 1;
  const position = data.positions[shown];
  return (
    <figcaption class="readout">
      <span class="readout-position">
        {position === undefined ? '—' : <Position axis={axis} value={position} />}
      </span>
      {data.series.map(({ label, color, values }) => (
        <span key={label} class="readout-value">
          <span class={`swatch color-${color}`} aria-hidden="true" />
          {label} <Value unit={data.unit} value={values[shown] ?? null} />
        </span>
      ))}
      {marks
        .filter(({ at }) => index !== null && at === position)
        .map(({ label }) => (
          <span key={label}>{label}</span>
        ))}
    </figcaption>
  );
}

/** Local time, and UTC beside it. */
const Position = ({ axis, value }: { readonly axis: string; readonly value: number }) =>
  axis === 'time' ? (
    <time dateTime={new Date(value).toISOString()}>
      {formatDateTime(value)} <span class="weak">{formatUtc(value)}</span>
    </time>
  ) : (
    <>
      {axis} {formatPercent(value).short}
    </>
  );

type ReadoutValueProps = { readonly unit: TickUnit; readonly value: ChartValue };

function Value({ unit, value }: ReadoutValueProps) {
  const reason = 'nothing recorded';
  if (unit === 'usd') return <Usd value={value} reason={reason} />;
  if (unit === 'percent') return <Percent value={value} reason={reason} />;
  return <Amount value={value} reason={reason} />;
}
