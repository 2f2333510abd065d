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

type BlockForm = TransactionEncodingOptions & { readonly details: (typeof DETAILS)[number] };

/** Every slot has a block here. Nobody is rewarded for it. */
export function getBlock(endpoint: RpcNode, params: unknown): Json {
  const [given, options] = readArguments(params, { least: 1, most: 2 });
  const slot = readSlot(given);
  const { config, form } = readEncodingParam(options, readBlockForm);
  const { commitment } = config;
  if (slot > confirmedViewFor(endpoint, { commitment }).time.slot) throw blockNotAvailable(slot);
  const { seed, bank, transactions } = endpoint;
  const parent = toSlot(slot > 0n ? slot - 1n : 0n);
  return {
    previousBlockhash: blockhashOf(seed, parent),
    blockhash: blockhashOf(seed, slot),
    parentSlot: parent,
    ...encodeContent(transactions.ledger.inSlot(slot), form),
    rewards: form.hasRewards ? [] : undefined,
    blockTime: bank.timeOf(slot).unix,
    blockHeight: blockHeightOf(slot),
  };
}

function readBlockForm(config: JsonObject): BlockForm {
  return {
    ...readTransactionOptions(config),
    hasRewards: readOptional(config['rewards'], readBoolean) ?? true,
    details:
      readOptional(config['transactionDetails'], (value) => readEnum(value, DETAILS)) ?? 'full',
  };
}

function encodeContent(records: readonly TransactionRecord[], form: BlockForm): JsonFields {
  switch (form.details) {
    case 'full':
      return { transactions: records.map((record) => encodeTransaction(record, form)) };
    case 'accounts':
      return { transactions: records.map((record) => encodeWithSignatures(record, form)) };
    case 'signatures':
      return { signatures: records.map(({ signature }) => signature) };
    case 'none':
      return {};
  }
}

/** `[first, last]`, both included; settings may take the place of the last one. */
export function getBlocks(endpoint: RpcNode, params: unknown): Json {
  const [from, to, options] = readArguments(params, { least: 1, most: 3 });
  const first = readSlot(from);
  const last = readVariant('RpcBlocksConfigWrapper', () =>
    isObject(to) ? undefined : readOptional(to, readSlot),
  );
  const config = readConfigParam(options ?? (isObject(to) ? to : undefined), 'RpcContextConfig');
  const newest = confirmedViewFor(endpoint, config).time.slot;
  const wanted = last ?? toSlot(first + BigInt(MAX_BLOCKS));
  const end = wanted < newest ? wanted : newest;
  if (end - first > MAX_BLOCKS) throw invalidParams(`Slot range too large; max ${MAX_BLOCKS}`);
  return slotsBetween(first, end);
}

export function getBlocksWithLimit(endpoint: RpcNode, params: unknown): Json {
  const [from, count, options] = readArguments(params, { least: 2, most: 3 });
  const first = readSlot(from);
  const limit = readInteger(count, 'usize');
  const config = readConfigParam(options, 'RpcContextConfig');
  const newest = confirmedViewFor(endpoint, config).time.slot;
  if (limit > MAX_BLOCKS) throw invalidParams(`Limit too large; max ${MAX_BLOCKS}`);
  const end = toSlot(first + BigInt(limit) - 1n);
  return slotsBetween(first, end < newest ? end : newest);
}

const slotsBetween = (first: Slot, last: Slot): Json =>
  Array.from({ length: Math.max(0, Number(last - first) + 1) }, (_, i) => first + BigInt(i));
