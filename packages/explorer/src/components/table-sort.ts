export type Sort = { readonly key: string; readonly isDescending: boolean };

/** A decimal string counts as a number. */
export type SortValue = string | number | null | undefined;

/** `-supplied` is descending; undefined for an empty text. */
export function parseSort(text: string): Sort | undefined {
  const key = text.replace(/^-/, '');
  return key === '' ? undefined : { key, isDescending: text.startsWith('-') };
}

/** Another click turns the order around; numbers start with the largest. */
export const nextSort = (sort: Sort | undefined, key: string, isNumber: boolean): Sort => ({
  key,
  isDescending: sort?.key === key ? !sort.isDescending : isNumber,
});

export function sortRows<Row>(
  rows: readonly Row[],
  sortBy: ((row: Row) => SortValue) | undefined,
  sort: Sort | undefined,
): readonly Row[] {
  if (sortBy === undefined || sort === undefined) return rows;
  const sign = sort.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => compare(sortBy(a), sortBy(b), sign));
}

/** Unknown values are last in both directions. */
function compare(a: SortValue, b: SortValue, sign: number): number {
  const isKnownA = a !== undefined && a !== null;
  const isKnownB = b !== undefined && b !== null;
  if (!isKnownA || !isKnownB) return Number(isKnownB) - Number(isKnownA);
  const [left, right] = [Number(a), Number(b)];
  if (Number.isNaN(left) || Number.isNaN(right)) return sign * String(a).localeCompare(String(b));
  return sign * (left - right);
}
