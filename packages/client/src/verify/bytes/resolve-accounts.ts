import type { Reason, ReasonCode } from '../reasons.ts';
import type { ParsedTransaction } from './parse-transaction.ts';

/** Contents of lookup tables: all entries of a table, in their order. */
export type LookupTables = Readonly<Record<string, readonly string[]>>;

/** An account of the message. The address is undefined if the table that has it is not known. */
export type MessageAccount = {
  readonly address: string | undefined;
  readonly isWritable: boolean;
  readonly isSigner: boolean;
};

export type ResolvedAccounts = {
  readonly accounts: readonly MessageAccount[];
  readonly reasons: readonly Reason[];
  readonly missingTables: readonly string[];
};

/** Lists the accounts in the order of their indexes: static, loaded writable, loaded read-only. */
export function resolveAccounts(
  transaction: ParsedTransaction,
  tables: LookupTables,
): ResolvedAccounts {
  const { lookups } = transaction;
  const missingTables = lookups
    .map(({ table }) => table)
    .filter((table) => !Object.hasOwn(tables, table));
  const reasons: Reason[] = [];
  const load = (isWritable: boolean): MessageAccount[] =>
    lookups.flatMap(({ table, writableIndexes, readonlyIndexes }) =>
      (isWritable ? writableIndexes : readonlyIndexes).map((index) => {
        const entries = Object.hasOwn(tables, table) ? tables[table] : undefined;
        const address = entries?.[index];
        if (entries !== undefined && address === undefined) {
          reasons.push(
            reason('INVALID_LOOKUP', `The lookup table ${table} has no entry ${index}.`),
          );
        }
        return { address, isWritable, isSigner: false };
      }),
    );
  const accounts = [...staticAccounts(transaction), ...load(true), ...load(false)];
  reasons.push(...structureReasons(transaction), ...repetitionReasons(accounts));
  return { accounts, reasons, missingTables };
}

function staticAccounts(transaction: ParsedTransaction): MessageAccount[] {
  const { staticKeys, requiredSignatures, readonlySigners, readonlyOthers } = transaction;
  return staticKeys.map((address, index) => {
    const isSigner = index < requiredSignatures;
    const isWritable = isSigner
      ? index < requiredSignatures - readonlySigners
      : index < staticKeys.length - readonlyOthers;
    return { address, isWritable, isSigner };
  });
}

/** What the cluster rejects before it runs anything. */
function structureReasons(transaction: ParsedTransaction): Reason[] {
  const { staticKeys, requiredSignatures, readonlySigners, readonlyOthers } = transaction;
  const loaded = transaction.lookups.reduce(
    (sum, { writableIndexes, readonlyIndexes }) =>
      sum + writableIndexes.length + readonlyIndexes.length,
    0,
  );
  const count = staticKeys.length + loaded;
  const reasons: Reason[] = [];
  const check = (isValid: boolean, message: string) => {
    if (!isValid) reasons.push(reason('MALFORMED_TRANSACTION', message));
  };
  check(
    transaction.signatures === requiredSignatures,
    `The transaction has ${transaction.signatures} signatures and needs ${requiredSignatures}.`,
  );
  const isHeaderValid =
    requiredSignatures > readonlySigners &&
    requiredSignatures + readonlyOthers <= staticKeys.length;
  check(isHeaderValid, 'The header of the message does not fit its accounts.');
  const isIndexed = transaction.instructions.every(
    ({ programIndex, accountIndexes }) =>
      programIndex > 0 &&
      programIndex < staticKeys.length &&
      accountIndexes.every((index) => index < count),
  );
  check(isIndexed, 'An instruction names an account or program that the message does not have.');
  const isLoading = transaction.lookups.every(
    ({ writableIndexes, readonlyIndexes }) => writableIndexes.length + readonlyIndexes.length > 0,
  );
  check(isLoading, 'A lookup loads nothing.');
  return reasons;
}

function repetitionReasons(accounts: readonly MessageAccount[]): Reason[] {
  const seen = new Set<string>();
  return accounts.flatMap(({ address }) => {
    if (address === undefined) return [];
    if (seen.has(address)) {
      return reason('REPEATED_ACCOUNT', `The message names the account ${address} twice.`);
    }
    seen.add(address);
    return [];
  });
}

const reason = (code: ReasonCode, message: string): Reason => ({ code, message });
