import type { ComponentChildren } from 'preact';
import { query, setQuery } from '../routing/location.ts';
import { moveFocus } from './table-keys.ts';
import { nextSort, parseSort, type Sort, type SortValue, sortRows } from './table-sort.ts';
import './table.css';

export type Column<Row> = {
  readonly key: string;
  readonly title: string;
  /** One sentence on what the column has. */
  readonly hint?: string;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
  /** What the column is sorted by; without it, it is not sortable. Undefined values are last. */
  readonly sortBy?: (row: Row) => SortValue;
};

type TableProps<Row> = {
  /** Name of the table in the URL, where its order is. */
  readonly id: string;
  /** For screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Column and direction at first: `-supplied` is descending. By default the order of `rows`. */
  readonly order?: string;
  /** Shown instead of rows. */
  readonly empty?: ComponentChildren;
  /** Pixels above which the table scrolls inside its frame, under its header. */
  readonly maxHeight?: number;
};

/**
 * A sortable table that scrolls in its own frame, with a header that stays, and turns into cards on phones. Arrow keys move
 * between cells, Enter opens the link of a cell or row.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { id, label, columns, rows, keyOf, order = '', empty, maxHeight } = props;
  const name = `${id}.sort`;
  const sort = parseSort(query.value.get(name) ?? order);
  const sorted = sortRows(rows, columns.find(({ key }) => key === sort?.key)?.sortBy, sort);
  const setSort = ({ key, isDescending }: Sort): void => {
    const value = `${isDescending ? '-' : ''}${key}`;
    setQuery({ [name]: value === order ? undefined : value });
  };
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <section
      class="table-frame"
      aria-label={`Table: ${label}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard
      tabIndex={0}
      onKeyDown={moveFocus}
      style={maxHeight === undefined ? {} : { maxHeight: `${maxHeight}px` }}
    >
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} sort={sort} onSort={setSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ key, title, isNumber, cell }) => (
                <td key={key} class={isNumber ? 'numeric' : ''} data-title={title} tabIndex={-1}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type HeaderProps<Row> = {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort) => void;
};

function HeaderCell<Row>({ column, sort, onSort }: HeaderProps<Row>) {
  const { key, title, hint, isNumber, sortBy } = column;
  const isSorted = sort?.key === key;
  const direction = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none';
  return (
    <th
      scope="col"
      class={isNumber ? 'numeric' : ''}
      aria-sort={sortBy === undefined ? undefined : direction}
      data-hint={hint}
    >
      {sortBy === undefined ? (
        title
      ) : (
        <button type="button" onClick={() => onSort(nextSort(sort, key, isNumber === true))}>
          {title}
          <span class="sort-mark" aria-hidden="true">
            {isSorted ? (sort.isDescending ? '↓' : '↑') : ''}
          </span>
        </button>
      )}
    </th>
  );
}
