import type { Address } from '../base/encoding/address.ts';

/** Groups the items of a list in order. Regroups when `list` returns another array. */
export function createCachedGrouping<Item>(
  list: () => readonly Item[],
  groupOf: (item: Item) => Address,
): (group: Address) => readonly Item[] {
  let source: readonly Item[] = [];
  let groups = new Map<Address, Item[]>();
  return (group) => {
    const items = list();
    if (items !== source) {
      groups = new Map();
      for (const item of items) {
        const key = groupOf(item);
        const members = groups.get(key);
        if (members === undefined) groups.set(key, [item]);
        else members.push(item);
      }
      source = items;
    }
    return groups.get(group) ?? [];
  };
}
