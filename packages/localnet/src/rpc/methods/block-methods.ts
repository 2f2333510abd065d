import { type Slot, toSlot } from '@tidegate/core/base';
import { blockHeightOf, blockhashOf } from '../../runtime/blockhash.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import {
  encodeTransaction,
  encodeWithSignatures,
  readTransactionOptions,
  type TransactionEncodingOptions,
} from '../encoding/transaction-encoding.ts';
import { isObject, type Json, type JsonFields, type JsonObject } from '../json.ts';
import {
  readArguments,
  readBoolean,
  readConfigParam,
  readEnum,
  readInteger,
  readOptional,
  readVariant,
} from '../params.ts';
import { confirmedViewFor, readSlot } from '../request-context.ts';
import { blockNotAvailable, invalidParams } from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';
import { readEncodingParam } from './transaction-methods.ts';

const DETAILS = ['full', 'signatures', 'none', 'accounts'] as const;
const MAX_BLOCKS = 500_000;

type BlockOptions = TransactionEncodingOptions & { readonly details: (typeof DETAILS)[number] };

/** Every slot has a block without rewards. */
export function getBlock(node: RpcNode, params: unknown): Json {
  const [slotParam, options] = readArguments(params, { min: 1, max: 2 });
  const slot = readSlot(slotParam);
  const { config, encoding } = readEncodingParam(options, readBlockOptions);
  const { commitment } = config;
  if (slot > confirmedViewFor(node, { commitment }).time.slot) throw blockNotAvailable(slot);
  const { seed, bank, transactions } = node;
  const parent = toSlot(slot > 0n ? slot - 1n : 0n);
  return {
    previousBlockhash: blockhashOf(seed, parent),
    blockhash: blockhashOf(seed, slot),
    parentSlot: parent,
    ...encodeContent(transactions.ledger.inSlot(slot), encoding),
    rewards: encoding.hasRewards ? [] : undefined,
    blockTime: bank.timeOf(slot).unix,
    blockHeight: blockHeightOf(slot),
  };
}

function readBlockOptions(config: JsonObject): BlockOptions {
  return {
    ...readTransactionOptions(config),
    hasRewards: readOptional(config['rewards'], readBoolean) ?? true,
    details:
      readOptional(config['transactionDetails'], (value) => readEnum(value, DETAILS)) ?? 'full',
  };
}

function encodeContent(records: readonly TransactionRecord[], encoding: BlockOptions): JsonFields {
  switch (encoding.details) {
    case 'full':
      return { transactions: records.map((record) => encodeTransaction(record, encoding)) };
    case 'accounts':
      return { transactions: records.map((record) => encodeWithSignatures(record, encoding)) };
    case 'signatures':
      return { signatures: records.map(({ signature }) => signature) };
    case 'none':
      return {};
  }
}

/** `[first, last]`, both inclusive. The config may replace `last`. */
export function getBlocks(node: RpcNode, params: unknown): Json {
  const [from, to, options] = readArguments(params, { min: 1, max: 3 });
  const first = readSlot(from);
  const last = readVariant('RpcBlocksConfigWrapper', () =>
    isObject(to) ? undefined : readOptional(to, readSlot),
  );
  const config = readConfigParam(options ?? (isObject(to) ? to : undefined), 'RpcContextConfig');
  const newest = confirmedViewFor(node, config).time.slot;
  const requestedEnd = last ?? toSlot(first + BigInt(MAX_BLOCKS));
  const end = requestedEnd < newest ? requestedEnd : newest;
  if (end - first > MAX_BLOCKS) throw invalidParams(`Slot range too large; max ${MAX_BLOCKS}`);
  return slotsBetween(first, end);
}

export function getBlocksWithLimit(node: RpcNode, params: unknown): Json {
  const [from, count, options] = readArguments(params, { min: 2, max: 3 });
  const first = readSlot(from);
  const limit = readInteger(count, 'usize');
  const config = readConfigParam(options, 'RpcContextConfig');
  const newest = confirmedViewFor(node, config).time.slot;
  if (limit > MAX_BLOCKS) throw invalidParams(`Limit too large; max ${MAX_BLOCKS}`);
  const end = toSlot(first + BigInt(limit) - 1n);
  return slotsBetween(first, end < newest ? end : newest);
}

const slotsBetween = (first: Slot, last: Slot): Json =>
  Array.from({ length: Math.max(0, Number(last - first) + 1) }, (_, i) => first + BigInt(i));
