import type { Address } from '../base/encoding/address.ts';
import type { Instruction } from '../base/solana/instruction.ts';
import { accountRoles } from './account-roles.ts';
import type { LookupTable } from './build.ts';

/**
 * A used table costs its key and two counts; each address it supplies is one byte instead of a key.
 */
const TABLE_BYTES = 32 + 1 + 1;
const SAVED_BYTES = 32 - 1;

/** A table and the accounts of the transaction that it holds. */
type Candidate = { readonly table: LookupTable; readonly supplies: ReadonlySet<Address> };

type Choice = { readonly tables: readonly LookupTable[]; readonly saves: number };

/**
 * Selects the tables that together make the transaction smallest, in the given order. Of two equal
 * selections, prefers the one with the earlier tables.
 */
export function selectTransactionLookupTables(
  tables: readonly LookupTable[],
  instructions: readonly Instruction[],
  wallet: Address,
): readonly LookupTable[] {
  const { loadable } = accountRoles(wallet, instructions);
  const candidates = tables
    .map((table) => ({ table, supplies: suppliedBy(table, loadable) }))
    .filter(({ supplies }) => supplies.size * SAVED_BYTES > TABLE_BYTES);
  return bestChoice(candidates, new Set()).tables;
}

const suppliedBy = ({ addresses }: LookupTable, loadable: ReadonlySet<Address>): Set<Address> =>
  new Set(addresses.filter((address) => loadable.has(address)));

/** `supplied`: accounts that the tables chosen before supply. */
function bestChoice(
  [first, ...rest]: readonly Candidate[],
  supplied: ReadonlySet<Address>,
): Choice {
  if (first === undefined) return { tables: [], saves: 0 };
  const without = bestChoice(rest, supplied);
  const all = new Set([...supplied, ...first.supplies]);
  const after = bestChoice(rest, all);
  const saves = (all.size - supplied.size) * SAVED_BYTES - TABLE_BYTES + after.saves;
  const using: Choice = { tables: [first.table, ...after.tables], saves };
  return using.saves >= without.saves ? using : without;
}
