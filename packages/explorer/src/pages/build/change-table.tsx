import { Unknown } from '../../components/number.tsx';
import type { ChangeRow } from './change-row.ts';

export type ChangeTableProps = {
  readonly label: string;
  /** One title for each value of a row. */
  readonly titles: readonly string[];
  readonly rows: readonly ChangeRow[];
};

/** Figures side by side; those that change are highlighted. On a phone the frame scrolls, also by keyboard. */
export const ChangeTable = ({ label, titles, rows }: ChangeTableProps) => (
  <section
    class="changes-frame"
    aria-label={`Table: ${label}`}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard
    tabIndex={0}
  >
    <table class="changes" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Figure</th>
          {titles.map((title) => (
            <th key={title} scope="col" class="numeric">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, hint, values, reason, isChanged }) => (
          <tr key={name} class={isChanged ? 'is-changed' : ''}>
            <th scope="row" data-hint={hint}>
              {name}
              {isChanged && <span class="visually-hidden"> (changes)</span>}
            </th>
            {titles.map((title, index) => (
              <td key={title} class="numeric">
                <Value text={values[index]} reason={reason} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

type ValueProps = { readonly text: ChangeRow['values'][number]; readonly reason: string };

const Value = ({ text, reason }: ValueProps) =>
  text === undefined ? (
    <Unknown reason={reason} />
  ) : (
    <data class="number" value={text.plain} data-exact={text.plain} data-hint={text.exact}>
      {text.short}
    </data>
  );
