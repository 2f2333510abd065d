import type { ComponentChildren } from 'preact';
import { formatPercent } from '../../format/number.ts';
import './gauge.css';

type GaugeTone = 'accent' | 'positive' | 'warning' | 'danger';

type GaugeProps = {
  readonly label: string;
  /** From 0 to 1; more is shown as full. Undefined is shown as empty. */
  readonly fraction: number | undefined;
  readonly tone?: GaugeTone;
  /** Positions on the track, from 0 to 1, with what they mean. */
  readonly marks?: readonly { readonly at: number; readonly label: string }[];
  /** At the ends of the line under the track. */
  readonly start?: ComponentChildren;
  readonly end?: ComponentChildren;
};

/** A part of a whole as a track: use of a cap, distance to a threshold. */
export function Gauge({ label, fraction, tone = 'accent', marks = [], start, end }: GaugeProps) {
  const part = Math.max(0, Math.min(1, fraction ?? 0));
  return (
    <div class="gauge">
      <div
        class={`gauge-track ${tone}`}
        role="img"
        aria-label={`${label}: ${fraction === undefined ? 'not known' : formatPercent(fraction).short}`}
      >
        <span class="gauge-fill" style={{ width: `${part * 100}%` }} />
        {marks.map(({ at, label: text }) => (
          <span key={text} class="gauge-mark" style={{ left: `${at * 100}%` }} data-hint={text} />
        ))}
      </div>
      {(start !== undefined || end !== undefined) && (
        <div class="gauge-ends">
          <span>{start}</span>
          <span>{end}</span>
        </div>
      )}
    </div>
  );
}

type BarProps = {
  readonly label: string;
  readonly parts: readonly {
    readonly name: string;
    /** In any unit. */
    readonly value: number;
    /** Number of a colour of the charts, from 1 to 6. */
    readonly color: number;
  }[];
  /** Whether the parts are named under the bar. */
  readonly hasLegend?: boolean;
};

/** The parts of a whole side by side. */
export function Bar({ label, parts, hasLegend = false }: BarProps) {
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  return (
    <div class="gauge">
      <div class="bar" role="img" aria-label={label}>
        {total > 0 &&
          parts.map(({ name, value, color }) => (
            <span
              key={name}
              class={`bar-part color-${color}`}
              style={{ width: `${(100 * value) / total}%` }}
              data-hint={name}
            />
          ))}
      </div>
      {hasLegend && (
        <ul class="legend">
          {parts.map(({ name, color }) => (
            <li key={name}>
              <span class={`swatch color-${color}`} aria-hidden="true" />
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
