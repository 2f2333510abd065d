import type { NumberSource, NumberText } from '../../format/number.ts';

/** One figure before and after. */
export type ChangeRow = {
  readonly name: string;
  readonly hint?: string;
  /** Undefined if it is not known or does not exist. */
  readonly values: readonly (NumberText | undefined)[];
  /** Why a value is missing. */
  readonly reason: string;
  /** Whether the text differs. For a value in dollars, whether an amount does: prices move with every slot. */
  readonly isChanged: boolean;
};

/** How a figure is read from a loan or a position. */
export type Figure<Item> = Pick<ChangeRow, 'name' | 'hint' | 'reason'> & {
  readonly read: (item: Item) => NumberSource | undefined;
  readonly format: (value: NumberSource) => NumberText;
};

/** A figure of something at several times, one column each. Null or undefined if it does not exist. */
export function toChangeRow<Item>(
  { read, format, ...texts }: Figure<Item>,
  items: readonly (Item | null | undefined)[],
): ChangeRow {
  const values = items.map((item) => {
    const value = item == null ? undefined : read(item);
    return value === undefined ? undefined : format(value);
  });
  return { ...texts, values, isChanged: new Set(values.map((value) => value?.short)).size > 1 };
}
