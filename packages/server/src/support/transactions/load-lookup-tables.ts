import {
  decodeLookupTable,
  type LoadedMessage,
  loadMessage,
  lookupTableAddresses,
  MAX_LOOKUP_TABLE_BYTES,
  type WireTransaction,
} from '@tidegate/core/views/transactions';
import type { Cluster } from '../../clusters/served-clusters.ts';

/** Reads lookup tables that the cluster state does not have. */
export async function loadLookupTables(
  wire: WireTransaction,
  cluster: Cluster,
): Promise<LoadedMessage> {
  const { reader } = cluster;
  const unknown = lookupTableAddresses(wire).filter(
    (table) => reader.lookupTable(table) === undefined,
  );
  if (unknown.length === 0) return loadMessage(wire, (table) => reader.lookupTable(table)?.fields);
  const { slot } = reader.at();
  const { accounts } = await cluster.readAccounts(unknown, slot, MAX_LOOKUP_TABLE_BYTES);
  return loadMessage(
    wire,
    (table) => reader.lookupTable(table)?.fields ?? decodeLookupTable(table, accounts.get(table)),
  );
}
