import type { Address, Instruction, Slot } from '@tidegate/core/base';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  usableLookupAddresses,
} from '@tidegate/core/protocol/spl';
import { addressLookupTable } from '@tidegate/core/protocol/spl/layout';
import {
  type AddressLookup,
  accountsOfMessage,
  type LoadedAddresses,
  type Message,
  type MessageAccount,
  transactionFee,
} from '@tidegate/core/protocol/spl/transaction';
import type { AccountReader } from '../transaction-accounts.ts';
import type { TransactionError } from '../transaction-errors.ts';
import { readTransactionBudget } from './compute-budget.ts';
import { resolveInstructions } from './message-instructions.ts';
import type { ReceivedTransaction } from './received-transaction.ts';
import { isReservedAccount } from './reserved-accounts.ts';

/** A transaction with its resolved accounts and instructions. */
export type LoadedTransaction = ReceivedTransaction & {
  readonly loaded: LoadedAddresses;
  /** In index order, with the write access that the runtime grants. */
  readonly accounts: readonly MessageAccount[];
  readonly instructions: readonly Instruction[];
  readonly unitLimit: number;
  readonly fee: bigint;
};

const MAX_LOCKS = 64;

/**
 * Resolves a transaction, or returns the error that a node rejects it with. `slot` is the open
 * slot.
 */
export function loadTransaction(
  received: ReceivedTransaction,
  bank: AccountReader,
  slot: Slot,
): LoadedTransaction | TransactionError {
  const { message, signatures } = received;
  const loaded = loadAddresses(message.lookups, bank, slot);
  if ('error' in loaded) return loaded.error;
  const accounts = resolveAccounts(message, loaded);
  const addresses = new Set(accounts.map(({ address }) => address));
  if (accounts.length > MAX_LOCKS) return 'TooManyAccountLocks';
  if (addresses.size < accounts.length) return 'AccountLoadedTwice';
  const instructions = resolveInstructions(message, accounts);
  const budget = readTransactionBudget(instructions);
  if (!isBudget(budget)) return budget;
  const { unitLimit, requestedLimit, unitPrice } = budget;
  const { base, priority } = transactionFee({
    signatures: signatures.length,
    instructions: instructions.filter(
      (instruction) => instruction.programAddress !== COMPUTE_BUDGET_PROGRAM,
    ).length,
    unitLimit: requestedLimit,
    unitPrice,
  });
  return { ...received, loaded, accounts, instructions, unitLimit, fee: base + priority };
}

/** In index order. Reserved accounts and called programs are never writable. */
export function resolveAccounts(message: Message, loaded: LoadedAddresses): MessageAccount[] {
  const calledPrograms = new Set(
    message.instructions.map(({ programIndex }) => message.staticKeys[programIndex]),
  );
  return accountsOfMessage(message, loaded).map((account) => ({
    ...account,
    isWritable:
      account.isWritable &&
      !isReservedAccount(account.address) &&
      !calledPrograms.has(account.address),
  }));
}

type LoadError = { readonly error: TransactionError };

const isBudget = (
  budget: ReturnType<typeof readTransactionBudget>,
): budget is Exclude<ReturnType<typeof readTransactionBudget>, TransactionError> =>
  typeof budget === 'object' && 'unitLimit' in budget;

function loadAddresses(
  lookups: readonly AddressLookup[],
  bank: AccountReader,
  slot: Slot,
): LoadedAddresses | LoadError {
  const writable: Address[] = [];
  const readonlyAddresses: Address[] = [];
  for (const { table, writableIndexes, readonlyIndexes } of lookups) {
    const addresses = tableAddresses(table, bank, slot);
    if ('error' in addresses) return addresses;
    for (const [indexes, target] of [
      [writableIndexes, writable],
      [readonlyIndexes, readonlyAddresses],
    ] as const) {
      const found = indexes.flatMap((index) => addresses[index] ?? []);
      if (found.length < indexes.length) return { error: 'InvalidAddressLookupTableIndex' };
      target.push(...found);
    }
  }
  return { writable, readonly: readonlyAddresses };
}

function tableAddresses(
  address: Address,
  bank: AccountReader,
  slot: Slot,
): readonly Address[] | LoadError {
  const account = bank.account(address);
  if (account === undefined) return { error: 'AddressLookupTableNotFound' };
  if (account.owner !== ADDRESS_LOOKUP_TABLE_PROGRAM) {
    return { error: 'InvalidAddressLookupTableOwner' };
  }
  if (!addressLookupTable.matches(account)) return { error: 'InvalidAddressLookupTableData' };
  return usableLookupAddresses(addressLookupTable.decode(account), slot);
}
