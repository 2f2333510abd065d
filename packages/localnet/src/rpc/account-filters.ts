import { type ClusterAccount, decodeBase58, decodeBase64 } from '@tidegate/core/base';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import { hasCode } from '../errors/index.ts';
import { isObject, type JsonObject } from './json.ts';
import {
  invalidParamsReason,
  readArray,
  readEnum,
  readInteger,
  readObject,
  readOptional,
  readString,
  requireField,
} from './params.ts';
import { invalidParam, invalidParams } from './rpc-errors.ts';

export type AccountPredicate = (account: ClusterAccount) => boolean;

const MAX_FILTERS = 4;
const MAX_BYTES = 128;
/** Longest encodings of 128 bytes. */
const MAX_BASE58_TEXT = 175;
const MAX_BASE64_TEXT = 172;

/** Whether an account passes all filters of a request. */
export function readAccountFilters(config: JsonObject): AccountPredicate {
  const params = readOptional(config['filters'], readArray) ?? [];
  if (params.length > MAX_FILTERS) {
    throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  }
  const filters = params.map(readFilter);
  return (account) => filters.every((filter) => filter(account));
}

function readFilter(value: unknown): AccountPredicate {
  if (value === 'tokenAccountState') return (account) => tokenAccount.matches(account);
  const names = ['dataSize', 'memcmp', 'tokenAccountState'] as const;
  const [name, ...more] = isObject(value) ? Object.keys(value) : [value];
  if (more.length > 0) throw invalidParamsReason('expected value');
  if (isObject(value) && name === 'dataSize') {
    const size = readInteger(value['dataSize'], 'u64');
    return ({ data }) => data.length === size;
  }
  if (isObject(value) && name === 'memcmp') return readMemcmp(value['memcmp']);
  readEnum(name, names);
  throw invalidParamsReason('invalid type: unit variant, expected newtype variant');
}

function readMemcmp(value: unknown): AccountPredicate {
  const memcmp = readObject(value, 'struct Memcmp');
  const offset = readInteger(requireField(memcmp, 'offset'), 'usize');
  const bytes = readBytes(requireField(memcmp, 'bytes'), memcmp['encoding']);
  if (bytes.length > MAX_BYTES) throw invalidParam('DataTooLarge');
  return ({ data }) => {
    if (offset + bytes.length > data.length) return false;
    for (let i = 0; i < bytes.length; i++) if (data[offset + i] !== bytes[i]) return false;
    return true;
  };
}

function readBytes(value: unknown, encoding: unknown): Uint8Array {
  if (Array.isArray(value)) return Uint8Array.from(value, readByte);
  const text = readString(value);
  const format = readOptional(encoding, (name) => readEnum(name, ['base58', 'base64', 'bytes']));
  if (format === 'base64') {
    if (text.length > MAX_BASE64_TEXT) throw invalidParam('DataTooLarge');
    return readBase64(text);
  }
  if (text.length > MAX_BASE58_TEXT) throw invalidParam('DataTooLarge');
  const bytes = decodeBase58(text);
  if (bytes === undefined) throw invalidParam('Base58DecodeError(InvalidCharacter)');
  return bytes;
}

function readByte(value: unknown): number {
  const byte = readInteger(value, 'u64');
  if (byte > 255) throw invalidParamsReason(`invalid value: integer \`${byte}\`, expected u8`);
  return byte;
}

function readBase64(text: string): Uint8Array {
  try {
    return decodeBase64(text);
  } catch (error) {
    if (hasCode(error, 'MALFORMED_DATA')) throw invalidParam('Base64DecodeError');
    throw error;
  }
}
