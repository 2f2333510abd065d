import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { addressLookupTable } from '#core/protocol/spl/layout/address-lookup-table.ts';
import { accountsOfMessage } from '#core/protocol/spl/transaction/message.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import { type Ran, runInstructions } from '#localnet/runtime/execute-instructions.ts';
import type { Programs } from '#localnet/runtime/program.ts';
import { LiveAccounts } from '#localnet/runtime/transaction-accounts.ts';
import { messageInstructions } from '#localnet/runtime/transactions/message-instructions.ts';
import type { PlacedFlow } from './flow-snapshots.ts';

export type FlowRun = Ran & { readonly changes: ReadonlyMap<Address, ClusterAccount | undefined> };

/** The recorded transactions of a golden flow, run by our programs on the accounts before it, without fees. */
export function runFlow({ flow, at, accounts }: PlacedFlow, programs: Programs): FlowRun {
  const live = new LiveAccounts({ account: (address) => accounts.get(address) });
  const [transaction] = flow.transactions;
  if (transaction === undefined) throw new Error(`${flow.name} has no transaction`);
  const { message } = decodeWireTransaction(Buffer.from(transaction.wire, 'base64'));
  const tables = message.lookups.map((lookup) => {
    const table = accounts.get(lookup.table);
    if (table === undefined) throw new Error(`no table ${lookup.table}`);
    const { addresses } = addressLookupTable.decode(table);
    const pick = (indexes: readonly number[]) => indexes.flatMap((i) => addresses[i] ?? []);
    return { writable: pick(lookup.writableIndexes), readonly: pick(lookup.readonlyIndexes) };
  });
  const loaded = {
    writable: tables.flatMap(({ writable }) => writable),
    readonly: tables.flatMap((table) => table.readonly),
  };
  const instructions = messageInstructions(message, accountsOfMessage(message, loaded));
  const ran = runInstructions({
    ...{ programs, accounts: live, time: at, instructions, unitLimit: 1_400_000 },
  });
  return { ...ran, changes: ran.error === undefined ? live.changes() : new Map() };
}
