import { type ClusterAccount, decodeBase58, decodeBase64, hasCode } from '@tidegate/core/base';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import { isObject, type JsonObject } from './json.ts';
import {
  badParams,
  optional,
  readList,
  readObject,
  readOneOf,
  readText,
  readWhole,
  required,
} from './params.ts';
import { invalidParam, invalidParams } from './rpc-errors.ts';

export type Accepts = (account: ClusterAccount) => boolean;

const MAX_FILTERS = 4;
const MAX_BYTES = 128;
/** The longest texts of 128 bytes. */
const MAX_BASE58_TEXT = 175;
const MAX_BASE64_TEXT = 172;

/** Whether an account passes all filters of a call. */
export function readFilters(config: JsonObject): Accepts {
  const given = optional(config['filters'], readList) ?? [];
  if (given.length > MAX_FILTERS) {
    throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  }
  const filters = given.map(readFilter);
  return (account) => filters.every((accepts) => accepts(account));
}

function readFilter(value: unknown): Accepts {
  if (value === 'tokenAccountState') return (account) => tokenAccount.matches(account);
  const names = ['dataSize', 'memcmp', 'tokenAccountState'] as const;
  const [name, ...more] = isObject(value) ? Object.keys(value) : [value];
  if (more.length > 0) throw badParams('expected value');
  if (isObject(value) && name === 'dataSize') {
    const size = readWhole(value['dataSize'], 'u64');
    return ({ data }) => data.length === size;
  }
  if (isObject(value) && name === 'memcmp') return readMemcmp(value['memcmp']);
  readOneOf(name, names);
  throw badParams('invalid type: unit variant, expected newtype variant');
}

function readMemcmp(value: unknown): Accepts {
  const memcmp = readObject(value, 'struct Memcmp');
  const offset = readWhole(required(memcmp, 'offset'), 'usize');
  const bytes = readBytes(required(memcmp, 'bytes'), memcmp['encoding']);
  if (bytes.length > MAX_BYTES) throw invalidParam('DataTooLarge');
  return ({ data }) => {
    if (offset + bytes.length > data.length) return false;
    for (let i = 0; i < bytes.length; i++) if (data[offset + i] !== bytes[i]) return false;
    return true;
  };
}

function readBytes(value: unknown, encoding: unknown): Uint8Array {
  if (Array.isArray(value)) return Uint8Array.from(value, readByte);
  const text = readText(value);
  const form = optional(encoding, (name) => readOneOf(name, ['base58', 'base64', 'bytes']));
  if (form === 'base64') {
    if (text.length > MAX_BASE64_TEXT) throw invalidParam('DataTooLarge');
    return readBase64(text);
  }
  if (text.length > MAX_BASE58_TEXT) throw invalidParam('DataTooLarge');
  const bytes = decodeBase58(text);
  if (bytes === undefined) throw invalidParam('Base58DecodeError(InvalidCharacter)');
  return bytes;
}

function readByte(value: unknown): number {
  const byte = readWhole(value, 'u64');
  if (byte > 255) throw badParams(`invalid value: integer \`${byte}\`, expected u8`);
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
