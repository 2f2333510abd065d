import type { Address } from '@tidegate/core/base';
import { countAccounts } from '@tidegate/core/protocol/spl/transaction';
import type { BankView } from '../../runtime/bank.ts';
import type { TransactionError } from '../../runtime/transaction-errors.ts';
import { loadTransaction } from '../../runtime/transactions/load-transaction.ts';
import type { ReceivedTransaction } from '../../runtime/transactions/received-transaction.ts';
import type { ProcessingResult } from '../../runtime/transactions/transaction-processor.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import { encodeAccount, readAccountEncoding } from '../encoding/account-encoding.ts';
import { transactionErrorMessage } from '../encoding/error-message.ts';
import { encodeTokenBalances, parseInnerInstructions } from '../encoding/transaction-meta.ts';
import type { Json, JsonFields, JsonObject } from '../json.ts';
import { readAddress, readArray, readObject, requireField } from '../params.ts';
import { invalidParams } from '../rpc-errors.ts';

/** What is counted for an account that is loaded, beside its data, and for a table that is looked into. */
const BYTES_OF_ACCOUNT = 64;
const BYTES_OF_TABLE = 8_248;

/** Found before anything is run: a table that gives no addresses, or a budget that is not to be understood. */
const FOUND_EARLY: readonly TransactionError[] = [
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidAddressLookupTableOwner',
];

/** Refuses what a node does not even try to run. */
export function requireLoadable(received: ReceivedTransaction, view: BankView): void {
  const loaded = loadTransaction(received, view, view.time.slot);
  if (typeof loaded === 'object' && 'wire' in loaded) return;
  const isEarly = typeof loaded === 'object' || FOUND_EARLY.includes(loaded);
  if (isEarly) throw invalidParams(`invalid transaction: ${transactionErrorMessage(loaded)}`);
}

/** What a node tells of a simulation, without what only some ask for. */
export function encodeSimulation(processed: ProcessingResult, view: BankView): JsonFields {
  const isRun = processed.kind === 'run';
  return {
    err: (isRun ? processed.record.error : processed.error) ?? null,
    logs: isRun ? processed.record.logs : [],
    accounts: null,
    unitsConsumed: isRun ? processed.record.units : 0,
    loadedAccountsDataSize: isRun ? loadedBytes(processed.record, view) : 0,
    returnData: null,
    innerInstructions: null,
    replacementBlockhash: null,
    fee: isRun ? processed.record.fee : null,
    preBalances: null,
    postBalances: null,
    preTokenBalances: null,
    postTokenBalances: null,
    loadedAddresses: null,
  };
}

export function encodeBalances(processed: ProcessingResult): JsonFields {
  if (processed.kind !== 'run') return {};
  const { preBalances, postBalances, preTokenBalances, postTokenBalances, loaded } =
    processed.record;
  return {
    preBalances,
    postBalances,
    preTokenBalances: encodeTokenBalances(preTokenBalances, 0),
    postTokenBalances: encodeTokenBalances(postTokenBalances, 0),
    loadedAddresses: loaded,
  };
}

/** Always in words, whatever is asked for elsewhere. */
export const encodeInnerInstructions = (processed: ProcessingResult): Json =>
  processed.kind === 'run' ? parseInnerInstructions(processed.record) : null;

/** The accounts that are asked for, as they would be afterwards; nothing of any where it fails. */
export function readSimulatedAccounts(
  value: unknown,
  { message }: ReceivedTransaction,
): (processed: ProcessingResult, view: BankView) => Json {
  const config = readObject(value, 'struct RpcSimulateTransactionAccountsConfig');
  const given = readArray(requireField(config, 'addresses'));
  const form = readAccountEncoding(withoutSlice(config), 'base64');
  if (form.encoding === 'binary' || form.encoding === 'base58') {
    throw invalidParams('base58 encoding not supported');
  }
  const most = countAccounts(message);
  if (given.length > most) throw invalidParams(`Too many accounts provided; max ${most}`);
  const addresses = given.map(readAddress);
  return (processed, view) => {
    if (processed.kind !== 'run' || processed.record.error !== undefined) {
      return addresses.map(() => null);
    }
    const after = viewAfter(processed.changes, view);
    return addresses.map((address): Json => {
      const account = after.account(address);
      return account === undefined ? null : encodeAccount({ address, account }, form, after);
    });
  };
}

const withoutSlice = ({ dataSlice: _, ...config }: JsonObject): JsonObject => config;

function viewAfter(
  changes: Extract<ProcessingResult, { kind: 'run' }>['changes'],
  view: BankView,
): BankView {
  const account = (address: Address) =>
    changes.has(address) ? changes.get(address) : view.account(address);
  return { ...view, account };
}

function loadedBytes({ accounts, message }: TransactionRecord, view: BankView): number {
  const bytes = accounts.map(({ address }) => {
    const account = view.account(address);
    return account === undefined ? 0 : account.data.length + BYTES_OF_ACCOUNT;
  });
  return bytes.reduce((sum, size) => sum + size, message.lookups.length * BYTES_OF_TABLE);
}
