const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [10, 0],
  PageUp: [-10, 0],
};

/** Moves the focus between the cells of a table; Enter opens the link of the cell, or else of its row. */
export function moveFocus(event: KeyboardEvent): void {
  const { currentTarget, target, key } = event;
  if (!(currentTarget instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
  const rows = [...currentTarget.querySelectorAll('tbody tr')];
  const cell = target.closest('td');
  if (key === 'Enter' && cell === target) {
    (cell.querySelector('a') ?? cell.closest('tr')?.querySelector('a'))?.click();
    return;
  }
  const next = cell === null ? firstCell(rows, target, key) : neighbour(rows, cell, key);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** The arrow down enters the table from its frame or header. */
function firstCell(
  rows: readonly Element[],
  target: HTMLElement,
  key: string,
): HTMLElement | undefined {
  if (key !== 'ArrowDown') return undefined;
  const header = target.closest('th');
  return cellAt(rows, 0, header === null ? 0 : header.cellIndex);
}

function neighbour(
  rows: readonly Element[],
  cell: HTMLTableCellElement,
  key: string,
): HTMLElement | undefined {
  const row = rows.findIndex((each) => each.contains(cell));
  const last = rows.length - 1;
  if (key === 'Home') return cellAt(rows, row, 0);
  if (key === 'End') return cellAt(rows, row, (cell.parentElement?.children.length ?? 1) - 1);
  const move = moves[key];
  if (move === undefined) return undefined;
  return cellAt(rows, Math.max(0, Math.min(last, row + move[0])), cell.cellIndex + move[1]);
}

function cellAt(rows: readonly Element[], row: number, column: number): HTMLElement | undefined {
  const cell = rows[row]?.children[column];
  return cell instanceof HTMLElement ? cell : undefined;
}
