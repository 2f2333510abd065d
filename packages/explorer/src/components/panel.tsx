import type { ComponentChildren } from 'preact';
import './block.css';
import './panel.css';

type PanelProps = {
  readonly title: string;
  /** At the right of the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** A block without data of its own, such as a form. */
export const Panel = ({ title, actions, children }: PanelProps) => (
  <section class="block" aria-label={title}>
    <header class="block-header">
      <h2>{title}</h2>
      {actions}
    </header>
    <div class="panel-body">{children}</div>
  </section>
);

type AlertTone = 'neutral' | 'positive' | 'warning' | 'danger';

type MessageProps = {
  readonly tone: AlertTone;
  /** Announced by screen readers when it appears. */
  readonly isLive?: boolean;
  readonly children: ComponentChildren;
};

/** One sentence that must not be missed. */
export const Message = ({ tone, isLive = false, children }: MessageProps) => (
  <div class={`panel-notice ${tone}`} role={isLive ? 'status' : undefined}>
    {children}
  </div>
);

export type FactRow = {
  readonly name: string;
  readonly hint?: string;
  readonly value: ComponentChildren;
};

/** Names and values, one line each. */
export const FactList = ({ rows }: { readonly rows: readonly FactRow[] }) => (
  <dl class="panel-facts">
    {rows.map(({ name, hint, value }) => (
      <div key={name}>
        <dt data-hint={hint}>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
