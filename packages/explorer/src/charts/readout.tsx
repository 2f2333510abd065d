import { FullNumber } from '../components/number.tsx';
import { formatPercent } from '../format/number.ts';
import { formatDateTime, formatUtc } from '../format/time.ts';
import type { ChartData, ChartMark } from './chart-data.ts';

type ReadoutProps = {
  readonly data: ChartData;
  readonly axis: string;
  /** Position under the crosshair, or the one to show without it. */
  readonly index: number;
  readonly marks: readonly ChartMark[];
};

/** The values under the crosshair, not abbreviated, with the names and colours of the series, as a legend. */
export function Readout({ data, axis, index, marks }: ReadoutProps) {
  const position = data.positions[index];
  return (
    <figcaption class="readout">
      <span class="readout-position">
        {position === undefined ? '—' : <Position axis={axis} value={position} />}
      </span>
      {data.series.map(({ label, color, values }) => (
        <span key={label} class="readout-value">
          <span class={`swatch color-${color}`} aria-hidden="true" />
          {label}{' '}
          <FullNumber unit={data.unit} value={values[index] ?? null} reason="nothing recorded" />
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
