import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { type Slot, toSlot, toUnixSeconds, type UnixSeconds } from '../../../base/time.ts';
import { buildCallTree, type Call, inferStackHeights, parseInnerCalls } from './call-tree.ts';
import { parseSignedMessage } from './json-message.ts';
import {
  isAbsent,
  type JsonObject,
  malformedTransaction,
  toJsonAddress,
  toJsonArray,
  toJsonInteger,
  toJsonObject,
  toJsonString,
} from './json-values.ts';
import { accountsOfMessage, type LoadedAddresses, type MessageAccount } from './message.ts';
import { parseTokenBalances, type TokenBalance } from './token-balances.ts';
import { parseTransactionError, type TransactionError } from './transaction-error.ts';

/** A validated confirmed transaction with resolved accounts. */
export type Transaction = {
  readonly signature: string;
  readonly slot: Slot;
  /** Undefined if the node does not have it. */
  readonly blockTime: UnixSeconds | undefined;
  readonly version: 'legacy' | 0;
  /** A failed transaction changed only the fee. Its calls are those up to the failure. */
  readonly error: TransactionError | undefined;
  readonly fee: Lamports;
  readonly computeUnits: bigint | undefined;
  readonly accounts: readonly MessageAccount[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  readonly logs: readonly string[];
  readonly calls: readonly Call[];
  /** False if the node did not record inner instructions. */
  readonly hasInnerCalls: boolean;
};

/** Parses the result of `getTransaction` in the encodings json, base64 and base58. */
export function parseTransaction(response: unknown): Transaction {
  const root = toJsonObject(response, 'the response');
  const meta = toJsonObject(root['meta'], 'meta');
  const { signatures, message } = parseSignedMessage(root['transaction'], root['version']);
  const accounts = accountsOfMessage(message, parseLoadedAddresses(meta['loadedAddresses']));
  const keys = accounts.map(({ address }) => address);
  const logs = parseLogs(meta['logMessages']);
  const inner = parseInnerCalls(meta['innerInstructions'], message.instructions.length);
  const innerCalls = inferStackHeights(inner ?? new Map(), { message, keys, logs });
  return {
    signature: signatures[0] ?? '',
    slot: toSlot(toJsonInteger(root['slot'], 'slot')),
    blockTime: parseBlockTime(root['blockTime']),
    version: message.version,
    ...parseOutcome(meta, message.instructions.length),
    accounts,
    preTokenBalances: parseTokenBalances(meta['preTokenBalances'], keys),
    postTokenBalances: parseTokenBalances(meta['postTokenBalances'], keys),
    logs,
    calls: message.instructions.map((instruction, i) =>
      buildCallTree(i, [instruction, ...(innerCalls.get(i) ?? [])], keys),
    ),
    hasInnerCalls: inner !== undefined,
  };
}

function parseOutcome(
  meta: JsonObject,
  instructions: number,
): Pick<Transaction, 'error' | 'fee' | 'computeUnits'> {
  const error = parseTransactionError(meta['err']);
  if (error !== undefined && error.kind !== 'transaction' && error.index >= instructions) {
    throw malformedTransaction('the index of the failed instruction is invalid');
  }
  const units = meta['computeUnitsConsumed'];
  return {
    error,
    fee: toLamports(toJsonInteger(meta['fee'], 'meta.fee')),
    computeUnits: isAbsent(units) ? undefined : toJsonInteger(units, 'meta.computeUnitsConsumed'),
  };
}

/** Some nodes omit the loaded addresses of legacy transactions. */
function parseLoadedAddresses(value: unknown): LoadedAddresses {
  if (isAbsent(value)) return { writable: [], readonly: [] };
  const loaded = toJsonObject(value, 'loadedAddresses');
  const keys = (name: string) =>
    toJsonArray(loaded[name], `loadedAddresses.${name}`).map((key) =>
      toJsonAddress(key, 'a loaded key'),
    );
  return { writable: keys('writable'), readonly: keys('readonly') };
}

function parseLogs(value: unknown): string[] {
  if (isAbsent(value)) return [];
  return toJsonArray(value, 'logMessages').map((line) => toJsonString(line, 'a log line'));
}

function parseBlockTime(value: unknown): UnixSeconds | undefined {
  return isAbsent(value) ? undefined : toUnixSeconds(toJsonInteger(value, 'blockTime'));
}
