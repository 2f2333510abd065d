import type { Slot } from '@tidegate/core/base';
import { resolveInstructions } from '../../runtime/transactions/message-instructions.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import { memoText } from '../encoding/parsed-instruction.ts';
import {
  encodeTransaction,
  readTransactionEncoding,
  readTransactionOptions,
} from '../encoding/transaction-encoding.ts';
import { encodeStatus } from '../encoding/transaction-meta.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import {
  readAddress,
  readArguments,
  readArray,
  readBoolean,
  readConfigParam,
  readInteger,
  readOptional,
  readSignature,
  readVariant,
  requireField,
} from '../params.ts';
import { confirmedViewFor, readCommitment, withContext } from '../request-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';

const MAX_SIGNATURES = 1_000;
const MAX_STATUSES = 256;
/** Slots of which a node knows the outcome of transactions without looking at its history. */
const REMEMBERED_SLOTS = 300n;

export function getTransaction(endpoint: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const signature = readSignature(key);
  const { config, form } = readEncodingParam(options, readTransactionOptions);
  const { slot } = confirmedViewFor(endpoint, { commitment: config['commitment'] }).time;
  const record = visible(endpoint, signature, slot);
  if (record === undefined) return null;
  const { time } = record;
  return { slot: time.slot, blockTime: time.unix, ...encodeTransaction(record, form) };
}

/** Settings, or only an encoding as in former times. */
export function readEncodingParam<Form>(
  value: unknown,
  readForm: (config: JsonObject) => Form,
): { readonly config: JsonObject; readonly form: Form } {
  return readVariant('RpcEncodingConfigWrapper', () => {
    const encoding = isObject(value) ? undefined : readOptional(value, readTransactionEncoding);
    const config = isObject(value) ? value : { encoding };
    readCommitment(config);
    return { config, form: readForm(config) };
  });
}

/** Newest first. */
export function getSignaturesForAddress(endpoint: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const address = readAddress(key);
  const config = readConfigParam(options, 'RpcSignaturesForAddressConfig');
  const before = readOptional(config['before'], readSignature);
  const until = readOptional(config['until'], readSignature);
  const limit =
    readOptional(config['limit'], (value) => readInteger(value, 'usize')) ?? MAX_SIGNATURES;
  if (limit === 0 || limit > MAX_SIGNATURES) {
    throw invalidParams(`Invalid limit; max ${MAX_SIGNATURES}`);
  }
  const { slot } = confirmedViewFor(endpoint, config).time;
  if (before !== undefined && visible(endpoint, before, slot) === undefined) return [];
  const range = { ...(before && { before }), ...(until && { until }) };
  const found: Json[] = [];
  for (const record of endpoint.transactions.ledger.forAddress(address, range)) {
    if (found.length === limit) break;
    if (record.time.slot <= slot) found.push(encodeListed(endpoint, record));
  }
  return found;
}

function encodeListed(endpoint: RpcNode, record: TransactionRecord): Json {
  const { signature, time, error, message, accounts } = record;
  return {
    signature,
    slot: time.slot,
    err: error ?? null,
    memo: memoText(resolveInstructions(message, accounts)) ?? null,
    blockTime: time.unix,
    confirmationStatus: confirmationStatus(endpoint, time.slot),
  };
}

export function getSignatureStatuses(endpoint: RpcNode, params: unknown): Json {
  const [keys, options] = readArguments(params, { least: 1, most: 2 });
  const given = readArray(keys);
  const isSearched = readOptional(options, (value) =>
    readBoolean(
      requireField(readConfigParam(value, 'RpcSignatureStatusConfig'), 'searchTransactionHistory'),
    ),
  );
  if (given.length > MAX_STATUSES) {
    throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`);
  }
  const view = endpoint.view('processed');
  const { slot } = view.time;
  const statuses = given.map(readSignature).map((signature): Json => {
    const record = visible(endpoint, signature, slot);
    const isRemembered = record !== undefined && record.time.slot > slot - REMEMBERED_SLOTS;
    return record && (isRemembered || isSearched) ? encodeConfirmed(endpoint, record) : null;
  });
  return withContext(view, statuses);
}

function encodeConfirmed(endpoint: RpcNode, record: TransactionRecord): Json {
  const { slot } = record.time;
  const status = confirmationStatus(endpoint, slot);
  return {
    slot,
    confirmations: status === 'finalized' ? null : endpoint.slot('processed') - slot,
    status: encodeStatus(record),
    err: record.error ?? null,
    confirmationStatus: status,
  };
}

/** What this node has seen by a slot. */
function visible(
  { transactions }: RpcNode,
  signature: string,
  slot: Slot,
): TransactionRecord | undefined {
  const record = transactions.ledger.find(signature);
  return record !== undefined && record.time.slot <= slot ? record : undefined;
}

const confirmationStatus = (endpoint: RpcNode, slot: Slot) =>
  (['finalized', 'confirmed'] as const).find((commitment) => slot <= endpoint.slot(commitment)) ??
  'processed';
