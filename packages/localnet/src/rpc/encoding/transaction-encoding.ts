import { encodeBase58, encodeBase64 } from '@tidegate/core/base';
import type { Message } from '@tidegate/core/protocol/spl/transaction';
import { resolveInstructions } from '../../runtime/transactions/message-instructions.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import type { Json, JsonFields, JsonObject } from '../json.ts';
import { readEnum, readInteger, readOptional } from '../params.ts';
import { unsupportedTransactionVersion } from '../rpc-errors.ts';
import { instructionJson } from './parsed-instruction.ts';
import { encodeAccountsMeta, encodeMeta } from './transaction-meta.ts';

/** `binary` is base58 without the encoding name: the oldest form. */
const ENCODINGS = ['binary', 'base64', 'base58', 'json', 'jsonParsed'] as const;

export type TransactionEncoding = (typeof ENCODINGS)[number];

export type TransactionEncodingOptions = {
  readonly encoding: TransactionEncoding;
  /** The newest version that the client supports; undefined if it supports legacy only. */
  readonly newestVersion: number | undefined;
  readonly hasRewards: boolean;
};

export const readTransactionEncoding = (value: unknown): TransactionEncoding =>
  readEnum(value, ENCODINGS);

export function readTransactionOptions(config: JsonObject): TransactionEncodingOptions {
  return {
    encoding: readOptional(config['encoding'], readTransactionEncoding) ?? 'json',
    newestVersion: readOptional(config['maxSupportedTransactionVersion'], (value) =>
      readInteger(value, 'u8'),
    ),
    hasRewards: true,
  };
}

/** A transaction and its outcome in a node's JSON form. */
export function encodeTransaction(
  record: TransactionRecord,
  options: TransactionEncodingOptions,
): JsonFields {
  const version = versionFor(record.message, options);
  return {
    transaction: encodeSigned(record, options.encoding),
    meta: encodeMeta(record, options),
    version,
  };
}

/** Accounts and balances without the instructions. */
export function encodeWithSignatures(
  record: TransactionRecord,
  options: TransactionEncodingOptions,
): JsonFields {
  const version = versionFor(record.message, options);
  return {
    transaction: { signatures: record.signatures, accountKeys: encodeAccounts(record) },
    meta: encodeAccountsMeta(record, options),
    version,
  };
}

/** Omitted for clients that do not state a version. */
function versionFor(
  { version }: Message,
  { newestVersion }: TransactionEncodingOptions,
): Message['version'] | undefined {
  if (version === 'legacy') return newestVersion === undefined ? undefined : version;
  if (newestVersion === undefined || version > newestVersion) {
    throw unsupportedTransactionVersion(version);
  }
  return version;
}

function encodeSigned(record: TransactionRecord, encoding: TransactionEncoding): Json {
  const { wire, signatures, message } = record;
  switch (encoding) {
    case 'binary':
      return encodeBase58(wire);
    case 'base58':
      return [encodeBase58(wire), 'base58'];
    case 'base64':
      return [encodeBase64(wire), 'base64'];
    case 'json':
      return { signatures, message: encodeMessage(message) };
    case 'jsonParsed':
      return { signatures, message: parseMessage(record) };
  }
}

function encodeMessage(message: Message): Json {
  const { header, staticKeys, recentBlockhash, instructions } = message;
  return {
    header,
    accountKeys: staticKeys,
    recentBlockhash,
    instructions: instructions.map(({ programIndex, accountIndexes, data }) => ({
      programIdIndex: programIndex,
      accounts: accountIndexes,
      data: encodeBase58(data),
      stackHeight: 1,
    })),
    addressTableLookups: encodeLookups(message),
  };
}

function parseMessage(record: TransactionRecord): Json {
  const { message, accounts } = record;
  return {
    accountKeys: encodeAccounts(record),
    recentBlockhash: message.recentBlockhash,
    instructions: resolveInstructions(message, accounts).map((instruction) =>
      instructionJson(instruction, 1),
    ),
    addressTableLookups: encodeLookups(message),
  };
}

/** Legacy messages have no lookups. */
function encodeLookups({ version, lookups }: Message): Json | undefined {
  if (version === 'legacy') return undefined;
  return lookups.map(({ table, writableIndexes, readonlyIndexes }) => ({
    accountKey: table,
    writableIndexes,
    readonlyIndexes,
  }));
}

function encodeAccounts({ message, accounts }: TransactionRecord): Json {
  return accounts.map(({ address, isSigner, isWritable }, i) => ({
    pubkey: address,
    signer: isSigner,
    writable: isWritable,
    source: i < message.staticKeys.length ? 'transaction' : 'lookupTable',
  }));
}
