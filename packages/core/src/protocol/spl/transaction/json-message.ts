import { toBase58Bytes } from '../../../base/encoding/base58.ts';
import { decodeBase64 } from '../../../base/encoding/base64.ts';
import {
  isAbsent,
  isJsonObject,
  type JsonObject,
  malformedTransaction,
  toJsonAddress,
  toJsonArray,
  toJsonIndex,
  toJsonObject,
  toJsonString,
} from './json-values.ts';
import {
  type AddressLookup,
  checkMessage,
  type Message,
  type MessageInstruction,
} from './message.ts';
import { decodeWireTransaction, SIGNATURE_BYTES, type SignedMessage } from './wire.ts';

const BYTE = 256;

/**
 * Parses the `transaction` of an RPC response: an object in the encoding `json`, `[text, 'base64']`,
 * `[text, 'base58']`, or a base58 string in the oldest form.
 */
export function parseSignedMessage(value: unknown, version: unknown): SignedMessage {
  const signed = isJsonObject(value)
    ? parseJsonTransaction(value, version)
    : decodeWireTransaction(bytesOfWire(value));
  if (!isAbsent(version) && version !== signed.message.version) {
    throw malformedTransaction('its version differs from the version that the node reports');
  }
  return signed;
}

function bytesOfWire(value: unknown): Uint8Array {
  if (typeof value === 'string') return toBase58Bytes(value, 'transaction');
  const [text, encoding] = toJsonArray(value, 'transaction');
  if (encoding === 'base64') return decodeBase64(toJsonString(text, 'transaction'), 'transaction');
  if (encoding === 'base58') return toBase58Bytes(toJsonString(text, 'transaction'), 'transaction');
  throw malformedTransaction('its encoding is not json, base64 or base58');
}

function parseJsonTransaction(transaction: JsonObject, version: unknown): SignedMessage {
  const signatures = toJsonArray(transaction['signatures'], 'signatures').map(parseSignature);
  const message = toJsonObject(transaction['message'], 'message');
  const parsed = parseJsonMessage(message, version);
  if (signatures.length !== parsed.header.numRequiredSignatures) {
    throw malformedTransaction('the number of signatures differs from that of its message');
  }
  return { signatures, message: parsed };
}

function parseSignature(value: unknown): string {
  const text = toJsonString(value, 'a signature');
  if (toBase58Bytes(text, 'signature').length === SIGNATURE_BYTES) return text;
  throw malformedTransaction(`a signature does not have ${SIGNATURE_BYTES} bytes`);
}

/** A legacy message has no lookups. A message of version 0 can omit them. */
function parseJsonMessage(message: JsonObject, version: unknown): Message {
  const header = toJsonObject(message['header'], 'header');
  const rawLookups = message['addressTableLookups'];
  const lookups = isAbsent(rawLookups) ? [] : toJsonArray(rawLookups, 'lookups').map(parseLookup);
  const isLegacy = isAbsent(version) ? isAbsent(rawLookups) : version === 'legacy';
  if (isLegacy && lookups.length > 0)
    throw malformedTransaction('a legacy message cannot have lookup tables');
  const count = (name: string): number => toJsonIndex(header[name], BYTE, name);
  return checkMessage({
    version: isLegacy ? 'legacy' : 0,
    header: {
      numRequiredSignatures: count('numRequiredSignatures'),
      numReadonlySignedAccounts: count('numReadonlySignedAccounts'),
      numReadonlyUnsignedAccounts: count('numReadonlyUnsignedAccounts'),
    },
    staticKeys: toJsonArray(message['accountKeys'], 'accountKeys').map((key) =>
      toJsonAddress(key, 'an account key'),
    ),
    recentBlockhash: toJsonAddress(message['recentBlockhash'], 'recentBlockhash'),
    instructions: toJsonArray(message['instructions'], 'instructions').map(parseInstruction),
    lookups,
  });
}

/** Parses an instruction of the message or an inner instruction. */
export function parseInstruction(value: unknown): MessageInstruction {
  const call = toJsonObject(value, 'an instruction');
  return {
    programIndex: toJsonIndex(call['programIdIndex'], BYTE, 'programIdIndex'),
    accountIndexes: parseIndexes(call['accounts']),
    data: toBase58Bytes(toJsonString(call['data'], 'data'), 'instruction data'),
  };
}

function parseLookup(value: unknown): AddressLookup {
  const lookup = toJsonObject(value, 'a lookup');
  return {
    table: toJsonAddress(lookup['accountKey'], 'a lookup table'),
    writableIndexes: parseIndexes(lookup['writableIndexes']),
    readonlyIndexes: parseIndexes(lookup['readonlyIndexes']),
  };
}

function parseIndexes(value: unknown): number[] {
  return toJsonArray(value, 'indexes').map((index) => toJsonIndex(index, BYTE, 'an index'));
}
