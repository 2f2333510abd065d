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

/** Bytes counted per loaded account beside its data, and per lookup table. */
const BYTES_PER_ACCOUNT = 64;
const BYTES_PER_TABLE = 8_248;

/** Detected before execution: a lookup table without the addresses, or a malformed budget. */
const EARLY_ERRORS: readonly TransactionError[] = [
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidAddressLookupTableOwner',
];

/** Rejects transactions that a node does not execute. */
export function requireLoadable(received: ReceivedTransaction, view: BankView): void {
  const loaded = loadTransaction(received, view, view.time.slot);
  if (typeof loaded === 'object' && 'wire' in loaded) return;
  const isEarly = typeof loaded === 'object' || EARLY_ERRORS.includes(loaded);
  if (isEarly) throw invalidParams(`invalid transaction: ${transactionErrorMessage(loaded)}`);
}

/** The common part of a simulation response. */
export function encodeSimulation(result: ProcessingResult, view: BankView): JsonFields {
  const isRun = result.kind === 'run';
  return {
    err: (isRun ? result.record.error : result.error) ?? null,
    logs: isRun ? result.record.logs : [],
    accounts: null,
    unitsConsumed: isRun ? result.record.units : 0,
    loadedAccountsDataSize: isRun ? loadedBytes(result.record, view) : 0,
    returnData: null,
    innerInstructions: null,
    replacementBlockhash: null,
    fee: isRun ? result.record.fee : null,
    preBalances: null,
    postBalances: null,
    preTokenBalances: null,
    postTokenBalances: null,
    loadedAddresses: null,
  };
}

export function encodeBalances(result: ProcessingResult): JsonFields {
  if (result.kind !== 'run') return {};
  const { preBalances, postBalances, preTokenBalances, postTokenBalances, loaded } = result.record;
  return {
    preBalances,
    postBalances,
    preTokenBalances: encodeTokenBalances(preTokenBalances, 0),
    postTokenBalances: encodeTokenBalances(postTokenBalances, 0),
    loadedAddresses: loaded,
  };
}

/** Always in parsed form. */
export const encodeInnerInstructions = (result: ProcessingResult): Json =>
  result.kind === 'run' ? parseInnerInstructions(result.record) : null;

/** The requested accounts after the transaction; null for all if it fails. */
export function readSimulatedAccounts(
  value: unknown,
  { message }: ReceivedTransaction,
): (result: ProcessingResult, view: BankView) => Json {
  const config = readObject(value, 'struct RpcSimulateTransactionAccountsConfig');
  const keys = readArray(requireField(config, 'addresses'));
  const encoding = readAccountEncoding(withoutSlice(config), 'base64');
  if (encoding.encoding === 'binary' || encoding.encoding === 'base58') {
    throw invalidParams('base58 encoding not supported');
  }
  const maxAccounts = countAccounts(message);
  if (keys.length > maxAccounts)
    throw invalidParams(`Too many accounts provided; max ${maxAccounts}`);
  const addresses = keys.map(readAddress);
  return (result, view) => {
    if (result.kind !== 'run' || result.record.error !== undefined) {
      return addresses.map(() => null);
    }
    const after = viewAfter(result.changes, view);
    return addresses.map((address): Json => {
      const account = after.account(address);
      return account === undefined ? null : encodeAccount({ address, account }, encoding, after);
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
    return account === undefined ? 0 : account.data.length + BYTES_PER_ACCOUNT;
  });
  return bytes.reduce((sum, size) => sum + size, message.lookups.length * BYTES_PER_TABLE);
}
