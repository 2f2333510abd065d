import type { Slot } from '@tidegate/core/base';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import type { TransactionSummary } from '../../runtime/transactions/transaction-summary.ts';
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
/** Slots whose transaction statuses a node has without searching its history. */
const REMEMBERED_SLOTS = 300n;

export function getTransaction(node: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const signature = readSignature(key);
  const { config, encoding } = readEncodingParam(options, readTransactionOptions);
  const { slot } = confirmedViewFor(node, { commitment: config['commitment'] }).time;
  const record = findVisible(node, signature, slot);
  if (record === undefined) return null;
  const { time } = record;
  return { slot: time.slot, blockTime: time.unix, ...encodeTransaction(record, encoding) };
}

/** A config, or only an encoding in the deprecated form. */
export function readEncodingParam<Options>(
  value: unknown,
  readOptions: (config: JsonObject) => Options,
): { readonly config: JsonObject; readonly encoding: Options } {
  return readVariant('RpcEncodingConfigWrapper', () => {
    const encoding = isObject(value) ? undefined : readOptional(value, readTransactionEncoding);
    const config = isObject(value) ? value : { encoding };
    readCommitment(config);
    return { config, encoding: readOptions(config) };
  });
}

/** Newest first. */
export function getSignaturesForAddress(node: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const address = readAddress(key);
  const config = readConfigParam(options, 'RpcSignaturesForAddressConfig');
  const before = readOptional(config['before'], readSignature);
  const until = readOptional(config['until'], readSignature);
  const limit =
    readOptional(config['limit'], (value) => readInteger(value, 'usize')) ?? MAX_SIGNATURES;
  if (limit === 0 || limit > MAX_SIGNATURES) {
    throw invalidParams(`Invalid limit; max ${MAX_SIGNATURES}`);
  }
  const { slot } = confirmedViewFor(node, config).time;
  if (before !== undefined && !isVisible(node, before, slot)) return [];
  const range = { ...(before && { before }), ...(until && { until }) };
  const found: Json[] = [];
  for (const summary of node.transactions.ledger.forAddress(address, range)) {
    if (found.length === limit) break;
    if (summary.time.slot <= slot) found.push(encodeSignatureInfo(node, summary));
  }
  return found;
}

function encodeSignatureInfo(node: RpcNode, summary: TransactionSummary): Json {
  const { signature, time, error, memo } = summary;
  return {
    signature,
    slot: time.slot,
    err: error ?? null,
    memo: memo ?? null,
    blockTime: time.unix,
    confirmationStatus: confirmationStatus(node, time.slot),
  };
}

export function getSignatureStatuses(node: RpcNode, params: unknown): Json {
  const [keys, options] = readArguments(params, { min: 1, max: 2 });
  const keyList = readArray(keys);
  const isHistorySearched = readOptional(options, (value) =>
    readBoolean(
      requireField(readConfigParam(value, 'RpcSignatureStatusConfig'), 'searchTransactionHistory'),
    ),
  );
  if (keyList.length > MAX_STATUSES) {
    throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`);
  }
  const view = node.view('processed');
  const { slot } = view.time;
  const statuses = keyList.map(readSignature).map((signature): Json => {
    const record = findVisible(node, signature, slot);
    const isRecent = record !== undefined && record.time.slot > slot - REMEMBERED_SLOTS;
    return record && (isRecent || isHistorySearched) ? encodeSignatureStatus(node, record) : null;
  });
  return withContext(view, statuses);
}

function encodeSignatureStatus(node: RpcNode, record: TransactionRecord): Json {
  const { slot } = record.time;
  const status = confirmationStatus(node, slot);
  return {
    slot,
    confirmations: status === 'finalized' ? null : node.slot('processed') - slot,
    status: encodeStatus(record),
    err: record.error ?? null,
    confirmationStatus: status,
  };
}

/** The transaction if this node has it at the slot. */
const findVisible = (
  node: RpcNode,
  signature: string,
  slot: Slot,
): TransactionRecord | undefined =>
  isVisible(node, signature, slot) ? node.transactions.ledger.find(signature) : undefined;

function isVisible({ transactions }: RpcNode, signature: string, slot: Slot): boolean {
  const executed = transactions.ledger.slotOf(signature);
  return executed !== undefined && executed <= slot;
}

const confirmationStatus = (node: RpcNode, slot: Slot) =>
  (['finalized', 'confirmed'] as const).find((commitment) => slot <= node.slot(commitment)) ??
  'processed';
