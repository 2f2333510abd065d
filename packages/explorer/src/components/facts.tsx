import type { ComponentChildren } from 'preact';
import './facts.css';

type FactsProps = {
  /** Name, value, and optionally one sentence on it. */
  readonly rows: readonly (readonly [
    name: string,
    value: ComponentChildren,
    explanation?: string,
  ])[];
};

/** Names and values in two columns. */
export const Facts = ({ rows }: FactsProps) => (
  <dl class="facts">
    {rows.map(([name, value, explanation]) => (
      <div key={name} class="fact">
        <dt>
          {name}
          {explanation !== undefined && <span class="fact-explanation">{explanation}</span>}
        </dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
