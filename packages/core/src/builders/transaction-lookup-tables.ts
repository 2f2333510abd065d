import type { Address } from '../base/encoding/address.ts';
import type { Instruction } from '../base/solana/instruction.ts';
import { accountRoles } from './account-roles.ts';
import type { LookupTable } from './build.ts';

/** A table that is used costs its key and two counts; an address that it gives is a byte instead of a key. */
const TABLE_BYTES = 32 + 1 + 1;
const SAVED_BYTES = 32 - 1;

/** What of the transaction a table could give. */
type Offer = { readonly table: LookupTable; readonly gives: ReadonlySet<Address> };

type Choice = { readonly tables: readonly LookupTable[]; readonly saves: number };

/**
 * Of a few tables those that together make the transaction smallest, in the order given. Of two choices of equal
 * size the one with the earlier tables.
 */
export function selectTransactionLookupTables(
  tables: readonly LookupTable[],
  instructions: readonly Instruction[],
  wallet: Address,
): readonly LookupTable[] {
  const { loadable } = accountRoles(wallet, instructions);
  const offers = tables
    .map((table) => ({ table, gives: given(table, loadable) }))
    .filter(({ gives }) => gives.size * SAVED_BYTES > TABLE_BYTES);
  return best(offers, new Set()).tables;
}

const given = ({ addresses }: LookupTable, loadable: ReadonlySet<Address>): Set<Address> =>
  new Set(addresses.filter((address) => loadable.has(address)));

/** `taken`: what the tables chosen before give already. */
function best([first, ...rest]: readonly Offer[], taken: ReadonlySet<Address>): Choice {
  if (first === undefined) return { tables: [], saves: 0 };
  const without = best(rest, taken);
  const all = new Set([...taken, ...first.gives]);
  const after = best(rest, all);
  const saves = (all.size - taken.size) * SAVED_BYTES - TABLE_BYTES + after.saves;
  const using: Choice = { tables: [first.table, ...after.tables], saves };
  return using.saves >= without.saves ? using : without;
}
