import type { ComponentChildren } from 'preact';
import './stat.css';

type StatProps = {
  readonly label: string;
  /** One sentence on what the figure is. */
  readonly hint?: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** One large figure with its name. */
export const Stat = ({ label, hint, note, children }: StatProps) => (
  <div class="stat">
    <dt data-hint={hint}>{label}</dt>
    <dd class="stat-value">{children}</dd>
    {note !== undefined && <dd class="stat-note">{note}</dd>}
  </div>
);

type StatsProps = {
  /** For figures with a unit, in a block of half the width. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
};

/** A row of figures. */
export const Stats = ({ isWide = false, children }: StatsProps) => (
  <dl class={`stats${isWide ? ' wide' : ''}`}>{children}</dl>
);
