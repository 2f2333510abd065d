import { Amount, FullNumber, Percent, Price, Usd } from '../components/number.tsx';
import { formatPercent, type TickUnit } from '../format/number.ts';
import { formatDateTime, formatUtc } from '../format/time.ts';
import type { ChartData, ChartMark, ChartValue } from './chart-data.ts';

type ReadoutProps = {
  readonly data: ChartData;
  readonly axis: string;
  /** Position under the crosshair, or the one to show without it. */
  readonly index: number;
  /** Whether values are shown without abbreviation, as under the crosshair. */
  readonly isFull: boolean;
  readonly marks: readonly ChartMark[];
};

/** The values under the crosshair, with the names and colours of the series, as a legend. */
export function Readout({ data, axis, index, isFull, marks }: ReadoutProps) {
  const position = data.positions[index];
  return (
    <figcaption class="readout">
      <span class="readout-position">
        {position === undefined ? '—' : <Position axis={axis} value={position} />}
      </span>
      {data.series.map(({ label, color, values }) => (
        <span key={label} class="readout-value">
          <span class={`swatch color-${color}`} aria-hidden="true" />
          {label} <Value unit={data.unit} value={values[index] ?? null} isFull={isFull} />
        </span>
      ))}
      {marks
        .filter(({ at }) => at === position)
        .map(({ label }) => (
          <span key={label} class="tag">
            {label}
          </span>
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

type ReadoutValueProps = {
  readonly unit: TickUnit;
  readonly value: ChartValue;
  readonly isFull: boolean;
};

function Value({ unit, value, isFull }: ReadoutValueProps) {
  const reason = 'nothing recorded';
  if (isFull) return <FullNumber value={value} unit={unit} reason={reason} />;
  if (unit === 'price') return <Price value={value} reason={reason} />;
  if (unit === 'usd') return <Usd value={value} reason={reason} />;
  if (unit === 'percent') return <Percent value={value} reason={reason} />;
  return <Amount value={value} reason={reason} />;
}
