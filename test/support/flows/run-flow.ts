import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { addressLookupTable } from '#core/protocol/spl/layout/address-lookup-table.ts';
import { accountsOfMessage } from '#core/protocol/spl/transaction/message.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import {
  type ExecutionResult,
  executeInstructions,
} from '#localnet/runtime/execute-instructions.ts';
import type { ProgramRegistry } from '#localnet/runtime/program.ts';
import { TransactionAccounts } from '#localnet/runtime/transaction-accounts.ts';
import { resolveInstructions } from '#localnet/runtime/transactions/message-instructions.ts';
import type { FlowSnapshot } from './flow-snapshots.ts';

export type FlowRun = ExecutionResult & {
  readonly changes: ReadonlyMap<Address, ClusterAccount | undefined>;
};

/**
 * Runs the first recorded transaction of a flow with our programs on the accounts before it,
 * without fees.
 */
export function runFlow({ flow, at, accounts }: FlowSnapshot, programs: ProgramRegistry): FlowRun {
  const live = new TransactionAccounts({ account: (address) => accounts.get(address) });
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
  const instructions = resolveInstructions(message, accountsOfMessage(message, loaded));
  const ran = executeInstructions({
    programs,
    accounts: live,
    time: at,
    instructions,
    unitLimit: 1_400_000,
  });
  return { ...ran, changes: ran.error === undefined ? live.changes() : new Map() };
}
