import type { Address } from '@tidegate/core/base';
import { countAccounts } from '@tidegate/core/protocol/spl/transaction';
import type { BankView } from '../../runtime/bank.ts';
import type { TransactionError } from '../../runtime/transaction-errors.ts';
import { loadTransaction } from '../../runtime/transactions/load-transaction.ts';
import type { ReceivedTransaction } from '../../runtime/transactions/received-transaction.ts';
import type { Processed } from '../../runtime/transactions/transaction-processor.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import { encodeAccount, readAccountForm } from '../encoding/account-encoding.ts';
import { errorWords } from '../encoding/error-message.ts';
import { encodeTokens, parseInner } from '../encoding/transaction-meta.ts';
import type { Json, JsonMembers, JsonObject } from '../json.ts';
import { readAddress, readList, readObject, required } from '../params.ts';
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
export function checkSense(received: ReceivedTransaction, view: BankView): void {
  const loaded = loadTransaction(received, view, view.time.slot);
  if (typeof loaded === 'object' && 'wire' in loaded) return;
  const isEarly = typeof loaded === 'object' || FOUND_EARLY.includes(loaded);
  if (isEarly) throw invalidParams(`invalid transaction: ${errorWords(loaded)}`);
}

/** What a node tells of a simulation, without what only some ask for. */
export function encodeSimulation(processed: Processed, view: BankView): JsonMembers {
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

export function encodeBalances(processed: Processed): JsonMembers {
  if (processed.kind !== 'run') return {};
  const { preBalances, postBalances, preTokenBalances, postTokenBalances, loaded } =
    processed.record;
  return {
    preBalances,
    postBalances,
    preTokenBalances: encodeTokens(preTokenBalances, 0),
    postTokenBalances: encodeTokens(postTokenBalances, 0),
    loadedAddresses: loaded,
  };
}

/** Always in words, whatever is asked for elsewhere. */
export const encodeSimulatedCalls = (processed: Processed): Json =>
  processed.kind === 'run' ? parseInner(processed.record) : null;

/** The accounts that are asked for, as they would be afterwards; nothing of any where it fails. */
export function simulatedAccounts(
  value: unknown,
  { message }: ReceivedTransaction,
): (processed: Processed, view: BankView) => Json {
  const config = readObject(value, 'struct RpcSimulateTransactionAccountsConfig');
  const given = readList(required(config, 'addresses'));
  const form = readAccountForm(withoutSlice(config), 'base64');
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
  changes: Extract<Processed, { kind: 'run' }>['changes'],
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
