import type { Address } from '../base/encoding/address.ts';

/** The items of each group, in their order. The groups are made again when the list is another one. */
export function createCachedGrouping<Item>(
  list: () => readonly Item[],
  groupOf: (item: Item) => Address,
): (group: Address) => readonly Item[] {
  let from: readonly Item[] = [];
  let groups = new Map<Address, Item[]>();
  return (group) => {
    const items = list();
    if (items !== from) {
      groups = new Map();
      for (const item of items) {
        const name = groupOf(item);
        const members = groups.get(name);
        if (members === undefined) groups.set(name, [item]);
        else members.push(item);
      }
      from = items;
    }
    return groups.get(group) ?? [];
  };
}
